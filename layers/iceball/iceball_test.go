package iceball_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/iceball"
)

const samples = "../../testdata/iceball"

func TestSamples(t *testing.T) { wiretest.Run(t, iceball.Protocol, samples) }

func FuzzLayer(f *testing.F) { wiretest.Fuzz(f, iceball.Protocol, samples) }

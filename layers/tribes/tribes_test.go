package tribes_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

const samples = "../../testdata/tribes"

func TestSamples(t *testing.T) { wiretest.Run(t, tribes.Protocol, samples) }

func FuzzLayer(f *testing.F) { wiretest.Fuzz(f, tribes.Protocol, samples) }

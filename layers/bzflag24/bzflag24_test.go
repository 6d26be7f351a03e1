package bzflag24_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

const samples = "../../testdata/bzflag24"

func TestSamples(t *testing.T) { wiretest.Run(t, bzflag24.Protocol, samples) }

func FuzzLayer(f *testing.F) { wiretest.Fuzz(f, bzflag24.Protocol, samples) }

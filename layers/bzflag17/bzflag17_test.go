package bzflag17_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

const samples = "../../testdata/bzflag17"

func TestSamples(t *testing.T) {
	wiretest.Run(t, bzflag17.Protocol, samples)
}

func FuzzLayer(f *testing.F) { wiretest.Fuzz(f, bzflag17.Protocol, samples) }

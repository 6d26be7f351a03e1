package bloodmasters_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bloodmasters"
)

const samples = "../../testdata/bloodmasters"

func TestSamples(t *testing.T) { wiretest.Run(t, bloodmasters.Protocol, samples) }

func FuzzLayer(f *testing.F) { wiretest.Fuzz(f, bloodmasters.Protocol, samples) }

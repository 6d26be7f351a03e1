package a2s_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"

	"a2s/a2s"
)

const samples = "testdata"

func TestSamples(t *testing.T) { wiretest.Run(t, a2s.Protocol, samples) }

func TestTalks(t *testing.T) { wiretest.Talks(t, a2s.Protocol, samples+"/talks") }

func FuzzLayer(f *testing.F) { wiretest.Fuzz(f, a2s.Protocol, samples) }

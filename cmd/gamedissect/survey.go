package main

import (
	"sync"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/split"
)

// A survey is the first reading of files that several engines share: who belongs together.
type survey struct {
	splitters []*split.Splitter
	batches   []*batch // by splitter, that are filled
	full      []chan *batch
	empty     []chan *batch
	frame     decode.Frame
	ended     sync.WaitGroup
}

// mostSplitters is how many goroutines a survey has besides the one that reads, which has no time for more.
const mostSplitters = 3

func newSurvey(d *dissection) *survey {
	o := &d.run.options
	s := new(survey)
	for range min(d.input.jobs, mostSplitters) {
		splitter := split.New(o.Protocols, o.DecodeAs)
		s.splitters = append(s.splitters, splitter)
		full, empty := make(chan *batch, batches), make(chan *batch, batches)
		for range batches {
			empty <- &batch{data: make([]byte, 0, batchBytes)}
		}
		s.full, s.empty, s.batches = append(s.full, full), append(s.empty, empty), append(s.batches, <-empty)
		s.ended.Go(func() {
			for b := range full {
				for i := range b.frames {
					splitter.Frame(&b.frames[i])
				}
				b.clear()
				empty <- b
			}
		})
	}
	return s
}

// take takes a packet.
func (s *survey) take(p *capture.Packet) {
	s.frame = frameOf(p)
	n := split.Share(&s.frame, len(s.splitters))
	if s.batches[n].add(&s.frame) {
		s.full[n] <- s.batches[n]
		s.batches[n] = <-s.empty[n]
	}
}

// parts ends the survey. It gives what was found.
func (s *survey) parts() *split.Parts {
	for n, b := range s.batches {
		s.full[n] <- b
		close(s.full[n])
	}
	s.ended.Wait()
	all := s.splitters[0].Sketch()
	for _, o := range s.splitters[1:] {
		all.Merge(o.Sketch())
	}
	return all.Parts()
}

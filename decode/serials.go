package decode

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// serials contains the serial numbers of frames that do not belong to a recognised conversation, for Options.Other.
// Serial numbers wait until their conversation is recognised or given up. Until then, the budget counts their memory.
type serials struct {
	each    func(serial int64) // nil: no serials are kept
	budget  *bounded.Budget
	waiting map[*undecidedPackets][][]int64 // one list of serials per waiting tally
	mine    []int64                         // serials of the current tally
}

// Approximate memory in bytes of a waiting serial number, and of a list of them.
const (
	serialCost  = 8
	serialsCost = 48
)

// report passes the serials of counted frames to the function each.
func (s *serials) report(list []int64) {
	if s.each != nil {
		for _, serial := range list {
			s.each(serial)
		}
	}
}

// hold makes the serials of the current tally wait. The parameter some is false if the tally has none. If join is set,
// hold appends them to the first list of serials that already wait. Otherwise they become another list.
func (s *serials) hold(u *undecidedPackets, some, join bool) {
	if s.each == nil {
		return
	}
	var mine []int64
	if some {
		mine = s.mine
	}
	s.budget.Spend(len(mine) * serialCost)
	if all := s.waiting[u]; join && len(all) > 0 {
		all[0] = append(all[0], mine...)
		return
	}
	s.budget.Spend(serialsCost)
	s.waiting[u] = append(s.waiting[u], slices.Clone(mine))
}

// release removes the waiting serials and returns them.
func (s *serials) release(u *undecidedPackets) (list []int64) {
	all := s.waiting[u]
	delete(s.waiting, u)
	list = slices.Concat(all...)
	s.budget.Spend(-len(all)*serialsCost - len(list)*serialCost)
	return list
}

// first returns the serials of the first waiting tally.
func (s *serials) first(u *undecidedPackets) []int64 {
	if all := s.waiting[u]; len(all) > 0 {
		return all[0]
	}
	return nil
}

// dropFirst drops the serials of the first waiting tally.
func (s *serials) dropFirst(u *undecidedPackets) {
	if all := s.waiting[u]; len(all) > 0 {
		s.budget.Spend(-serialsCost - len(all[0])*serialCost)
		s.waiting[u] = all[1:]
	}
}

package decode

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// serials are the frames of others, for Options.Other. Those that wait until their conversation is decided about take
// memory of the budget.
type serials struct {
	each    func(serial int64) // nil: nothing is kept
	budget  *bounded.Budget
	waiting map[*undecidedPackets][][]int64 // for each of the charges that wait
	mine    []int64                         // of the current charge
}

// What waiting serials cost, in bytes.
const (
	serialCost  = 8
	serialsCost = 48
)

// tell calls each with frames that are counted.
func (s *serials) tell(list []int64) {
	if s.each != nil {
		for _, serial := range list {
			s.each(serial)
		}
	}
}

// hold keeps the serials of the current charge, if it has packets, with those that wait: joined to the first of them,
// or apart.
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

// release returns what waits, which waits no longer.
func (s *serials) release(u *undecidedPackets) (list []int64) {
	all := s.waiting[u]
	delete(s.waiting, u)
	list = slices.Concat(all...)
	s.budget.Spend(-len(all)*serialsCost - len(list)*serialCost)
	return list
}

// first returns the serials of the first charge that waits.
func (s *serials) first(u *undecidedPackets) []int64 {
	if all := s.waiting[u]; len(all) > 0 {
		return all[0]
	}
	return nil
}

// dropFirst forgets the serials of the first charge that waits.
func (s *serials) dropFirst(u *undecidedPackets) {
	if all := s.waiting[u]; len(all) > 0 {
		s.budget.Spend(-serialsCost - len(all[0])*serialCost)
		s.waiting[u] = all[1:]
	}
}

package outfile

import "runtime/pprof"

// StartProfile begins a CPU profile of this run. If the file is nil, it does nothing. "make pgo" uses it to make
// the profile that releases are compiled with.
func StartProfile(to *File) (stop func() error, err error) {
	if to == nil {
		return func() error { return nil }, nil
	}
	w, err := to.Begin()
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(w); err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return to.Commit()
	}, nil
}

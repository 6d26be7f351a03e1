//go:build !nolibpcap && (linux || darwin) && (amd64 || arm64)

package bpf

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/gamedissect/gamedissect/capture"
)

// libpcap is the library as it was found on this machine. err says why there is none.
type libpcap struct {
	version string // "libpcap version 1.10.3"
	err     error

	mu          sync.Mutex // pcap_compile of old versions keeps its state in globals
	openDead    func(link, snap int32) uintptr
	compileText func(handle uintptr, program *compiled, filter string, optimize int32, netmask uint32) int32
	lastError   func(handle uintptr) string
	freeCode    func(program *compiled)
	close       func(handle uintptr)
}

// compiled is libpcap's struct bpf_program.
type compiled struct {
	length       uint32
	instructions *RawInstruction // laid out as struct bpf_insn
}

var library = sync.OnceValue(load)

// libraries are the names under which libpcap is installed, of Debian too.
func libraries() []string {
	if runtime.GOOS == "darwin" {
		return []string{"/usr/lib/libpcap.A.dylib", "libpcap.dylib"}
	}
	return []string{"libpcap.so.1", "libpcap.so.0.8", "libpcap.so"}
}

func load() *libpcap {
	l := &libpcap{}
	var handle uintptr
	for _, name := range libraries() {
		handle, l.err = purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if l.err == nil {
			break
		}
	}
	if l.err != nil {
		return l
	}
	var version func() string
	for name, function := range map[string]any{
		"pcap_lib_version": &version,
		"pcap_open_dead":   &l.openDead,
		"pcap_compile":     &l.compileText,
		"pcap_geterr":      &l.lastError,
		"pcap_freecode":    &l.freeCode,
		"pcap_close":       &l.close,
	} {
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			l.err = err
			return l
		}
		purego.RegisterFunc(function, address)
	}
	l.version, _, _ = strings.Cut(version(), " (")
	return l
}

// dataLinks are the link types of files that have another number as libpcap's DLT_ on Linux and macOS.
var dataLinks = map[capture.LinkType]int32{100: 11, 101: 12}

// unknownMask is PCAP_NETMASK_UNKNOWN: there is no interface whose broadcast address could be asked for.
const unknownMask = 0xffffffff

// compile gives the filter's text, which must hold no name, to libpcap.
func (l *libpcap) compile(text string, link capture.LinkType, snap int, optimize bool) ([]RawInstruction, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	data, ok := dataLinks[link]
	if !ok {
		data = int32(link)
	}
	handle := l.openDead(data, int32(snap))
	if handle == 0 {
		return nil, errors.New("out of memory")
	}
	defer l.close(handle)
	var program compiled
	flag := int32(0)
	if optimize {
		flag = 1
	}
	if l.compileText(handle, &program, text, flag, unknownMask) != 0 {
		return nil, errors.New(l.lastError(handle))
	}
	defer l.freeCode(&program)
	if program.length > maxInstructions {
		return nil, fmt.Errorf("%w: it has %d instructions, %d are allowed", errNotRunnable, program.length, maxInstructions)
	}
	return append([]RawInstruction(nil), unsafe.Slice(program.instructions, program.length)...), nil
}

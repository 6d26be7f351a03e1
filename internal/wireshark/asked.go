package wireshark

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// askedScript replaces the dissection file for Script. It asks the program about each packet instead.
//
//go:embed asked.lua
var askedScript []byte

// Plugin returns a Lua script for Wireshark that asks a program about every packet. program must be quoted for a shell,
// and is called with the arguments "plugin --answer FILE". It must read questions and answer them, see ReadQuestion and
// [Writer.Answer].
func Plugin(program string, protocols []*wire.Protocol) string {
	w := NewWriter(io.Discard, protocols)
	for _, p := range protocols {
		for transport, list := range map[wire.Transport][]uint16{wire.UDP: p.UDP, wire.TCP: p.TCP} {
			for _, number := range list {
				w.ports[port{transport, number}] = struct{}{}
			}
		}
	}
	return fmt.Sprintf("local asked = (function(...)\n%s\nend)(%s, %s);\n(function(...)\n%s\nend)(asked)\n",
		askedScript, luaText([]byte(program)), luaText(w.tables()), Script)
}

// Stub returns a small Lua script. It calls the program with the argument "plugin", and runs the script that the
// program prints, see [Plugin]. So the second script always matches the program's version. If the program is gone, the
// stub says so and names its own file. command is the program quoted for a shell.
func Stub(program, command, file string) string {
	gone := "gamedissect: " + program + " is gone; install again, or remove " + file + "\n"
	return "if os.getenv(\"" + NoStub + "\") then\n  return\nend\n" +
		"local program = io.open(" + luaText([]byte(program)) + ", \"rb\")\n" +
		"if not program then\n  io.stderr:write(" + luaText([]byte(gone)) + ")\n  return\nend\nprogram:close()\n" +
		"local pipe = io.popen(" + luaText([]byte("exec "+command+" plugin")) + ", \"r\")\n" +
		`local text = pipe and pipe:read("*a") or ""
if pipe then
  pipe:close()
end
local script, problem = load(text, "=gamedissect")
if not script then
  error("gamedissect: " .. problem)
end
script()
`
}

// NoStub is an environment variable that disables the stub. It is set if Wireshark gets a dissection file.
const NoStub = "GAMEDISSECT_WIRESHARK"

func luaText(text []byte) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			b.WriteByte(c)
			continue
		}
		b.WriteString(`\` + fmt.Sprintf("%03s", strconv.Itoa(int(c))))
	}
	b.WriteByte('"')
	return b.String()
}

const (
	questionHeader = 24
	maxPacket      = 1 << 24 // bytes
)

// ErrQuestion is the error for malformed questions.
var ErrQuestion = errors.New("this is not a question from Wireshark about a packet")

// maxSkipped limits the frames between two questions. There can be such frames, because Wireshark asks no questions
// about frames of other link types. The limit bounds memory, which grows with the number of the last frame.
const maxSkipped = 1 << 22

// ReadQuestion reads a question about a packet. In little-endian order, a question has the number of the frame, the
// link type, the captured length and the original length, in four bytes each, the time in seconds as a float64, and the
// packet's bytes. ReadQuestion stores these bytes in buffer, and returns the buffer, which may have been reallocated. f
// must be the frame of the previous question, and becomes the frame of this one.
func ReadQuestion(r io.Reader, f *decode.Frame, buffer []byte) ([]byte, error) {
	var header [questionHeader]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return buffer, err
	}
	size := binary.LittleEndian.Uint32(header[8:])
	length := binary.LittleEndian.Uint32(header[12:])
	number := int(binary.LittleEndian.Uint32(header[0:]))
	if size > maxPacket || length > math.MaxInt32 || number <= f.Number || number > f.Number+maxSkipped {
		return buffer, ErrQuestion
	}
	if int(size) > cap(buffer) {
		buffer = make([]byte, size)
	}
	buffer = buffer[:size]
	if _, err := io.ReadFull(r, buffer); err != nil {
		return buffer, err
	}
	*f = decode.Frame{
		Data: buffer, Length: max(int(length), int(size)), Number: number,
		Link: uint16(binary.LittleEndian.Uint32(header[4:])),
		Time: nanoseconds(math.Float64frombits(binary.LittleEndian.Uint64(header[16:]))),
	}
	return buffer, nil
}

// nanoseconds converts a time in seconds. It rounds to microseconds, which is the precision of Wireshark's scripts.
func nanoseconds(seconds float64) int64 {
	if micro := math.Round(seconds * 1e6); math.Abs(micro) < math.MaxInt64/1e3 {
		return int64(micro) * 1000
	}
	return 0
}

// NewAnswers returns a Writer that answers questions. It writes only chunks and no complete dissection file.
func NewAnswers(out io.Writer, protocols []*wire.Protocol) *Writer {
	w := NewWriter(out, protocols)
	w.sentPorts, w.sentFields = make(ports), len(w.fields.list)
	return w
}

// Answer writes pending chunks, and returns the answer to a question. The answer has three counts: of frames with new
// chunks, of new ports and of new fields. Then follow, for each of the frames, its number and the offset of its last
// chunk; for each of the ports, 0 for UDP or 1 for TCP, and the port; and for each of the fields, its number, the size
// of its label and the label. All numbers are float64.
func (w *Writer) Answer() ([]byte, error) {
	w.flush()
	if w.err == nil {
		w.err = w.out.Flush()
	}
	b := appendDouble(w.scratch[:0], float64(len(w.grown)))
	b = appendDouble(b, float64(len(w.ports)-len(w.sentPorts)))
	b = appendDouble(b, float64(len(w.fields.list)-w.sentFields))
	for _, frame := range w.grown {
		b = appendDouble(appendDouble(b, float64(frame)), float64(w.index[frame]))
	}
	w.grown = w.grown[:0]
	if len(w.sentPorts) < len(w.ports) {
		for p := range w.ports {
			if _, ok := w.sentPorts[p]; !ok {
				b = appendDouble(appendDouble(b, float64(boolean(p.transport == wire.TCP))), float64(p.number))
				w.sentPorts[p] = struct{}{}
			}
		}
	}
	for ; w.sentFields < len(w.fields.list); w.sentFields++ {
		label := w.fields.list[w.sentFields].label
		b = append(appendDouble(appendDouble(b, float64(w.sentFields)), float64(len(label))), label...)
	}
	w.scratch = b
	return b, w.err
}

package iceball_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/iceball"
)

const (
	get  = "GET /master.json HTTP/1.1\r\nHost: x\r\n\r\n"
	head = "HEAD / HTTP/1.1\r\n\r\n"
	list = "HTTP/1.1 200 OK\r\nLength: 2\r\n\r\n[]"

	chunks = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: Chunked\r\n\r\n" +
		"3\r\nabc\r\n00A;x=y\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
	noBody = "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n"
)

// Variants of chunks: long chunk extensions, and other transfer codings.
var (
	longChunks = strings.Replace(strings.Replace(chunks, "3\r", "3;"+strings.Repeat("x", 30000)+"\r", 1), "\r\n0\r",
		"\r\n0 ; "+strings.Repeat("y;", 400)+"\r", 1)
	gzipChunks  = strings.Replace(chunks, "Chunked", "gzip, chunked ", 1)
	twoLines    = strings.Replace(chunks, "Chunked", "gzip\r\nTransfer-encoding:CHUNKED", 1)
	longCodings = strings.Replace(chunks, "Chunked", strings.Repeat("gzip , ", 9000)+"chunked", 1)
)

// messageSizes splits a stream that arrives in pieces, and returns the sizes of its messages.
func messageSizes(s wire.Splitter, direction wire.Direction, data string, piece int) (sizes []int) {
	var kept []byte
	var p wire.Progress
	for at := 0; at <= len(data); at += piece {
		kept = append(kept, data[at:min(at+piece, len(data))]...)
		ended := at+piece > len(data)
		for len(kept) > 0 {
			n := p.Next(s, direction, kept, ended)
			if n < 0 {
				return append(sizes, n)
			}
			if n == wire.NeedMore || n > len(kept) {
				break
			}
			sizes, kept, p = append(sizes, n), kept[n:], wire.Progress{}
		}
	}
	return sizes
}

func TestHTTPFraming(t *testing.T) {
	long := strings.Repeat("x", 40000)
	for _, c := range []struct {
		name, request, data string
		direction           wire.Direction
		want                []int
	}{
		{"a request", "", get, wire.ToServer, []int{len(get)}},
		{"three requests", "", get + head + get, wire.ToServer, []int{len(get), len(head), len(get)}},
		{"empty lines before requests", "", "\r\n" + get + "\r\n\r\n" + head + "\r\n\r\n\r\nput x\r\n\r\n", wire.ToServer,
			[]int{len(get) + 2, 4, len(head), 4, 11}},
		{"an empty line before another text", "", "\r\nGETS: x\r\n\r\n" + get, wire.ToServer, []int{13, len(get)}},
		{"a request with a body", "", "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc" + get, wire.ToServer, []int{41,
			len(get)}},
		{"Length", get, list + list, wire.FromServer, []int{len(list), len(list)}},
		{"Content-Length", get, "HTTP/1.1 200 OK\r\ncontent-length:  2 \r\n\r\n[]x\r\n\r\n", wire.FromServer, []int{42, 5}},
		{"two lengths", get, "HTTP/1.1 200 OK\r\nLength: 1\r\nContent-Length: 2\r\n\r\n" + list, wire.FromServer, []int{49,
			len(list)}},
		{"the same length twice", get, "HTTP/1.1 200 OK\r\nLength: 2, 2\r\nContent-Length: 02\r\n\r\n[]" + list,
			wire.FromServer,
			[]int{55, len(list)}},
		{"a list of lengths with an empty element", get, "HTTP/1.1 200 OK\r\nLength: 2,\r\n\r\n[]", wire.FromServer, []int{31,
			wire.NoMessage}},
		{"a length with a sign", get, "HTTP/1.1 200 OK\r\nLength: +2\r\n\r\n[]", wire.FromServer, []int{31, wire.NoMessage}},
		{"a request with a bad length", "", "POST / HTTP/1.1\r\nLength: 0x2\r\n\r\n[]", wire.ToServer, []int{32,
			wire.NoMessage}},
		{"answer to HEAD", head, "HTTP/1.1 200 OK\r\nLength: 2\r\n\r\n" + list, wire.FromServer, []int{30, 30}},
		{"an answer without headers", get, "HTTP/1.1 404 Not Found\r\n\r\n" + list, wire.FromServer, []int{26, len(list)}},
		{"a body up to the end of the stream", get, "HTTP/1.1 200 OK\r\nA: b\r\n\r\nabc", wire.FromServer, []int{28}},
		{"a negative length", get, "HTTP/1.1 200 OK\r\nLength: -1\r\n\r\nabc", wire.FromServer, []int{31, wire.NoMessage}},
		{"a length of 2 GB", get, "HTTP/1.1 200 OK\r\nLength: 2147483647\r\n\r\nabc", wire.FromServer, []int{39,
			wire.NoMessage}},
		{"a length of 1 GB", get, "HTTP/1.1 200 OK\r\nLength: 1073741824\r\n\r\nabc", wire.FromServer, []int{42}},
		{"a length above 64 bits", get, "HTTP/1.1 200 OK\r\nLength: 99999999999999999999\r\n\r\nabc", wire.FromServer,
			[]int{49, wire.NoMessage}},
		{"lines that end with line feeds only", "", strings.ReplaceAll(get, "\r", "") + long, wire.ToServer,
			[]int{wire.NoMessage}},
		{"a long line", "", "GET / HTTP/1.1\r\nA: " + long + "\r\n\r\n" + get, wire.ToServer, []int{40023, len(get)}},
		{"many header lines", "", "GET / HTTP/1.1\r\n" + strings.Repeat("a: b\r\n", 5000) + "\r\n" + get, wire.ToServer,
			[]int{30018, len(get)}},
		{"a long first line", "", "HEAD /" + long + "\r\n\r\n" + get, wire.ToServer, []int{40010, len(get)}},
		{"a length with many zeros", get, "HTTP/1.1 200 OK\r\nLength: " + strings.Repeat("0", 200) + "3\r\n\r\nabcd",
			wire.FromServer, []int{230, wire.NoMessage}},
		{"chunks", get, chunks + list, wire.FromServer, []int{len(chunks), len(list)}},
		{"chunks without an end", get, chunks[:len(chunks)-4], wire.FromServer, []int{len(chunks) - 4}},
		{"a chunk without a size", get, strings.Replace(chunks, "\r\n3", "\r\nx", 1), wire.FromServer, []int{wire.NoMessage}},
		{"a request in chunks", "", "POST" + chunks[4:] + get, wire.ToServer, []int{len(chunks), len(get)}},
		{"chunks with long extensions", get, longChunks + list, wire.FromServer, []int{len(longChunks), len(list)}},
		{"a chunk size with many zeros", get, strings.Replace(chunks, "3", strings.Repeat("0", 99)+";x", 1), wire.FromServer,
			[]int{wire.NoMessage}},
		{"chunked as the last coding", get, gzipChunks + list, wire.FromServer, []int{len(gzipChunks), len(list)}},
		{"chunked in the last of two headers", get, twoLines + list, wire.FromServer, []int{len(twoLines), len(list)}},
		{"chunked after many codings", get, longCodings + list, wire.FromServer, []int{len(longCodings), len(list)}},
		{"chunked before another coding", get, strings.Replace(chunks, "Chunked", "chunked, gzip", 1) + list, wire.FromServer,
			[]int{len(chunks) + len(list) + 6}},
		{"a request with an unknown coding", "", "POST" + strings.Replace(chunks, "Chunked", "xchunked", 1)[4:],
			wire.ToServer,
			[]int{67, wire.NoMessage}},
		{"the identity coding", get, "HTTP/1.1 200 OK\r\nLength: 2\r\nTransfer-Encoding: identity\r\n\r\n[]" + list,
			wire.FromServer,
			[]int{61, len(list)}},
		{"a status without a body", get, noBody + list, wire.FromServer, []int{len(noBody), len(list)}},
		{"an interim answer", get, "HTTP/1.1 100 Continue\r\nA: b\r\n\r\n" + list, wire.FromServer, []int{31, len(list)}},
	} {
		var whole []int
		for _, piece := range []int{max(len(c.data), 1), 1, 7} {
			s := iceball.Protocol.NewSplitter()
			if c.request != "" {
				s.Next(wire.ToServer, []byte(c.request), false, new(wire.Progress))
			}
			got := messageSizes(s, c.direction, c.data, piece)
			if piece == len(c.data) {
				whole = got
			}
			if c.name == "answer to HEAD" {
				got, whole = got[:1], whole[:1]
				c.want = c.want[:1]
			}
			if !slices.Equal(got, c.want) || !slices.Equal(got, whole) {
				t.Errorf("%s in pieces of %d: %v, want %v", c.name, piece, got, c.want)
			}
		}
	}
}

func TestHTTPPlausible(t *testing.T) {
	for _, c := range []struct {
		data      string
		direction wire.Direction
		n         int
		broken    bool
	}{
		{get + get, wire.ToServer, 2, false},
		{get + "GE", wire.ToServer, 1, false},
		{get + "garbage", wire.ToServer, 1, true},
		{list + list + "H", wire.FromServer, 2, false},
		{list + "[]", wire.FromServer, 1, true},
		{get, wire.FromServer, 0, true},
		{list, wire.ToServer, 0, true},
		{"x\r\n\r\ny\r\n\r\n", wire.ToServer, 0, true},
		{"", wire.ToServer, 0, false},
		{"GET " + strings.Repeat("x", 20000), wire.ToServer, 0, false},
	} {
		if n, broken := wire.CountPlausible(iceball.Protocol.NewSplitter(), c.direction, []byte(c.data)); n != c.n || broken != c.broken {
			t.Errorf("%.40q: %d messages, broken %t, want %d, %t", c.data, n, broken, c.n, c.broken)
		}
	}
}

// TestHTTPProbe probes streams at a known heartbeat server, and at a host and port without one. Other text protocols
// must not be recognised.
func TestHTTPProbe(t *testing.T) {
	for _, c := range []struct {
		data     string
		to, from wire.Confidence // to and from the heartbeat server
	}{
		{get, wire.Sure, wire.No},
		{"GET\r\n\r\n", wire.Sure, wire.No},
		{"get /", wire.Sure, wire.No},
		{"\r\n\r\n", wire.Sure, wire.No},
		{"\r\n" + get, wire.Sure, wire.No},
		{"\r\n", wire.Maybe, wire.No},
		{"\r\nPO", wire.Maybe, wire.No},
		{"\r\nEHLO example.org\r\n", wire.No, wire.No},
		{"GE", wire.Maybe, wire.Maybe},
		{list, wire.No, wire.Sure},
		{"/ 400 Bad Request\r\n\r\n", wire.No, wire.Sure},
		{"SSH-2.0-OpenSSH_9.6\r\n", wire.No, wire.No},
		{"220 mail.example.org ESMTP\r\n", wire.No, wire.No},
		{"EHLO example.org\r\n", wire.No, wire.No},
		{"NICK somebody\r\n", wire.No, wire.No},
		{"\x16\x03\x01\x02\x00", wire.No, wire.No},
	} {
		p := wire.Probe{Datagram: &wire.Datagram{Payload: []byte(c.data)}, ToPort: true, ToExpected: true}
		to := iceball.Protocol.ProbeStream(&p)
		p.ToPort, p.ToExpected, p.FromPort, p.FromExpected = false, false, true, true
		from := iceball.Protocol.ProbeStream(&p)
		if to.Confidence != c.to || from.Confidence != c.from {
			t.Errorf("%q: to the server %d, from the server %d, want %d, %d", c.data, to.Confidence, from.Confidence, c.to, c.from)
		}
		p.FromPort, p.FromExpected = false, false
		if v := iceball.Protocol.ProbeStream(&p); v.Confidence != wire.No {
			t.Errorf("%q on another port: %d, want %d", c.data, v.Confidence, wire.No)
		}
	}
}

// TestHTTPProbeOfOthers checks that, on the port of an unknown host, a message is recognised by its path, its body, or
// the Length header.
func TestHTTPProbeOfOthers(t *testing.T) {
	const page = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
	for _, c := range []struct {
		data string
		from bool
		want wire.Confidence
	}{
		{"", false, wire.No},
		{get, false, wire.Sure},
		{"\r\n" + get, false, wire.Sure},
		{head, false, wire.Maybe},
		{"POST /api HTTP/1.1\r\n\r\n", false, wire.Maybe},
		{list, true, wire.Sure},
		{page, true, wire.Maybe},
		{page + `{"servers": [{"players_max": 8}]}`, true, wire.Sure},
		{"HTTP/1.1 304 Not Modified\r\nServer: nginx\r\n\r\n", true, wire.Maybe},
	} {
		p := wire.Probe{Datagram: &wire.Datagram{Payload: []byte(c.data)}, ToPort: !c.from, FromPort: c.from}
		if v := iceball.Protocol.ProbeStream(&p); v.Confidence != c.want {
			t.Errorf("%q: %d, want %d", c.data, v.Confidence, c.want)
		}
	}
}

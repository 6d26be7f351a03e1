package plainhttp

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Content is the body of an answer, with chunks joined and compression removed.
type Content struct {
	Data []byte
	Cut  string // why the body is incomplete, such as "200 of 900 bytes came"; "": complete
	Odd  string // why Data is not the whole content: an unknown or invalid coding, or too many bytes
}

// Content decodes the body of the answer to a GET. most is the maximum number of bytes after decompression.
func (r *Response) Content(most int) (c Content) {
	p := lengthOf(r.Headers)
	c.Data = r.Body
	switch {
	case p.State&isChunked != 0:
		c.Data, c.Cut = joinChunks(r.Body)
	case p.State&isCoded == 0 && p.State&(isCounted|isBad) == isCounted && len(r.Body) < p.Length:
		c.Cut = fmt.Sprintf("%d of %d bytes came", len(r.Body), p.Length)
	}
	if c.Cut != "" {
		return c
	}
	codings := append(codingsOf(r.Headers, "Content-Encoding"), codingsOf(r.Headers, "Transfer-Encoding")...)
	for i := len(codings) - 1; i >= 0 && c.Odd == ""; i-- { // in reverse: the last coding was applied last
		c.Data, c.Odd = decode(c.Data, codings[i], most)
	}
	if len(c.Data) > most && c.Odd == "" {
		c.Odd = "it has more than " + strconv.Itoa(most) + " bytes"
	}
	return c
}

// codingsOf returns the codings in the header lines with the given name. It omits chunked and identity.
func codingsOf(headers []Header, name string) (list []string) {
	for i := range headers {
		if !bytes.EqualFold(headers[i].Name, []byte(name)) {
			continue
		}
		for coding := range strings.SplitSeq(string(headers[i].Value), ",") {
			coding = strings.ToLower(strings.TrimSpace(coding))
			if coding != "" && coding != "identity" && coding != "chunked" {
				list = append(list, coding)
			}
		}
	}
	return list
}

// joinChunks joins the chunks of a body. If the body is incomplete, cut says what is missing.
func joinChunks(body []byte) (data []byte, cut string) {
	for {
		line, rest, ok := bytes.Cut(body, []byte(LineEnd))
		size, _, _ := bytes.Cut(line, []byte(";"))
		n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 64)
		switch {
		case ok && err == nil && n == 0:
			return data, ""
		case !ok || err != nil || n > uint64(len(rest)):
			return data, "the last chunk is missing"
		}
		data = append(data, rest[:n]...)
		body = bytes.TrimPrefix(rest[n:], []byte(LineEnd))
	}
}

// decode removes one coding, such as gzip.
func decode(data []byte, coding string, most int) (plain []byte, odd string) {
	var from io.Reader
	var err error
	switch coding {
	case "gzip", "x-gzip":
		from, err = gzip.NewReader(bytes.NewReader(data))
	case "deflate":
		if from, err = zlib.NewReader(bytes.NewReader(data)); err != nil { // some programs omit the zlib header
			from, err = flate.NewReader(bytes.NewReader(data)), nil
		}
	default:
		return nil, "it is coded with " + strconv.QuoteToASCII(coding[:min(len(coding), maxCoding)])
	}
	if err == nil {
		plain, err = io.ReadAll(io.LimitReader(from, int64(most)+1))
	}
	if err != nil {
		return nil, "it is not valid " + coding
	}
	return plain, ""
}

// maxReason limits the quoted part of a reason.
const maxReason = 40

// StatusText returns the status and the reason of an answer for use in sentences, such as "HTTP 404 Not Found".
func (r *Response) StatusText() string {
	reason := strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return -1
		}
		return c
	}, string(r.Reason[:min(len(r.Reason), maxReason)]))
	return strings.TrimSpace(fmt.Sprintf("HTTP %d %s", r.Status, reason))
}

// What returns the method and the target of a request for use in sentences, such as "GET /master.json".
func (r *Request) What() string {
	text := strings.ToValidUTF8(string(r.Method)+" "+string(r.Target), "?")
	if text = strings.TrimSpace(text); len(text) > maxWhat {
		text = strings.ToValidUTF8(text[:maxWhat], "") + "..."
	}
	return text
}

// maxWhat limits the quoted part of a request.
const maxWhat = 60

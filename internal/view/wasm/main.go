//go:build js && wasm

// Package wasm is the program in browsers: it hands a view to the worker of the page, see view/web/worker.js. The worker
// gets globalThis.gamedissect with
//
//	open(files, options)     // a file is {name, size, read}
//	call(operation, request) // the request is a text in JSON, and so are the options
//
// read(offset, length) gives a Uint8Array, or a text that says what is wrong. Both give an answer in JSON; that of open
// is that of the operation state. There is one capture at a time: the next one takes the place of the one before.
//
// What may not enter: anything that a view served without a browser would want as well.
package wasm

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"syscall/js"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/view"
)

// Main is the main function of the program, for these protocols.
func Main(protocols []*wire.Protocol) {
	var open *view.View
	js.Global().Set("gamedissect", map[string]any{
		"open": js.FuncOf(func(_ js.Value, args []js.Value) any {
			if open != nil {
				_ = open.Close() // it was only read
				open = nil       // before memory is taken for the next one
			}
			o, err := options(protocols, args[1].String())
			if err != nil {
				return string(view.Failed(err))
			}
			var files []view.File
			for i := range args[0].Length() {
				f := args[0].Index(i)
				files = append(files, view.File{Reader: reader{f}, Size: int64(f.Get("size").Float()), Name: f.Get("name").String()})
			}
			v, err := view.OpenAll(files, o)
			if err != nil {
				return string(view.Failed(err))
			}
			open = v
			return string(open.Call("state", nil))
		}),
		"call": js.FuncOf(func(_ js.Value, args []js.Value) any {
			if open == nil {
				return string(view.Failed(errors.New("no capture is open")))
			}
			return string(open.Call(args[0].String(), []byte(args[1].String())))
		}),
	})
	select {}
}

// options reads those of the page, see Setup in view/web.
func options(protocols []*wire.Protocol, text string) (view.Options, error) {
	o := view.Options{Protocols: protocols}
	var given struct {
		MaskSecrets bool `json:"mask_secrets"`
		Document    bool
		DecodeAs    []struct {
			TCP      bool
			Port     uint16
			Protocol string
		} `json:"decode_as"`
	}
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		return o, err
	}
	o.MaskSecrets = given.MaskSecrets
	if given.Document {
		o.Dialect = wire.Document
	}
	for _, as := range given.DecodeAs {
		transport := wire.UDP
		if as.TCP {
			transport = wire.TCP
		}
		i := slices.IndexFunc(protocols, func(p *wire.Protocol) bool { return p.Name == as.Protocol })
		if i < 0 {
			return o, errors.New("no protocol is called " + as.Protocol)
		}
		o.DecodeAs = append(o.DecodeAs, decode.DecodeAs{Transport: transport, Port: as.Port, Protocol: protocols[i]})
	}
	return o, nil
}

// A reader reads a file of the worker.
type reader struct{ file js.Value }

// ReadAt implements io.ReaderAt.
func (r reader) ReadAt(p []byte, at int64) (int, error) {
	data := r.file.Call("read", at, len(p))
	if data.Type() == js.TypeString {
		return 0, errors.New(data.String())
	}
	n := js.CopyBytesToGo(p, data)
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

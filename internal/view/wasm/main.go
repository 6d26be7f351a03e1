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
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"syscall/js"

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
			var given view.Reading
			err := json.Unmarshal([]byte(args[1].String()), &given)
			o, bad := given.Options(protocols)
			if err = cmp.Or(err, bad); err != nil {
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

type reader struct{ file js.Value }

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

//go:build js && wasm

// Package wasm runs a view in the browser for the page's worker, view/web/worker.js. It sets globalThis.gamedissect to
// an object with
//
//	open(files, options)         // a file is {name, size, read}
//	good(file)                   // opens a good capture to compare with
//	call(operation, request, of) // options and request are JSON texts; of is 0, or the number of a good capture
//
// read(offset, length) returns a Uint8Array, or a text with an error. The functions return an answer in JSON; open and
// good return the answer of the operation state. Only one capture can be open; opening another one closes it.
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

// Main is the program's main function. The view recognises protocols.
func Main(protocols []*wire.Protocol) {
	var open *view.View
	js.Global().Set("gamedissect", map[string]any{
		"open": js.FuncOf(func(_ js.Value, args []js.Value) any {
			if open != nil {
				_ = open.Close() // close errors do not matter for input
				open = nil       // release the memory of the old view first
			}
			var given view.Reading
			err := json.Unmarshal([]byte(args[1].String()), &given)
			o, bad := given.Options(protocols)
			if err = cmp.Or(err, bad); err != nil {
				return string(view.Failed(err))
			}
			var files []view.File
			for i := range args[0].Length() {
				files = append(files, fileOf(args[0].Index(i)))
			}
			v, err := view.OpenAll(files, o)
			if err != nil {
				return string(view.Failed(err))
			}
			open = v
			return string(open.Call("state", nil))
		}),
		"good": js.FuncOf(func(_ js.Value, args []js.Value) any {
			if open == nil {
				return string(view.Failed(errNothingOpen))
			}
			if err := open.AddGood(fileOf(args[0])); err != nil {
				return string(view.Failed(err))
			}
			return string(open.Call("state", nil))
		}),
		"call": js.FuncOf(func(_ js.Value, args []js.Value) any {
			if open == nil {
				return string(view.Failed(errNothingOpen))
			}
			return string(open.CallOf(args[2].Int(), args[0].String(), []byte(args[1].String())))
		}),
	})
	select {}
}

var errNothingOpen = errors.New("no capture is open")

func fileOf(f js.Value) view.File {
	return view.File{Reader: reader{f}, Size: int64(f.Get("size").Float()), Name: f.Get("name").String()}
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

package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// drop drags a file over a page without a capture and drops it.
func (b *tab) drop(name string) {
	b.t.Helper()
	b.until("a page that takes files", `document.querySelector("#file")`)
	b.letGo(name)
}

// letGo drags a file over the page and drops it.
func (b *tab) letGo(name string) {
	b.t.Helper()
	data := &input.DragData{Files: []string{absolute(b.t, name)}, Items: []*input.DragDataItem{}, DragOperationsMask: 1}
	var steps []chromedp.Action[chromedp.Void]
	for _, kind := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		steps = append(steps, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: 400, Y: 300, Data: data})
			return err
		}))
	}
	b.do(steps...)
}

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const (
	// browserVariable says what a machine without Chromium means: "required" fails the tests, anything else skips them.
	browserVariable = "KRAAL_BROWSER"
	pageWait        = 15 * time.Second
)

// chromium is a browser without a screen.
type chromium struct {
	t   testing.TB
	ctx context.Context
}

// newChromium starts Chromium, or skips the test where there is none.
func newChromium(t testing.TB) *chromium {
	t.Helper()
	path := findChromium()
	if path == "" {
		if os.Getenv(browserVariable) == "required" {
			t.Fatal("there is no Chromium, and these tests need one: install the package chromium")
		}
		t.Skip("NOT CHECKED: there is no Chromium on this machine; install the package chromium to test the page")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()), chromedp.Flag("disable-sync", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("lang", "en-GB"))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancelBrowser := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the end, so that its folder can go
		cancelBrowser()
		cancel()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return &chromium{t: t, ctx: ctx}
}

func findChromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

var screenshot = flag.Bool("screenshot", false, "draw the README's picture anew")

// window is a tab with a page of the sandbox.
type window struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	troubles []string // errors that the page's code met, and dialogs
}

// open opens an address in a tab of its own, of that size in pixels.
func (b *chromium) open(address string, width, height int64) *window {
	b.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	b.t.Cleanup(cancel)
	w := &window{t: b.t, ctx: ctx}
	// The tab lives as long as the context of its first action.
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height), focused); err != nil {
		b.t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, w.hear); err != nil {
		b.t.Fatal(err)
	}
	w.open(address)
	b.t.Cleanup(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, trouble := range w.troubles {
			b.t.Error("the page: " + trouble)
		}
	})
	return w
}

// focused lets a tab behave as the one in front, which only one of several can be.
func focused(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
	_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return chromedp.Void{}, err
}

// hear notes what must not happen.
func (w *window) hear(event any) {
	trouble := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		trouble = e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			trouble += " " + e.ExceptionDetails.Exception.Description
		}
	case *page.EventJavascriptDialogOpening:
		trouble = "a dialog says " + e.Message
	default:
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.troubles = append(w.troubles, trouble)
}

func (w *window) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, pageWait)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		w.t.Fatalf("%s: %v\n%s", what, err, w.seen())
	}
}

// until waits in the page until an expression is true.
func (w *window) until(what, expression string) {
	w.t.Helper()
	wait := fmt.Sprintf(`new Promise((ok) => { const end = Date.now() + %d;
		const look = () => { let is = false; try { is = Boolean(%s); } catch {} if (is || Date.now() > end) ok(is); else setTimeout(look, 15); };
		look(); })`, pageWait.Milliseconds()-2000, expression)
	if is, err := evaluate[bool](w, wait); err != nil || !is {
		w.t.Fatalf("waited for %s: %v\n%s", what, err, w.seen())
	}
}

// evaluate gives an expression's value; of a promise, what it was kept with.
func evaluate[T any](w *window, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(w.ctx, pageWait)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// ask is evaluate for what has to work.
func ask[T any](w *window, expression string) T {
	w.t.Helper()
	value, err := evaluate[T](w, expression)
	if err != nil {
		w.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// seen is what the page says, for a failure.
func (w *window) seen() string {
	text, _ := evaluate[string](w, `document.body.innerText`)
	return text
}

// quoted is a text in the page's language.
func quoted(s string) string {
	raw, _ := json.Marshal(s) // a text is always encodable
	return string(raw)
}

// shows waits until the messages say something.
func (w *window) shows(text string) {
	w.t.Helper()
	w.until(text, `document.querySelector("#messages").textContent.includes(`+quoted(text)+`)`)
}

// hasNot fails when the messages say something.
func (w *window) hasNot(text string) {
	w.t.Helper()
	if ask[bool](w, `document.querySelector("#messages").textContent.includes(`+quoted(text)+`)`) {
		w.t.Errorf("the page shows %q", text)
	}
}

// point is a place in a window.
type point struct{ X, Y float64 }

// rest brings an element into sight and gives its middle when it has come to rest: nobody can tap what moves.
func (w *window) rest(find string) point {
	w.t.Helper()
	return ask[point](w, `new Promise((ok) => {
		let last = "";
		const look = () => {
			const e = `+find+`;
			e?.scrollIntoView({ block: "nearest" });
			const b = e?.getBoundingClientRect();
			const now = b ? [b.left, b.top, b.width, b.height].join() : "gone";
			if (b && now === last) ok({ X: b.left + b.width / 2, Y: b.top + b.height / 2 });
			else setTimeout(look, 40);
			last = now;
		};
		look();
	})`)
}

// tap clicks, as a pointer does, on the last element that a selector finds with a text in it.
func (w *window) tap(selector, text string) {
	w.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll(%s)].filter((e) => !e.disabled && e.checkVisibility() && e.textContent.includes(%s)).at(-1)`, quoted(selector), quoted(text))
	w.until(selector+" "+text, find)
	at := w.rest(find)
	w.do("tap "+text, chromedp.MouseClickXY(at.X, at.Y))
}

// menuOf opens the menu of a right click on the last element that a selector finds.
func (w *window) menuOf(selector string) {
	w.t.Helper()
	at := w.rest(`[...document.querySelectorAll(` + quoted(selector) + `)].at(-1)`)
	w.do("right click", chromedp.MouseClickXY(at.X, at.Y, chromedp.ButtonRight))
	w.until("a menu", `document.querySelector("[role=menu]")`)
}

// keys types, key by key.
func (w *window) keys(text string) {
	w.t.Helper()
	w.do("type "+text, chromedp.KeyEvent(text))
}

// press presses a key that writes nothing, by its name: "Enter". What the page does on it takes the place of what the browser
// would, as with a real keyboard.
func (w *window) press(key string) {
	w.t.Helper()
	codes := map[string]int64{"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9, "Backspace": 8}
	event := input.DispatchKeyEventParams{Type: "keyDown", Key: key, Code: key, WindowsVirtualKeyCode: codes[key]}
	if key == "Enter" {
		event.Text = "\r"
	}
	w.do("press "+key, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, event)
		if err == nil {
			event.Type, event.Text = "keyUp", ""
			_, err = cdp.Call(ctx, t, input.DispatchKeyEvent, event)
		}
		return chromedp.Void{}, err
	})
}

func (w *window) focus(selector string) {
	w.t.Helper()
	w.do("focus "+selector, chromedp.Focus(selector))
}

// open goes to another address.
func (w *window) open(address string) {
	w.t.Helper()
	w.do("open "+address, chromedp.Navigate(address))
	w.until("the page to come alive", `document.querySelector("#channels a") !== null`)
}

// picture is the window as a PNG.
func (w *window) picture() []byte {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, pageWait)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		w.t.Fatal(err)
	}
	return picture
}

// command writes a command with the keyboard alone, each option as "name value", and sends it.
func (w *window) command(name string, options ...string) {
	w.t.Helper()
	w.begin(name)
	for _, o := range options {
		option, value, _ := strings.Cut(o, " ")
		w.option(option, value)
	}
	w.send()
}

// begin writes a command's name.
func (w *window) begin(name string) {
	w.t.Helper()
	w.focus("#composer textarea")
	w.keys("/" + name + " ")
	w.until("the command "+name, `document.querySelector("#composer .chip")?.innerText === `+quoted("/"+name))
}

// option goes to an option's field, which is there or is asked for, and writes a value; the first that is listed is taken.
func (w *window) option(name, value string) {
	w.t.Helper()
	focused := `document.activeElement.closest(".field")?.querySelector("label").innerText.startsWith(` + quoted(name) + `)`
	if !ask[bool](w, `Boolean(`+focused+`)`) {
		w.keys(name)
		w.press("Enter")
		w.until("the field "+name, focused)
	}
	w.keys(value)
	w.until("what fits "+value, `[...document.querySelectorAll(".picker:not([hidden]) [role=option]")].some((o) => o.innerText.toLowerCase().includes(`+
		quoted(strings.ToLower(value))+`))`)
	if !ask[bool](w, `document.activeElement.hasAttribute("aria-activedescendant")`) {
		w.press("ArrowDown")
	}
	w.press("Enter")
	w.until("another field", `!(`+focused+`)`)
}

// send sends what the composer holds.
func (w *window) send() {
	w.t.Helper()
	w.press("Enter")
	w.until("the command to go", `document.querySelector("#composer textarea")`)
}

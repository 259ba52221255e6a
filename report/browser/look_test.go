package browser

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// A look is a screen with a theme.
type look struct {
	name          string
	width, height int64
	scale         float64
	phone         bool
	theme         string
}

// looks are a desk and a phone, light and dark.
var looks = []look{
	{"desk-light", 1280, 900, 1, false, "light"},
	{"desk-dark", 1280, 900, 1, false, "dark"},
	{"phone-light", 390, 844, 2, true, "light"},
	{"phone-dark", 390, 844, 2, true, "dark"},
}

// look gives the browser a screen and a theme.
func (b *browser) look(t *testing.T, l look) {
	t.Helper()
	call(t, b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: l.width, Height: l.height, DeviceScaleFactor: l.scale, Mobile: l.phone})
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.theme}}})
}

// readable fails if the page that is open is wider than the screen, or has text that is hard to read.
func (b *browser) readable(t *testing.T, page string, l look) {
	t.Helper()
	if width := eval[int64](t, b, `document.documentElement.scrollWidth`); width > l.width {
		t.Errorf("%s, %s: %d pixels wide: %s", page, l.name, width, eval[string](t, b, widest))
	}
	for _, text := range eval[[]string](t, b, contrast) {
		t.Errorf("%s, %s: %s", page, l.name, text)
	}
}

// opened opens a page, and returns how long that takes at least. Each time, check looks at it.
func (b *browser) opened(t *testing.T, page string, check func()) time.Duration {
	t.Helper()
	b.open(t, page) // the program's own start is none of the page's
	var least time.Duration
	for range 3 {
		begin := time.Now()
		b.open(t, page)
		check()
		eval[int](t, b, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))`)
		if took := time.Since(begin); least == 0 || took < least {
			least = took
		}
	}
	return least
}

// widest names the elements that make the page too wide.
const widest = `[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest(".wide, pre")).slice(0, 5).map(e => e.tagName + "." + e.className + ": " + e.textContent.slice(0, 40)).join("; ")`

// contrast lists texts whose contrast with the background is below 4.5 (WCAG 2.1, 1.4.3).
const contrast = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
	const rgb = color => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = color;
		canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data];
	};
	const luminance = c => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {
		const v = c[i] / 255;
		return sum + w * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
	}, 0);
	const behind = e => {
		for (; e; e = e.parentElement) {
			const c = rgb(getComputedStyle(e).backgroundColor);
			if (c[3] === 255) return c;
		}
		return [255, 255, 255];
	};
	const bad = new Map();
	for (const e of document.querySelectorAll("body *")) {
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || e.closest("script, style, noscript, [hidden]") || !e.checkVisibility()) continue;
		const svg = e.closest("svg"), style = getComputedStyle(e);
		const a = luminance(rgb(svg ? style.fill : style.color)), b = luminance(behind(e));
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) bad.set(e.tagName + "." + (e.getAttribute("class") ?? ""), e.textContent.slice(0, 30) + ": " + ratio.toFixed(2));
	}
	return [...bad].map(([k, v]) => k + " " + v).slice(0, 10);
})()`

// screenshot leaves one of the whole page, if that is asked for.
func (b *browser) screenshot(t *testing.T, name string) {
	folder := os.Getenv("XCHECK_SCREENSHOTS")
	if folder == "" {
		return
	}
	// Groups that are not on the screen are left out by the browser: they would be blank.
	eval[bool](t, b, `(() => { for (const g of document.querySelectorAll(".group")) g.style.contentVisibility = "visible"; return true })()`)
	time.Sleep(200 * time.Millisecond)
	image, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), image, 0o666); err != nil {
		t.Fatal(err)
	}
}

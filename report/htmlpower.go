package report

import (
	"fmt"
	"html/template"
	"strings"
)

// A powerPart is the part of a page that says what the run has tried.
type powerPart struct {
	Text  string
	Curve template.HTML // "" if there are less than two points
}

// newPowerPart returns nil if the run had no inputs.
func newPowerPart(t *Summary) *powerPart {
	text := t.power()
	if text == "" {
		return nil
	}
	return &powerPart{text + ".", growth(t.Power().Curve, t.plural())}
}

// The size of the curve of signatures, and its margin, in the units of its picture.
const growthWidth, growthHeight, growthMargin = 480.0, 160.0, 16.0

// growth draws the number of signatures over the number of inputs. Both axes begin at 0.
func growth(curve []CurvePoint, inputs string) template.HTML {
	if len(curve) < 2 {
		return ""
	}
	last := curve[len(curve)-1]
	at := func(p CurvePoint) (x, y float64) {
		return growthWidth * float64(p.Inputs) / float64(last.Inputs),
			growthHeight - (growthHeight-growthMargin)*float64(p.Signatures)/float64(max(1, last.Signatures))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="curve" role="img" viewBox="0 0 %g %g" width="%g"><title>signatures over %s: %d after %d</title>`,
		growthWidth, growthHeight+growthMargin, growthWidth, escape(inputs), last.Signatures, last.Inputs)
	fmt.Fprintf(&b, `<path class="frame" d="M0 0V%gH%g"/><path class="line" d="M0 %g`, growthHeight, growthWidth, growthHeight)
	for _, p := range curve {
		x, y := at(p)
		fmt.Fprintf(&b, "L%.1f %.1f", x, y)
	}
	x, y := at(last)
	fmt.Fprintf(&b, `"/><circle cx="%.1f" cy="%.1f" r="2.5"/>`, x, y)
	fmt.Fprintf(&b, `<text x="%g" y="%.1f" text-anchor="end">%d</text>`, growthWidth, y-6, last.Signatures)
	fmt.Fprintf(&b, `<text x="0" y="%g">0</text><text x="%g" y="%g" text-anchor="end">%d</text></svg>`,
		growthHeight+growthMargin-3, growthWidth, growthHeight+growthMargin-3, last.Inputs)
	return template.HTML(b.String())
}

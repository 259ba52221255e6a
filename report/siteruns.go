package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// The size of the picture of a cause over the runs, in the units of the picture.
const (
	barsWidth, barsHeight, barsMargin = 720.0, 72.0, 6.0
	barsWidest                        = 18.0
)

// occurrencePicture draws how many inputs of each run show a cause: a bar in the colour of its
// state. A line at the bottom stands for a run with a cause that is fixed, a gap for one that could
// not tell. It has the newest runs, and dotted lines where the version of the translator changed.
func occurrencePicture(runs []causeRun, noun string) template.HTML {
	shown := runs[max(0, len(runs)-maxTrendRuns):]
	fixed, most := false, 1
	for i := range runs {
		if told := runs[i].Told; told != nil {
			most = max(most, told.Formulas)
			if i < len(runs)-len(shown) {
				fixed = told.State == outcome.StateFixed
			}
		}
	}
	step := min(barsWidest, (barsWidth-2*barsMargin)/float64(max(1, len(shown))))
	width := 2*barsMargin + step*float64(len(shown))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="bars" role="img" preserveAspectRatio="none" viewBox="0 0 %.1f %g" width="%.1f" height="%g"><title>%s</title>`, width, barsHeight, width, barsHeight,
		escape(fmt.Sprintf("%s that show it in the last %s, at most %d", plural.Word(noun), plural.Of(len(shown), "run"), most)))
	for i := range shown {
		run := &shown[i]
		x := barsMargin + step*float64(i)
		if i > 0 && run.Version != shown[i-1].Version {
			fmt.Fprintf(&b, `<path class="version" d="M%.1f 0V%g"/>`, x, barsHeight)
		}
		if run.Told != nil {
			fixed = run.Told.State == outcome.StateFixed
		}
		height, state, title := 0.0, outcome.StateFixed, runWithDay(&run.RunID)+": "
		switch {
		case fixed:
			height = 3
			title += "fixed"
		case run.Told == nil:
			continue
		default:
			state = run.Told.State
			height = 8 + (barsHeight-barsMargin-10)*float64(run.Told.Formulas)/float64(most)
			title += fmt.Sprintf("%s, %s", state, plural.Of(run.Told.Formulas, noun))
		}
		fmt.Fprintf(&b, `<path class="bar" data-state="%s" d="M%.1f %gv-%.1fh%.1fv%.1fz"><title>%s</title></path>`,
			state, x+step*0.12, barsHeight-2, height, step*0.76, height, escape(title))
	}
	fmt.Fprintf(&b, `<path class="ground" d="M%g %gH%.1f"/></svg>`, barsMargin, barsHeight-1, width-barsMargin)
	return template.HTML(b.String())
}

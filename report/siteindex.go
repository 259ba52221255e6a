package report

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Bounds of the index.
const (
	siteRuns = 400 // rows of the table of runs: the newest
	siteNews = 6   // causes that are named in one of them
)

// A siteIndex is the index of a site.
type siteIndex struct {
	siteFrame
	Level, Verdict string
	Facts          facts
	Translators    []string
	Rows           []*siteRow
	Standing       []siteStanding
	Runs           []siteRunRow
	Earlier        int // runs that are not listed
	Trend          *trendTable
	Fixed          *FixedCurves
}

// A siteStanding is how many causes have a state, of one translator or more; "open" is all but
// fixed.
type siteStanding struct {
	State string
	Count int
}

// A siteRunRow is a run, with what is new in it.
type siteRunRow struct {
	*SiteRun
	News  []*siteCell
	More  int // news that are not named
	Known int // causes that are known
}

func (s *Site) index(frame siteFrame, rows []*siteRow) ([]byte, error) {
	frame.Title = "xcheck: " + line(s.Name, 60)
	x := &siteIndex{siteFrame: frame, Translators: s.Translators(), Rows: rows, Fixed: s.Fixed}
	count := func(fits func(outcome.State) bool) int { return countRows(rows, fits) }
	open := count(func(state outcome.State) bool { return state != outcome.StateFixed })
	x.Standing = []siteStanding{{"open", open}}
	for _, state := range outcome.States {
		if n := count(func(of outcome.State) bool { return of == state }); n > 0 {
			x.Standing = append(x.Standing, siteStanding{string(state), n})
		}
	}
	x.Level = "good"
	switch news := count(func(state outcome.State) bool { return state == outcome.StateNew || state == outcome.StateBackAgain }); {
	case news > 0:
		x.Level, x.Verdict = "bad", fmt.Sprintf("%s open: %d new or back again", plural.Of(open, "cause"), news)
	case open > 0:
		x.Level, x.Verdict = "poor", fmt.Sprintf("%s open: none new", plural.Of(open, "cause"))
	case len(rows) > 0:
		x.Verdict = fmt.Sprintf("No open causes, %d fixed", len(rows))
	default:
		x.Verdict = "No failures in any run"
	}
	if n := len(s.Runs); n > 0 {
		x.Facts.add("runs", fmt.Sprintf("%d, from %s to %s", n, day(&s.Runs[0].RunID), day(&s.Runs[n-1].RunID)))
		x.Facts.add("last run", fmt.Sprintf("%s: %s", runTitle(&s.Runs[n-1].RunID), s.Runs[n-1].Ended))
	}
	x.Earlier = max(0, len(s.Runs)-siteRuns)
	x.Runs = s.runRows(rows)[x.Earlier:]
	slices.Reverse(x.Runs)
	if s.Fixed != nil {
		x.Trend = s.trend(rows)
	}
	var b bytes.Buffer
	err := siteTemplate().ExecuteTemplate(&b, "index", x)
	return b.Bytes(), err
}

// countRows returns how many causes have a translator for which the state fits.
func countRows(rows []*siteRow, fits func(outcome.State) bool) (n int) {
	for _, row := range rows {
		if slices.ContainsFunc(row.Cells, func(x *siteCell) bool { return x != nil && fits(x.State) }) {
			n++
		}
	}
	return n
}

// runRows returns the runs, each with the causes that are new or back again, or fixed.
func (s *Site) runRows(rows []*siteRow) []siteRunRow {
	list := make([]siteRunRow, len(s.Runs))
	place := map[int64]*siteRunRow{}
	for i := range s.Runs {
		list[i] = siteRunRow{SiteRun: &s.Runs[i]}
		place[s.Runs[i].Run] = &list[i]
	}
	for _, row := range rows {
		known := map[*siteRunRow]bool{}
		for _, cell := range row.Cells {
			if cell == nil {
				continue
			}
			for i := range cell.cause.Occurrences {
				o := &cell.cause.Occurrences[i]
				run := place[o.Run]
				switch {
				case run == nil:
				case o.State == outcome.StateKnown:
					known[run] = true
				case len(run.News) == siteNews:
					run.More++
				default:
					then := *cell
					then.State, then.About = o.State, line(cell.Translator, 30)+": "+line(ClassName(cell.cause.Class), 40)+": "+line(row.Formula, 60)
					run.News = append(run.News, &then)
				}
			}
		}
		for run := range known {
			run.Known++
		}
	}
	return list
}

// trend returns the curves over the runs on fixed formulas, with one of the causes that were open.
func (s *Site) trend(rows []*siteRow) *trendTable {
	t := newTrendTable(s.Fixed.Runs, plural.Word(s.Noun))
	if t == nil {
		return nil
	}
	var open []float64
	for _, run := range t.Runs {
		n := 0
		for _, row := range rows {
			if slices.ContainsFunc(row.Cells, func(x *siteCell) bool { return x != nil && x.cause.openAt(&run.RunID) }) {
				n++
			}
		}
		open = append(open, float64(n))
	}
	// What is new depends on random formulas.
	t.Counts = append([]trendCurve{newTrendCurve("open causes", open, nil, true)}, t.Counts[:2]...)
	return t
}

// openAt reports whether the cause was met before the end of a run, and not fixed.
func (c *SiteCause) openAt(run *outcome.RunID) (open bool) {
	for i := range c.Occurrences {
		x := &c.Occurrences[i]
		if x.Run > run.Run {
			break
		}
		open = x.State != outcome.StateFixed
	}
	return open
}

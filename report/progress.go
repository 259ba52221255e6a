package report

import (
	"fmt"
	"io"
	"time"
)

// Progress keeps a line on a terminal up to date: how many formulas are done, of
// how many, how fast, and what was found.
type Progress struct {
	W     io.Writer
	Total int // 0: not known

	start, last time.Time
	shown       bool
}

// Update shows the line, at most ten times a second.
func (p *Progress) Update(t *Tally) {
	now := time.Now()
	if p.start.IsZero() {
		p.start = now
	}
	if now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.shown = now, true
	line := fmt.Sprintf("%d", t.Summary.Formulas)
	if p.Total > 0 {
		line = fmt.Sprintf("%d/%d", t.Summary.Formulas, p.Total)
	}
	if s := now.Sub(p.start).Seconds(); s > 0.5 {
		line += fmt.Sprintf(" formulas, %.1f/s", float64(t.Summary.Formulas)/s)
	} else {
		line += " formulas"
	}
	line += fmt.Sprintf(", %d disagreeing, %d failures", t.Summary.Disagreeing, t.Summary.Failures)
	fmt.Fprintf(p.W, "\r\x1b[K%s", line)
}

// Clear takes the line away, so that something else can be printed.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.W, "\r\x1b[K")
		p.shown = false
	}
}

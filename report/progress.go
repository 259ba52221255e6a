package report

import (
	"fmt"
	"io"
	"strings"
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
	done := t.Summary.Formulas + t.Summary.Unreadable
	line := fmt.Sprintf("%d", done)
	if p.Total > 0 {
		line = fmt.Sprintf("%d/%d", done, p.Total)
	}
	if s := now.Sub(p.start).Seconds(); s > 0.5 {
		line += fmt.Sprintf(" %s, %.1f/s", t.plural(), float64(done)/s)
	} else {
		line += " " + t.plural()
	}
	line += fmt.Sprintf(", %d disagreeing, %s", t.Summary.Disagreeing, failures(t))
	fmt.Fprintf(p.W, "\r\x1b[K%s", line)
}

// Clear takes the line away, so that something else can be printed.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.W, "\r\x1b[K")
		p.shown = false
	}
}

// failures says how many calls failed, and of whom if these are few: the line must
// not be longer than the terminal is wide.
func failures(t *Tally) string {
	var who []string
	for _, x := range t.Translators {
		if x.failed() > 0 {
			who = append(who, x.Name)
		}
	}
	text := count(t.Summary.Failures, "failure")
	switch names := strings.Join(who, ", "); {
	case len(who) == 0:
	case len(names) <= 30:
		text += " (" + names + ")"
	default:
		text += " of " + count(len(who), "translator")
	}
	return text
}

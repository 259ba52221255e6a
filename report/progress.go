package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Progress shows how far a run is: the formulas done, their total, the recent speed, the
// time left, and what was found. If one process or check takes long, it names it.
//
// On a terminal, these are one or two lines at the bottom. They are updated even if no formula
// completes, so a slow formula does not look like a hang. Failures are told above these lines as soon
// as they are known. Other output to the terminal goes through [Progress.Above]. In a log, Progress
// writes one line per minute, with the time and without escape codes. A run of less than a minute
// writes none.
//
// Many goroutines may use a Progress. Do not change the fields after Start.
type Progress struct {
	W io.Writer
	// Width returns the number of columns of the terminal W. It is called each time, because
	// terminals are resized. It is nil if W is a log. Fold is Width for a log on a terminal on which
	// nothing can be drawn; nil for other logs, whose lines have any length.
	Width, Fold func() int
	Color       bool // of failures
	// Always makes a log show the start and the end, even for a short run.
	Always   bool
	Total    int       // formulas; 0: not known
	Deadline time.Time // when the run stops starting formulas; zero: never
	// Longest returns what has been under way for the longest time, and since when. If there
	// is nothing, it returns zero values. It may be nil.
	Longest func() (what string, since time.Time)

	mu      sync.Mutex
	state   state
	phase   string
	aside   string          // work beside the formulas, or ""
	told    map[string]bool // failures that have a line
	news    []note          // lines about failures
	moments []moment        // one a second, of the last minute
	last    time.Time       // when a formula was finished; at first, the start
	next    time.Time
	shown   []string // lines on the terminal
	columns int      // of the terminal, when they were written
	resized time.Time
	midline bool // what was printed above did not end a line
	broken  bool // W can't be written
	stop    chan struct{}
	stopped sync.WaitGroup
}

// A state is what Update knows.
type state struct {
	done        int
	noun        string
	disagreeing int
	failures    string // of whom, and how many, most first
}

// A note is a line about a failure. In a log, it is written some time after it was made: a run that ends
// before says the same in its report.
type note struct {
	at   time.Time
	text string
}

// A moment is how many formulas were done at a time.
type moment struct {
	at   time.Time
	done int
}

const (
	redraw = 200 * time.Millisecond
	// late is what the speed is taken over.
	late = time.Minute
	// long is what something takes that is worth a line.
	long = 10 * time.Second
	// calm is how long a terminal has kept its width before lines are drawn again that may
	// not fit any more.
	calm = time.Second
	// soon is how old a failure is when the log tells of it.
	soon = 2 * time.Second
	// maxTold is how many failures have a line.
	maxTold = 20
)

// Start starts showing progress. Call Stop at the end.
func (p *Progress) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.noun = cmp.Or(p.state.noun, "formulas")
	p.moment(time.Now())
	p.last = time.Now()
	p.next = time.Now().Add(time.Minute)
	every := redraw
	// A log has to see only when a minute or a failure is due.
	if p.Width == nil {
		if every = 250 * time.Millisecond; p.Always {
			p.log(time.Now())
		}
	}
	p.stop = make(chan struct{})
	p.stopped.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.tick()
			case <-p.stop:
				return
			}
		}
	})
}

// Stop removes the lines, and stops showing progress.
func (p *Progress) Stop() {
	if p.stop == nil {
		return // it was not started
	}
	close(p.stop)
	p.stopped.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	if p.Width == nil && p.Always {
		p.phase = "ended"
		p.log(time.Now())
	}
}

// Update sets the current state of the run: its totals so far, and how many cases are complete that
// the totals do not have yet.
func (p *Progress) Update(t *Summary, more int) {
	t = cmp.Or(t, NewSummary(nil))
	s := state{done: t.Counts.Formulas + t.Counts.Unreadable + more, noun: t.plural(), disagreeing: t.Counts.Disagreeing, failures: failing(t)}
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.done != p.state.done {
		p.last = time.Now()
	}
	p.state = s
}

// Phase names the work after the last formula, or "" before that. It replaces the speed and
// the time left.
func (p *Progress) Phase(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.phase = what
}

// Aside names work that goes on beside the formulas, or "".
func (p *Progress) Aside(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.aside = what
}

// Failures tells of the failures so far that are new, and of those whose formula was shrunk.
func (p *Progress) Failures(list []outcome.Cause) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range list {
		c := &failure{Group: list[i].Group(list[i].Translators), cause: &list[i]}
		if len(c.Translators) == 0 {
			continue
		}
		name, what := c.Translators[0]+" "+c.Class.Category().String(), "failure"
		if c.cause.Ground {
			name, what = c.Translators[0]+" "+c.Key, "shrunk"
		}
		if p.told[name] || len(p.told) == maxTold {
			continue
		}
		if p.told == nil {
			p.told = map[string]bool{}
		}
		p.told[name] = true
		p.news = append(p.news, note{time.Now(), what + ": " + c.inLine(p.Color)})
	}
}

// failing says how many calls failed of whom, most first.
func failing(t *Summary) string {
	var list []string
	tools := slices.DeleteFunc(slices.Clone(t.Translators), func(x *ToolStats) bool { return x.failures() == 0 })
	slices.SortStableFunc(tools, func(a, b *ToolStats) int { return b.failures() - a.failures() })
	for _, x := range tools {
		list = append(list, fmt.Sprintf("%s %d", x.Name, x.failures()))
	}
	return shortList(list)
}

func (p *Progress) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.moment(now)
	if p.Width != nil {
		if len(p.news) > 0 && !p.midline {
			p.clear()
			for _, x := range p.news {
				p.write(strings.Join(table.Wrap(x.text, p.Width()-1, "    "), "\r\n") + "\r\n")
			}
			p.news = nil
		}
		p.draw(now)
		return
	}
	// A line may only begin where the output has ended one.
	for !p.midline && len(p.news) > 0 && now.Sub(p.news[0].at) >= soon {
		p.record(p.news[0].at, p.news[0].text)
		p.news = p.news[1:]
	}
	if !now.Before(p.next) && !p.midline {
		p.log(now)
	}
}

// moment takes note of how many formulas are done, once a second.
func (p *Progress) moment(now time.Time) {
	if n := len(p.moments); n > 0 && now.Sub(p.moments[n-1].at) < time.Second {
		return
	}
	p.moments = append(p.moments, moment{now, p.state.done})
	for len(p.moments) > 2 && now.Sub(p.moments[1].at) >= late {
		p.moments = p.moments[1:]
	}
}

func (p *Progress) log(now time.Time) {
	p.next = now.Add(time.Minute)
	p.record(now, strings.Join(p.lines(now), "; "))
}

// record writes a line to the log.
func (p *Progress) record(at time.Time, text string) {
	text = at.Format(time.RFC3339) + " " + text
	if p.Fold != nil {
		text = strings.Join(table.Wrap(text, p.Fold()-1, "    "), "\n")
	}
	p.write(text + "\n")
}

// lines are the line that there is always, and that for what takes long.
func (p *Progress) lines(now time.Time) []string {
	s := &p.state
	parts := []string{fmt.Sprintf("%d %s", s.done, s.noun)}
	if p.Total > 0 {
		parts[0] = fmt.Sprintf("%d/%d %s", s.done, p.Total, s.noun)
	}
	if p.phase != "" {
		parts = append(parts, p.phase)
	} else {
		parts = append(parts, p.speed(now)...)
	}
	parts = append(parts, fmt.Sprintf("%d disagreeing", s.disagreeing))
	if s.failures != "" {
		parts = append(parts, "failed calls: "+s.failures)
	}
	lines := []string{printable(strings.Join(parts, ", "))}
	if p.Longest != nil {
		if what, since := p.Longest(); !since.IsZero() && now.Sub(since) >= long {
			lines = append(lines, printable(fmt.Sprintf("running for %s: %s", span(now.Sub(since)), cut(what, 200))))
		}
	}
	if p.aside != "" {
		lines = append(lines, printable(p.aside))
	}
	return lines
}

// inLine returns who fails, how, on which formula and on which word.
func (f *failure) inLine(color bool) string {
	t := Text{Color: color}
	of := yellow
	if !f.Class.IsCall() {
		of = red
	}
	text := fmt.Sprintf("%s: %s: %s", f.Translators[0], t.paint(of, f.Name()), t.paint(bold, cut(f.smallest(), maxWidth)))
	if f.Word != "" {
		text += ", word " + sized(line(f.Word, 40), f.Size, f.Shortest)
	}
	return printable(text)
}

// speed says how many formulas are done in a second of late, and how much time is left.
func (p *Progress) speed(now time.Time) (parts []string) {
	first, last := p.moments[0], p.moments[len(p.moments)-1]
	took, done := last.at.Sub(first.at), last.done-first.done
	left := time.Duration(-1)
	switch {
	case took == 0 || done <= 0 && now.Sub(p.last) < time.Second: // too early to say
	case done <= 0:
		parts = append(parts, "no progress for "+span(now.Sub(p.last)))
	default:
		perSecond := float64(done) / took.Seconds()
		parts = append(parts, rate(perSecond))
		if p.Total > 0 {
			const most = 1e9 // seconds
			left = time.Duration(min(float64(max(0, p.Total-p.state.done))/perSecond, most) * float64(time.Second))
		}
	}
	if !p.Deadline.IsZero() {
		if rest := max(0, p.Deadline.Sub(now)); left < 0 || rest < left { // whatever ends first
			left = rest
		}
	}
	if left >= 0 {
		parts = append(parts, span(left)+" left")
	}
	return parts
}

// rate writes a number a second in two or three digits, or what comes in a longer time.
func rate(perSecond float64) string {
	for _, unit := range []struct {
		name  string
		times float64
	}{{"s", 1}, {"min", 60}} {
		switch x := perSecond * unit.times; {
		case x >= 9.95:
			return fmt.Sprintf("%.0f/%s", x, unit.name)
		case x >= 0.995:
			return fmt.Sprintf("%.1f/%s", x, unit.name)
		}
	}
	return fmt.Sprintf("%.1f/h", perSecond*3600)
}

// span writes a duration in one or two units.
func span(d time.Duration) string {
	switch s := int64(d / time.Second); {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case s < 3600:
		return fmt.Sprintf("%dm", s/60)
	case s < 24*3600:
		return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
	default:
		return fmt.Sprintf("%dd%02dh", s/(24*3600), s/3600%24)
	}
}

// printable returns text as a part of a line: names may have anything.
func printable(text string) string {
	return screen.Escape(strings.NewReplacer("\n", " ", "\t", " ").Replace(text))
}

// cut shortens text to a number of columns.
func cut(text string, columns int) string { return table.Terminal.Truncate(text, columns, "…") }

func (p *Progress) draw(now time.Time) {
	width := p.Width()
	narrower := width < p.columns
	p.columns = width
	if narrower && (p.shown == nil || slices.ContainsFunc(p.shown, func(line string) bool { return table.Terminal.StringWidth(line) > width })) {
		// Some terminals fold lines then, others cut them off; so it is not known how far up the
		// first one is, and to go too far would take away what is not ours. At worst what was there
		// when that began stays: nothing is drawn until the terminal keeps its width.
		p.clear()
		p.resized = now
	}
	if p.midline || now.Sub(p.resized) < calm {
		return
	}
	lines := p.lines(now)
	for i := range lines {
		// ^C is written behind the last line by the terminal, and is to fit there.
		lines[i] = cut(lines[i], max(1, width-3))
	}
	if slices.Equal(lines, p.shown) {
		return
	}
	text := p.home() + strings.Join(lines, "\x1b[K\r\n") + "\x1b[K"
	if len(lines) < len(p.shown) {
		text += "\x1b[J" // clear the rest of the earlier lines
	}
	p.shown = lines
	p.write(text)
}

// home moves the cursor to where the lines begin.
func (p *Progress) home() string {
	return "\r" + strings.Repeat("\x1b[A", max(0, len(p.shown)-1))
}

// clear takes the lines away, so that something else can be printed.
func (p *Progress) clear() {
	if p.shown != nil {
		p.write(p.home() + "\x1b[J")
		p.shown = nil
	}
}

// write writes to the terminal or log. If that fails once it is given up: nobody looks.
func (p *Progress) write(text string) {
	if !p.broken {
		p.broken = screen.Write(p.W, text) != nil
	}
}

// Above returns a writer for other output to the terminal or log of p.W. The output appears
// above the lines, which return after its end of line.
func (p *Progress) Above(w io.Writer) io.Writer { return above{p, w} }

type above struct {
	*Progress
	w io.Writer
}

func (a above) Write(text []byte) (int, error) { return a.pass(text, a.w.Write) }

// WriteSafe is for screen.Write.
func (a above) WriteSafe(text []byte) (int, error) {
	return a.pass(text, func(text []byte) (int, error) { return len(text), screen.Write(a.w, string(text)) })
}

func (a above) pass(text []byte, write func([]byte) (int, error)) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(text) > 0 {
		a.clear()
	}
	n, err := write(text)
	if n > 0 {
		a.midline = text[n-1] != '\n'
	}
	return n, err
}

package report_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// done returns a summary of n formulas.
func done(n int) *report.Summary {
	t := report.NewSummary(nil)
	t.Counts.Formulas = n
	return t
}

// at is a time on the clock of a bubble of synctest, as logs have it.
func at(since time.Duration) string {
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(since).Local().Format(time.RFC3339)
}

// A buffer is one for many goroutines.
type buffer struct {
	mu   sync.Mutex
	text []byte
}

func (b *buffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, text...)
	return len(text), nil
}

// take returns what was written since the last call.
func (b *buffer) take() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := string(b.text)
	b.text = nil
	return text
}

// stepper returns a function that lets time pass, and compares what has been written then.
func stepper(t *testing.T, b *buffer) func(after time.Duration, want string) {
	return func(after time.Duration, want string) {
		t.Helper()
		time.Sleep(after)
		synctest.Wait()
		if got := b.take(); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// TestLive: the bytes that a terminal gets. The lines are drawn five times a second, if they
// have changed; what is printed takes their place, and they come back below it.
func TestLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b buffer
		var busy atomic.Pointer[time.Time] // nil: nothing takes long
		p := &report.Progress{W: &b, Width: func() int { return 60 }, Total: 100,
			Longest: func() (string, time.Time) {
				if since := busy.Load(); since != nil {
					return "spin on the formula a U b", *since
				}
				return "", time.Time{}
			}}
		out := p.Above(&b)
		step := stepper(t, &b)
		p.Start()
		step(100*time.Millisecond, "")
		step(200*time.Millisecond, "\r0/100 formulas, 0 disagreeing\x1b[K")
		step(800*time.Millisecond, "\r0/100 formulas, no progress for 1s, 0 disagreeing\x1b[K")
		p.Update(done(10), 0)
		step(200*time.Millisecond, "\r10/100 formulas, 0 disagreeing\x1b[K")
		step(800*time.Millisecond, "\r10/100 formulas, 5.0/s, 18s left, 0 disagreeing\x1b[K")
		since := time.Now().Add(-9900 * time.Millisecond)
		busy.Store(&since)
		step(200*time.Millisecond, "\r10/100 formulas, 5.0/s, 18s left, 0 disagreeing\x1b[K\r\nrunning for 10s: spin on the formula a U b\x1b[K")
		fmt.Fprint(out, "found ")
		step(time.Second, "\r\x1b[A\x1b[Jfound ")
		fmt.Fprint(out, "something\n")
		busy.Store(nil)
		step(0, "something\n")
		step(800*time.Millisecond, "\r10/100 formulas, 3.3/s, 27s left, 0 disagreeing\x1b[K\r10/100 formulas, 2.5/s, 36s left, 0 disagreeing\x1b[K")
		fmt.Fprint(out, "")
		p.Phase("making formulas small")
		step(200*time.Millisecond, "\r10/100 formulas, making formulas small, 0 disagreeing\x1b[K")
		p.Stop()
		step(time.Hour, "\r\x1b[J")
	})
}

// TestOfLate: the speed is measured over the last minute. The time left follows from it, or
// from the deadline if that is sooner.
func TestOfLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b buffer
		p := &report.Progress{W: &b, Width: func() int { return 80 }, Total: 100_000, Deadline: time.Now().Add(8 * time.Hour)}
		p.Start()
		time.Sleep(100 * time.Millisecond) // between ticks
		n := 0
		run := func(seconds, each int) string {
			for range seconds {
				n += each
				p.Update(done(n), 0)
				time.Sleep(time.Second)
			}
			synctest.Wait()
			line := b.take()
			return strings.TrimSuffix(line[strings.LastIndex(line, "\r")+1:], ", 0 disagreeing\x1b[K")
		}
		for _, step := range []struct {
			seconds, each int
			want          string
		}{
			{70, 100, "7000/100000 formulas, 100/s, 15m left"},
			{30, 0, "7000/100000 formulas, 50/s, 31m left"},
			{40, 0, "7000/100000 formulas, no progress for 1m10s, 7h57m left"},
			{120, 1, "7120/100000 formulas, 1.0/s, 7h55m left"},
		} {
			if got := run(step.seconds, step.each); got != step.want {
				t.Errorf("got %q, want %q", got, step.want)
			}
		}
		p.Stop()
	})
}

// TestLog: a line a minute, nothing of a run that is shorter, and if always, a line at the
// start and one at the end. A line of the report that is not complete is not cut in two.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b buffer
		p := &report.Progress{W: &b, Deadline: time.Now().Add(time.Hour),
			Longest: func() (string, time.Time) { return "a check of \x1b[2J", time.Now().Add(-time.Minute) }}
		step, start := stepper(t, &b), time.Now()
		p.Start()
		step(59500*time.Millisecond, "")
		p.Update(done(6), 0)
		step(time.Second, at(time.Minute)+" 6 formulas, 6.0/min, 59m left, 0 disagreeing; running for 1m00s: a check of \\u001b[2J\n")
		out := p.Above(&b)
		fmt.Fprint(out, "disagreement on ")
		step(time.Minute, "disagreement on ")
		fmt.Fprint(out, "a U b\n")
		step(time.Second, "a U b\n"+at(2*time.Minute)+" 6 formulas, no progress for 1m01s, 57m left, 0 disagreeing; running for 1m00s: a check of \\u001b[2J\n")
		p.Stop()
		step(time.Hour, "")

		began := time.Since(start)
		p = &report.Progress{W: &b, Total: 5, Always: true}
		p.Start()
		step(3*time.Second, at(began)+" 0/5 formulas, 0 disagreeing\n")
		p.Update(done(5), 0)
		p.Stop()
		step(time.Hour, at(began+3*time.Second)+" 5/5 formulas, ended, 0 disagreeing\n")
	})
}

// TestFailing: the line names who fails most, and how often.
func TestFailing(t *testing.T) {
	tools, cases := twoCases(t)
	summary := report.NewSummary(tools)
	summary.Add(cases[1])
	for i := range 7 {
		summary.Translators = append(summary.Translators, &report.ToolStats{Name: fmt.Sprint("t", i), Statuses: map[outcome.Status]int{"ok": 9, "exit": 1, "crash": i}})
	}
	synctest.Test(t, func(t *testing.T) {
		var b buffer
		p := &report.Progress{W: &b, Always: true}
		p.Update(summary, 0)
		p.Start()
		p.Stop()
		line, _, _ := strings.Cut(b.take(), "\n")
		if want := at(0) + " 1 formulas, 0 disagreeing, failed calls: t6 7, t5 6, t4 5, t3 4, 4 more"; line != want {
			t.Errorf("got %q, want %q", line, want)
		}
	})
}

// TestFailures: a terminal has a line for each failure as soon as it is known, and one more when its
// formula was shrunk. In a log, they are some seconds old. On a terminal on which nothing can be drawn, a log fits the width.
func TestFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		extra := outcome.Cause{Record: outcome.Record{Translators: []string{"mine"}, Class: outcome.Extra.Class(), Formulas: 1, Formula: "G(a -> X(b M (c U Xa)))", Word: "cycle{!a}", Size: 1, Shortest: true}}
		crash := outcome.Cause{Record: outcome.Record{Translators: []string{"mine"}, Class: outcome.ParseClass("crash 11: no edge"), Formulas: 7, Formula: "Xa"}}
		shrunk := extra
		shrunk.Formulas, shrunk.Ground, shrunk.Formula, shrunk.Key = 2, true, "b M a", "words | p0 M p1"
		var screen, log buffer
		terminal := &report.Progress{W: &screen, Width: func() int { return 79 }, Total: 9}
		lines := &report.Progress{W: &log, Fold: func() int { return 79 }, Total: 9}
		terminal.Start()
		lines.Start()
		time.Sleep(100 * time.Millisecond)
		for _, c := range []struct {
			rows        []outcome.Cause
			aside       string
			screen, log string
		}{
			{[]outcome.Cause{extra}, "shrinking for mine", "" +
				"failure: mine: extra words: G(a -> X(b M (c U Xa))), word cycle{!a} (shortest:\r\n    1 letter)\r\n|" +
				"0/9 formulas, no progress for 3s, 0 disagreeing\x1b[K\r\nshrinking for mine\x1b[K",
				"failure: mine: extra words: G(a -> X(b M (c U Xa))), word\n    cycle{!a} (shortest: 1 letter)\n"},
			{[]outcome.Cause{shrunk, crash}, "", "\r\x1b[A\x1b[J" +
				"shrunk: mine: extra words: b M a, word cycle{!a} (shortest: 1 letter)\r\n" +
				"failure: mine: crash (SIGSEGV): no edge: Xa\r\n|" +
				"0/9 formulas, no progress for 6s, 0 disagreeing\x1b[K",
				"shrunk: mine: extra words: b M a, word cycle{!a}\n    (shortest: 1 letter)\n"},
		} {
			began := time.Now()
			terminal.Failures(c.rows)
			lines.Failures(c.rows)
			terminal.Aside(c.aside)
			time.Sleep(1500 * time.Millisecond)
			synctest.Wait()
			if got := log.take(); got != "" {
				t.Errorf("too early: %q", got)
			}
			time.Sleep(1500 * time.Millisecond)
			synctest.Wait()
			first, last, _ := strings.Cut(c.screen, "|")
			if got := screen.take(); !strings.HasPrefix(got, first) || !strings.HasSuffix(got, last) {
				t.Errorf("got  %q\nwant %q", got, c.screen)
			}
			if got, want := log.take(), began.Format(time.RFC3339)+" "+c.log; !strings.HasPrefix(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		}
		terminal.Stop()
		lines.Stop()
	})
}

// TestUnwritable: what can't be written is tried once.
func TestUnwritable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		p := &report.Progress{W: writer(func([]byte) (int, error) { tries++; return 0, errors.New("gone") }), Width: func() int { return 80 }}
		p.Start()
		time.Sleep(time.Minute)
		p.Stop()
		if tries != 1 {
			t.Errorf("tried %d times", tries)
		}
	})
}

type writer func([]byte) (int, error)

func (w writer) Write(text []byte) (int, error) { return w(text) }

// TestScreen lets a run of random events write to a terminal, and looks at it: what was
// printed is all there, in order, and when the run has ended nothing else; no line was folded.
// If the terminal was made narrower, pieces of its two lines may be left each time.
func TestScreen(t *testing.T) {
	seed := campaign.Seed(t, 1)
	for _, resizes := range []bool{false, true} {
		for i := range 60 {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			s := &screen{width: 30 + r.IntN(60), height: 3 + r.IntN(20), folds: i%2 == 0, rows: make([]row, 1)}
			var printed []string
			narrowed := 0
			synctest.Test(t, func(t *testing.T) { printed, narrowed = events(r, s, resizes) })
			var left, extra []string
			for _, line := range s.lines() {
				if len(left) < len(printed) && line == printed[len(left)] {
					left = append(left, line)
				} else if line != "" {
					extra = append(extra, line)
				}
			}
			if len(left) < len(printed) || len(extra) > 2*narrowed || s.folded > narrowed {
				t.Fatalf("seed %d, run %d, resizes %v: %d of %d lines are left, the next was %q, %d pieces %q after %d times, %d folded; screen:\n%s", seed, i, resizes,
					len(left), len(printed), printed[min(len(left), len(printed)-1)], len(extra), extra, narrowed, s.folded, strings.Join(s.lines(), "\n"))
			}
		}
	}
}

// events lets random things happen, and returns the lines that were printed, and how often
// the terminal became narrower.
func events(r *rand.Rand, s *screen, resizes bool) (printed []string, narrowed int) {
	var mu sync.Mutex
	busy := ""
	p := &report.Progress{W: s, Width: s.columns, Total: 1000, Longest: func() (string, time.Time) {
		mu.Lock()
		defer mu.Unlock()
		if busy == "" {
			return "", time.Time{}
		}
		return busy, time.Now().Add(-time.Hour)
	}}
	out := p.Above(s)
	p.Start()
	for k := range 40 {
		switch r.IntN(5) {
		case 0:
			p.Update(done(r.IntN(1000)), 0)
		case 1:
			mu.Lock()
			busy = strings.Repeat("語 x\a", r.IntN(30))
			mu.Unlock()
		case 2:
			line := fmt.Sprintf("line %d", k)
			at := r.IntN(len(line))
			io.WriteString(out, line[:at])
			time.Sleep(time.Duration(r.IntN(2000)) * time.Millisecond)
			io.WriteString(out, line[at:]+"\r\n")
			printed = append(printed, line)
		case 3:
			time.Sleep(time.Duration(r.IntN(3000)) * time.Millisecond)
		case 4:
			if resizes {
				width := 12 + r.IntN(80)
				if width < s.columns() {
					narrowed++
				}
				s.resize(width)
			}
			time.Sleep(time.Duration(r.IntN(500)) * time.Millisecond)
		}
	}
	time.Sleep(5 * time.Second)
	s.Write([]byte("^C")) // as a terminal does
	p.Stop()
	return printed, narrowed
}

// A screen is a terminal that knows as much as is needed here, and keeps what it has scrolled
// away. When its width changes, it folds lines that are longer, or cuts them off.
type screen struct {
	mu            sync.Mutex
	width, height int
	folds         bool
	rows          []row
	y, x          int
	folded        int // lines that were too long when they were written
	escape        string
}

// A row has a rune for each column: 0 for the second one of a wide rune.
type row struct {
	cells  []rune
	joined bool // it goes on in the next row
}

func (s *screen) columns() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.width
}

func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range string(text) {
		s.put(c)
	}
	return len(text), nil
}

func (s *screen) put(c rune) {
	switch {
	case s.escape == "\x1b" || c == '\x1b':
		s.escape += string(c)
	case s.escape != "":
		switch s.escape = ""; c {
		case 'A':
			s.y = max(s.y-1, len(s.rows)-s.height, 0)
		case 'J':
			s.rows = s.rows[:s.y+1]
			fallthrough
		case 'K':
			s.rows[s.y].cells = s.rows[s.y].cells[:min(s.x, len(s.rows[s.y].cells))]
			s.rows[s.y].joined = false
			if s.x == 0 && s.y > 0 {
				s.rows[s.y-1].joined = false
			}
		default:
			panic(fmt.Sprintf("unknown escape code %q", c))
		}
	case c == '\r':
		s.x = 0
	case c == '\n':
		s.down()
	default:
		n := runewidth.RuneWidth(c)
		if s.x+n > s.width {
			s.rows[s.y].joined = true
			s.folded++
			s.down()
			s.x = 0
		}
		for ; n > 0; n-- {
			r := &s.rows[s.y]
			for len(r.cells) <= s.x {
				r.cells = append(r.cells, ' ')
			}
			r.cells[s.x] = c
			s.x, c = s.x+1, 0
		}
	}
}

func (s *screen) down() {
	if s.y++; s.y == len(s.rows) {
		s.rows = append(s.rows, row{})
	}
}

func (s *screen) resize(width int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, y, x := s.rows, s.y, s.x
	s.width, s.rows = width, nil
	if !s.folds {
		for _, r := range old {
			r.cells = r.cells[:min(len(r.cells), width)]
			s.rows = append(s.rows, r)
		}
		s.x = min(x, width-1)
		return
	}
	for i := 0; i < len(old); i++ {
		line, cursor := []rune(nil), -1
		for ; ; i++ {
			if i == y {
				cursor = len(line) + x
			}
			line = append(line, old[i].cells...)
			if !old[i].joined {
				break
			}
		}
		for first := true; first || len(line) > 0 || cursor >= 0; first = false {
			n := min(len(line), width)
			if n < len(line) && line[n] == 0 {
				n-- // not through a wide one
			}
			if more := n < len(line); cursor >= 0 && (cursor < n || !more && cursor <= width) {
				s.y, s.x, cursor = len(s.rows), min(cursor, width-1), -1
			} else if cursor >= 0 {
				cursor -= n
			}
			s.rows = append(s.rows, row{line[:n:n], n < len(line)})
			line = line[n:]
		}
	}
}

// lines are what can be read.
func (s *screen) lines() (list []string) {
	text := ""
	for _, r := range s.rows {
		text += strings.ReplaceAll(string(r.cells), "\x00", "")
		if !r.joined {
			list = append(list, strings.TrimRight(text, " "))
			text = ""
		}
	}
	return list
}

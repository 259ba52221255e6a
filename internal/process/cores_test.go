package process

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// TestCoresOrder: checks first, each use in its order, and nobody while one who was there
// before waits.
func TestCoresOrder(t *testing.T) {
	c := NewCores(1)
	ctx := context.Background()
	must.Do(c.Acquire(ctx, Call))
	var mu sync.Mutex
	var got []int
	var all sync.WaitGroup
	for i, use := range []Use{Call, Check, Call, Check, Check, Call} {
		all.Go(func() {
			if err := c.Acquire(ctx, use); err != nil {
				t.Error(err)
			}
			mu.Lock()
			got = append(got, i)
			mu.Unlock()
			c.Release(use)
		})
		waitFor(t, func() bool { return c.waiters() == i+1 })
	}
	c.Release(Call)
	all.Wait()
	if want := []int{1, 3, 4, 0, 2, 5}; !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
}

// TestCoresAhead: by default there is one place more for each four cores, which calls may have,
// and checks may not, even if there are no calls.
func TestCoresAhead(t *testing.T) {
	for _, of := range []struct{ cores, places int }{{1, 2}, {2, 3}, {4, 5}, {5, 7}, {64, 80}} {
		old := runtime.GOMAXPROCS(of.cores)
		c := NewCores(0)
		runtime.GOMAXPROCS(old)
		if c.Len() != of.cores {
			t.Fatalf("%d cores, want %d", c.Len(), of.cores)
		}
		fill := func(use Use) (n int) {
			for ; ; n++ {
				ctx, cancel := context.WithCancel(context.Background())
				done := make(chan error, 1)
				go func() { done <- c.Acquire(ctx, use) }()
				waitFor(t, func() bool { return len(done) == 1 || c.waiters() == 1 })
				cancel()
				if <-done != nil {
					return n
				}
			}
		}
		if got := fill(Check); got != of.cores {
			t.Errorf("%d cores: %d checks", of.cores, got)
		}
		if got := fill(Call); got != of.places-of.cores {
			t.Errorf("%d cores, all used by checks: %d calls", of.cores, got)
		}
		for range of.cores {
			c.Release(Check)
		}
		if got := fill(Call); got != of.cores {
			t.Errorf("%d cores, free again: %d calls more", of.cores, got)
		}
	}
}

// TestCoresCanceled: who no longer wants one is not served, and keeps none.
func TestCoresCanceled(t *testing.T) {
	c := NewCores(1)
	must.Do(c.Acquire(context.Background(), Check))
	ctx, cancel := context.WithCancel(context.Background())
	failed, served := make(chan error, 1), make(chan error, 1)
	go func() { failed <- c.Acquire(ctx, Check) }()
	waitFor(t, func() bool { return c.waiters() == 1 })
	go func() { served <- c.Acquire(context.Background(), Call) }()
	waitFor(t, func() bool { return c.waiters() == 2 })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	c.Release(Check)
	if err := <-served; err != nil {
		t.Error(err)
	}
	c.Release(Call)
	if err := c.Acquire(ctx, Check); !errors.Is(err, context.Canceled) {
		t.Errorf("a free core for one who is canceled: %v", err)
	}
	if c.held != [uses]int{} {
		t.Errorf("%d held", c.held)
	}
}

// TestCoresStress: never more than there are, and none is lost, when many give up
// at the moment when they are served.
func TestCoresStress(t *testing.T) {
	const seed, n = 7, 3
	c := NewCores(n)
	var held, most, served, gaveUp atomic.Int64
	var all sync.WaitGroup
	for k := range 40 {
		r := rand.New(rand.NewPCG(seed, uint64(k)))
		all.Go(func() {
			for range 200 {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.IntN(200))*time.Microsecond)
				use := Use(r.IntN(int(uses)))
				if err := c.Acquire(ctx, use); err != nil {
					gaveUp.Add(1)
					cancel()
					continue
				}
				served.Add(1)
				now := held.Add(1)
				for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
				}
				time.Sleep(time.Duration(r.IntN(30)) * time.Microsecond)
				held.Add(-1)
				c.Release(use)
				cancel()
			}
		})
	}
	all.Wait()
	if most.Load() > n || c.held != [uses]int{} || c.waiters() != 0 {
		t.Errorf("seed %d: up to %d held of %d, %d at the end, %d still wait", seed, most.Load(), n, c.held, c.waiters())
	}
	if served.Load() == 0 || gaveUp.Load() == 0 {
		t.Errorf("seed %d: %d served, %d gave up: both were to be tested", seed, served.Load(), gaveUp.Load())
	}
}

// waiters returns how many wait.
func (c *Cores) waiters() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting[0].Len() + c.waiting[1].Len()
}

// waitFor waits until something has happened.
func waitFor(t *testing.T, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !happened(); time.Sleep(50 * time.Microsecond) {
		if time.Now().After(end) {
			t.Fatal("it does not happen")
		}
	}
}

// TestLongest: the longest work under way is that which began first and has not ended.
func TestLongest(t *testing.T) {
	c := NewCores(3)
	longest := func() string {
		w, ok := c.Longest()
		if !ok {
			return ""
		}
		return w.Tool + " " + w.About()
	}
	begin := func(tool string) func() { return c.Begin(tool, func() string { return "on a" }) }
	if got := longest(); got != "" {
		t.Errorf("nobody works, but %q", got)
	}
	first, second, third := begin("first"), begin("second"), begin("third")
	for _, step := range []struct {
		end  func()
		left string
	}{{func() {}, "first on a"}, {second, "first on a"}, {first, "third on a"}, {third, ""}} {
		if step.end(); longest() != step.left {
			t.Errorf("got %q, want %q", longest(), step.left)
		}
	}
}

func TestLookPath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"one/x", "two/x", "two/y", "z", "one/y/inner"} {
		os.MkdirAll(filepath.Dir(name), 0o700)
		must.Do(os.WriteFile(name, nil, 0o700))
	}
	must.Do(os.WriteFile("one/w", nil, 0o600))
	env := []string{"PATH=/nowhere", "PATH=" + dir + "/one:two:", "XPATH=/"}
	for program, want := range map[string]string{
		"x": dir + "/one/x", "y": "two/y", "z": "./z", "w": "", "nobody": "", "./w": "./w", "/a/b": "/a/b",
	} {
		if got := LookPath(program, env); got != want {
			t.Errorf("%s is %q, want %q", program, got, want)
		}
	}
	if got := LookPath("x", nil); got != "" {
		t.Errorf("without a PATH: %q", got)
	}
}

// TestExpired: what was written before a stream expires is read, even if nobody
// came to read until then; what would be written later is not waited for.
func TestExpired(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		tail  bool
		want  string
		over  bool
	}{
		{"an automaton", 100, false, "an automaton", false},
		{strings.Repeat("x", 30000), 1 << 20, false, strings.Repeat("x", 30000), false},
		{"too much", 3, false, "", true},
		{"the end is kept", 4, true, "th\n…\nkept", false},
		{"start+end", 6, true, "start+end", false},
		{"start and end", 6, true, "sta\n…\nnd end", false},
		{"first line\n" + strings.Repeat("x", 100) + "\nlast", 80, true, "first line\n" + strings.Repeat("x", 100) + "\nlast", false},
		{"first line\n" + strings.Repeat("x", 1000) + "\nlast", 80, true, "first line\n" + strings.Repeat("x", 29) + "\n…\n" + strings.Repeat("x", 75) + "\nlast", false},
		{"", 100, false, "", false},
	} {
		s := must.Get(newPipe(c.limit, c.tail))
		if _, err := s.write.WriteString(c.text); err != nil {
			t.Fatal(err)
		}
		s.expire()
		done := make(chan bool, 1)
		go func() { done <- s.fill() }()
		select {
		case over := <-done:
			got := string(s.Data)
			if c.tail {
				got = s.Ends()
			}
			if got != c.want || over != c.over {
				t.Errorf("%.20q: got %.20q, over %v", c.text, got, over)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%.20q: the stream does not end", c.text)
		}
		s.close()
	}
}

// TestFill: all of what comes is read, whether it is there before or comes later, and more than a
// pipe holds.
func TestFill(t *testing.T) {
	for _, early := range []int{0, 1, 5000} {
		for _, late := range []int{0, 1, 200_000} {
			s := must.Get(newPipe(1<<20, false))
			s.write.WriteString(strings.Repeat("x", early))
			go func() {
				time.Sleep(time.Millisecond)
				s.write.WriteString(strings.Repeat("y", late))
				s.write.Close()
			}()
			if s.fill() || string(s.Data) != strings.Repeat("x", early)+strings.Repeat("y", late) {
				t.Errorf("%d bytes early, %d late: read %d", early, late, len(s.Data))
			}
			s.close()
		}
	}
}

func ExampleClip() {
	fmt.Println(Clip([]byte("abcdefgh"), 4))
	// Output:
	// ab
	// …
	// efgh
}

package process

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

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
		s, err := newPipe(c.limit, c.tail)
		if err != nil {
			t.Fatal(err)
		}
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
		case <-time.After(10 * time.Second):
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
			s, err := newPipe(1<<20, false)
			if err != nil {
				t.Fatal(err)
			}
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

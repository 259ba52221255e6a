package translators

import "testing"

// TestCommentPatterns: the examples in the comment on Pattern.
func TestCommentPatterns(t *testing.T) {
	for text, want := range map[string]string{
		"error in line 12: cannot open '/tmp/x.ltl'": "error in line …: cannot open …",
		"bad operator in a U (b & foo)":              "bad operator in …",
		"Assertion `n > 0' failed.":                  "Assertion `n > 0' failed.",
	} {
		if got := Pattern(text, "a U (b & foo)"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestCommentSimple: the examples in the comment on simple commands.
func TestCommentSimple(t *testing.T) {
	for text, want := range map[string]bool{
		"mytool -f %f > %O": true, "mytool '%%' %f 2>&1": true, "mytool %f | sort": false, "FOO=1 mytool %f": false, "$HOME/mytool %f": false,
	} {
		c, err := ParseCommand(text, Spawn)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.simple != nil; got != want {
			t.Errorf("%s: simple is %t", text, got)
		}
	}
}

// TestCommentQueue: the examples in the comments on batches, for 10 that wait, and on their size.
func TestCommentQueue(t *testing.T) {
	q := &queue{runner: NewTestRunner(t, 4), tool: &Tool{}, waiting: make([]*request, 10), size: maxBatch, batches: 1}
	if n := len(q.take()); n != 3 {
		t.Errorf("a batch of %d", n)
	}
	for i, want := range []int{64, 32, 64} {
		if q.resize(i == 2); q.size != want {
			t.Errorf("size %d, want %d", q.size, want)
		}
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
)

// invoke runs a command line and returns its status and what it printed.
func invoke(in string, args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = runChecked(args, strings.NewReader(in), &o, &e)
	return status, o.String(), e.String()
}

// answer says what a command prints and returns for a truth value.
func answer(holds bool) (int, string) {
	if holds {
		return 0, "true\n"
	}
	return 1, "false\n"
}

// TestCorpusEval takes one in eight words, or in a campaign all; so do the tests below with other
// records.
func TestCorpusEval(t *testing.T) {
	t.Parallel()
	n := 0
	type record struct {
		Formula, Word string
		Holds         bool
	}
	for c := range campaign.Sample(corpus.Records[record](t, "words.jsonl.gz"), 8) {
		n++
		status, out, errs := invoke("", "eval", c.Formula, c.Word)
		if wantStatus, want := answer(c.Holds); status != wantStatus || out != want {
			t.Errorf("%s on %s: status %d, %q %q, want %q", c.Formula, c.Word, status, out, errs, want)
		}
	}
	if n < 1500/8 {
		t.Errorf("%d words", n)
	}
}

func TestCorpusAcceptsAndEmpty(t *testing.T) {
	t.Parallel()
	n := 0
	type record struct {
		ID      int
		Class   string
		HOA     string
		Empty   bool
		Accepts [][2]any
	}
	for c := range campaign.Sample(corpus.Records[record](t, "automata.jsonl.gz"), 8) {
		for _, pair := range c.Accepts {
			n++
			status, out, errs := invoke(c.HOA, "accepts", "-", pair[0].(string))
			if wantStatus, want := answer(pair[1].(bool)); status != wantStatus || out != want {
				t.Errorf("automaton %d (%s) on %s: status %d, %q %q, want %q", c.ID, c.Class, pair[0], status, out, errs, want)
			}
		}
		status, out, errs := invoke(c.HOA, "empty", "-")
		if c.Empty {
			if status != 0 || out != "empty\n" {
				t.Errorf("automaton %d (%s): status %d, %q %q, want empty", c.ID, c.Class, status, out, errs)
			}
			continue
		}
		first, word, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
		if status != 1 || first != "non-empty" {
			t.Errorf("automaton %d (%s): status %d, %q %q, want non-empty", c.ID, c.Class, status, out, errs)
			continue
		}
		if status, out, _ := invoke(c.HOA, "accepts", "-", word); status != 0 {
			t.Errorf("automaton %d (%s): the word %s of its own is not accepted: %q", c.ID, c.Class, word, out)
		}
	}
	if n < 408*12/8 {
		t.Errorf("%d words", n)
	}
}

// TestCorpusPairs: intersect and compare agree with every verdict that is known,
// and each word that they print shows what it should.
func TestCorpusPairs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.hoa"), filepath.Join(dir, "b.hoa")
	n := 0
	type record struct {
		Kind      string
		A, B      string
		Intersect *bool
		AInB      *bool `json:"a_in_b"`
		BInA      *bool `json:"b_in_a"`
	}
	for c := range campaign.Sample(corpus.Records[record](t, "pairs.jsonl.gz"), 8) {
		n++
		os.WriteFile(a, []byte(c.A), 0o666)
		os.WriteFile(b, []byte(c.B), 0o666)
		status, out, errs := invoke("", "intersect", a, b)
		if c.Intersect != nil && (status == 1) != *c.Intersect || status > 1 {
			t.Errorf("pair %d (%s): intersect: status %d, %q %q, want non-empty %v", n, c.Kind, status, out, errs, *c.Intersect)
		}
		if word, ok := strings.CutPrefix(out, "non-empty\n"); ok {
			for _, file := range []string{a, b} {
				if status, _, _ := invoke("", "accepts", file, word); status != 0 {
					t.Errorf("pair %d (%s): %s does not accept the common word %s", n, c.Kind, file, word)
				}
			}
		}
		status, out, errs = invoke("", "compare", a, b)
		lines := strings.Split(out, "\n")
		aInB := lines[0] == "equal" || lines[0] == "subset"
		bInA := lines[0] == "equal" || lines[0] == "superset"
		if status > 1 || c.AInB != nil && *c.AInB != aInB || c.BInA != nil && *c.BInA != bInA {
			t.Errorf("pair %d (%s): compare: status %d, %q %q, want A in B: %v, B in A: %v", n, c.Kind, status, out, errs, c.AInB, c.BInA)
		}
	}
	if n < 330/8 {
		t.Errorf("%d pairs", n)
	}
}

// TestCorpusAut: xcheck's own conversions and complements, which are kept alive, agree with
// automata of all kinds.
func TestCorpusAut(t *testing.T) {
	campaign.Only(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asMain, "1")
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	var all strings.Builder
	n := 0
	for c := range campaign.Sample(corpus.Records[struct{ HOA string }](t, "automata.jsonl.gz"), 48) {
		n++
		all.WriteString(c.HOA)
		all.WriteByte('\n')
	}
	file := filepath.Join(t.TempDir(), "all.hoa")
	if err := os.WriteFile(file, []byte(all.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOGC", "100") // kept alive, they must not keep garbage up to their limit of memory
	for _, args := range [][]string{
		{"--stream", self + " convert --buchi -", "--stream", self + " convert --state-based -", "--stream", self + " convert --complete -"},
		{"--language-complemented", "--stream", self + " complement -"},
	} {
		status, out, errs := invoke("", append([]string{"aut", "-F", file}, args...)...)
		if want := fmt.Sprintf("\nPASS: %d automata checked, no disagreement", n); status != 0 || !strings.Contains(out, want) {
			t.Errorf("%v: status %d, %s%s", args, status, out, errs)
		}
	}
}

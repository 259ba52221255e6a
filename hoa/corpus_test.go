package hoa_test

import (
	"bytes"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/corpus"
)

// TestRecorded reads what real translators printed.
func TestRecorded(t *testing.T) {
	read, alternating := 0, 0
	for c := range corpus.Records[map[string]any](t, "recorded.jsonl.gz") {
		if c["status"] != "ok" {
			continue
		}
		a, warnings, err := hoa.ReadOne([]byte(c["output"].(string)))
		if err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %v\n%s", c["tool"], err, warnings, c["output"])
			continue
		}
		read++
		if a.Alternating() {
			alternating++
			if c["tool"] != "ltl3ba-H1" {
				t.Errorf("%s: alternating", c["tool"])
			}
		}
		var b bytes.Buffer
		if err := hoa.Write(&b, a); err != nil {
			t.Error(err)
		}
		back, _, err := hoa.ReadOne(b.Bytes())
		if err != nil || show(back) != show(a) {
			t.Errorf("written and read: %v\n%s\n%s", err, show(a), show(back))
		}
	}
	if read != 2908 || alternating == 0 {
		t.Errorf("%d outputs read, %d of them alternating", read, alternating)
	}
}

// TestCorpusAutomata reads all other automata of the corpus, and tests the
// properties that those declare that were not changed on purpose.
func TestCorpusAutomata(t *testing.T) {
	n := 0
	for file, keys := range map[string][]string{"automata.jsonl.gz": {"hoa"}, "pairs.jsonl.gz": {"a", "b"}, "mutants.jsonl.gz": {"hoa"}} {
		for c := range corpus.Records[map[string]any](t, file) {
			for _, k := range keys {
				n++
				a, _, err := hoa.ReadOne([]byte(c[k].(string)))
				if err != nil {
					t.Errorf("%s: %v\n%s", file, err, c[k])
					continue
				}
				if list := a.FalseProperties(); list != nil && file != "mutants.jsonl.gz" {
					t.Errorf("%s: %v\n%s", file, list, c[k])
				}
			}
		}
	}
	if n != 408+2*330+757 {
		t.Errorf("%d automata", n)
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
)

// invoke runs a command line and returns its status and what it printed.
func invoke(in string, args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = runChecked(args, strings.NewReader(in), &o, &e)
	return status, o.String(), e.String()
}

// TestCorpusAut: xcheck's own conversions and complements, which are kept alive, agree with
// automata of all kinds.
func TestCorpusAut(t *testing.T) {
	campaign.Only(t)
	self := program()
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
	must.Do(os.WriteFile(file, []byte(all.String()), 0o666))
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

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/report"
)

// TestRendered: in each format, report writes what the run wrote, from its document and from the
// history, byte for byte.
func TestRendered(t *testing.T) {
	t.Parallel()
	const mine, liar, dies = "-t={mine} xcheck translate %f", "-t={liar} xcheck translate 'Fa' # %f", "-t={dies} exit 3 # %f"
	bin := t.TempDir()
	must.Do(os.Symlink(program(), filepath.Join(bin, "xcheck")))
	runs := map[string][]string{
		"built-in translators aside": {"run", mine},
		"only built-in translators":  {"run"},
		"named":                      {"run", mine, "--only=mine", "--only=couvreur"},
		"disagreements":              {"run", mine, liar, dies, "--grind=small"},
		"no automata":                {"run", "--no-builtin", dies},
		"columns":                    {"run", mine, dies, "--strength", "--ambiguous", "--automata", "--csv-more"},
		"columns of ltlcross":        {"run", mine, dies, "--no-builtin", "--omit-missing", "--products=+2"},
		"no products, no checks":     {"run", mine, dies, "--products=0", "--no-checks"},
		"stopped":                    {"run", mine, liar, "--stop-on-error"},
		"no formula":                 {"run", mine, "-F=bad.ltl"},
		"automata":                   {"aut", "-t={same} cat %H", "-t={dies} exit 3 # %H", "--language-preserved"},
		"complements":                {"aut", "-t={same} cat %H", "--language-complemented", "--strength", "--csv-more", "--grind=small"},
		"no automaton":               {"aut", "-t={same} cat %H", "-F=no.hoa"},
		"ltlcross":                   {"run", "--no-builtin", mine, liar, "--products=2", "--states=20", "--save-bogus=bogus", "-v"},
	}
	compared := 0
	for name, args := range runs {
		dir := t.TempDir()
		must.Do(os.WriteFile(filepath.Join(dir, "no.hoa"), []byte("HOA: v1 Start: --BODY-- --END--\n"), 0o666))
		must.Do(os.WriteFile(filepath.Join(dir, "bad.ltl"), []byte("G(\na\n"), 0o666))
		args = append(args, "--history=h.db")
		if args[0] == "run" {
			args = append(args, "--no-found")
		}
		if !strings.Contains(strings.Join(args, " "), "-F=") {
			args = append(args, "-n=4", "--seed=3")
		}
		wrote := map[string][]byte{}
		for _, f := range report.Written() {
			args = append(args, "--"+f.Name+"="+f.Name+".out")
		}
		c := exec.Command(program(), args...)
		c.Dir, c.Env = dir, append(os.Environ(), asMain+"=1", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		var errs strings.Builder
		c.Stderr = &errs
		if wrote["text"], _ = c.Output(); len(wrote["text"]) == 0 { // the status says what the run found
			t.Errorf("%q prints nothing: %s", args, &errs)
		}
		for _, f := range report.Written() {
			wrote[f.Name], _ = os.ReadFile(filepath.Join(dir, f.Name+".out"))
		}
		for format, want := range wrote {
			flag := "--format=" + format
			if format == "json" {
				flag = "--json"
			}
			for _, from := range []string{filepath.Join(dir, "json.out"), "--history=" + filepath.Join(dir, "h.db")} {
				render := []string{"report", flag, from}
				if strings.Contains(strings.Join(args, " "), " -v") {
					render = append(render, "-v")
				}
				if _, got, errs := invoke("", render...); got == "" || got != string(want) {
					t.Errorf("%s: %q prints\n%s%s\nand the run wrote\n%s", name, render, got, errs, want)
				}
				compared++
			}
		}
	}
	t.Logf("%d reports of %d runs", compared, len(runs))
}

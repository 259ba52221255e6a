package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/must"
)

// overrides pairs keys of a file with the flags that override them. A key is TABLE KEY = VALUE. If a
// part of it stands between bars, the flag overrides only this part.
var overrides = []struct{ key, flag string }{
	{"formulas syntax = 'spin'", "--syntax=lbt"},
	{"formulas files = [{path = 'x'|, syntax = 'spin'|}]", "--syntax=lbt"},
	{"formulas lenient = true", "--lenient=false"},
	{"formulas allow-dups = true", "--allow-dups=false"},
	{"formulas inline = ['a']", "-f=b"},
	{"formulas patterns = ['eh']", "--patterns=dac"},
	{"formulas files = ['x']", "-F=y"},
	{"formulas.random number = 7", "-n=8"},
	{"formulas.random for = '1h'", "--until=06:00"},
	{"formulas.random until = '05:00'", "--for=2h"},
	{"formulas.random seed = 7", "--seed=8"},
	{"checks seed = 7", "--seed=8"},
	{"formulas.random propositions = 2", "--ap=4"},
	{"formulas.random size = '2..3'", "--size=4..5"},
	{"formulas.random weights = {X = 9}", "--weights=U=3"},
	{"formulas.random psl = true\n|sere-weights = {star = 9}|", "--sere-weights=concat=3"},
	{"formulas.random past = true", "--past=false"},
	{"formulas.random psl = true", "--psl=false"},
	{"formulas.random boolean = true", "--boolean=false"},
	{"formulas.random weak-fairness = true", "--weak-fairness=false"},
	{"formulas.random simplify = 1", "--simplify=2"},
	{"formulas.random keep-trivial = true", "--keep-trivial=false"},
	{"formulas.random keep-duplicates = true", "--keep-duplicates=false"},
	{"formulas.random profile = 'large'", "--profile=small"},
	{"[translators] timeout = '9s'", "-T=8"},
	{"[translators] relabel = true", "--relabel=false"},
	{"limits timeout = '9s'", "-T=8"},
	{"limits jobs = 7", "-j=8"},
	{"limits case-timeout = '7s'", "--max-case-time=8s"},
	{"limits check-timeout = '7s'", "--max-time=8s"},
	{"limits memory = '7MiB'", "--max-memory=8MiB"},
	{"limits macrostates = 7", "--max-macrostates=8"},
	{"checks all-pairs = true", "--all-pairs=false"},
	{"checks reference = 'none'", "--no-reference=false"},
	{"checks complement = 'ranks'", "--complement=determinization"},
	{"checks no-complement = true", "--no-complement=false"},
	{"checks no-complement = true", "--no-checks"},
	{"checks no-checks = true", "--no-checks=false"},
	{"checks no-checks = true", "--no-complement"},
	{"checks products = 7", "--products=+8"},
	{"checks states = 7", "--states=8"},
	{"checks density = 0.7", "--density=0.8"},
	{"checks stop-on-error = true", "--stop-on-error=false"},
	{"checks fail-on-timeout = true", "--fail-on-timeout=false"},
	{"checks ignore-execution-failures = true", "--ignore-execution-failures=false"},
	{"triage grind = true", "--grind="},
	{"triage grind-calls = 7", "--grind-calls=8"},
	{"history name = 'x'", "--name=y"},
	{"history baseline = '7'", "--baseline=8"},
	{"history fail-on-new = true", "--fail-on-new=false"},
	{"history file = 'x'", "--history=y"},
	{"output csv = 'x'", "--csv="},
	{"output junit = 'x'", "--junit=y"},
	{"output markdown = 'x'", "--markdown=y"},
	{"output html = 'x'", "--html="},
	{"output strength = true", "--strength=false"},
	{"output ambiguous = true", "--ambiguous=false"},
	{"output automata = true", "--automata=false"},
	{"output omit-missing = true", "--omit-missing=false"},
	{"output csv-more = true", "--csv-more=false"},
	{"output quiet = true", "--quiet=false"},
	{"output quiet = true", "-v"},
	{"output verbose = true", "-q"},
	{"output save-bogus = 'x'", "--save-bogus="},
	{"output save-automata = 'x'", "--save-automata=y"},
	{"output save-proofs = 'x'", "--save-proofs=y"},
	{"checks prove = 'all'", "--prove=none"},
}

// keyless are the flags of run that no key has.
const keyless = "config translator stream tool-syntax tool-format reference options with-options no-builtin no-found only ignore-missing list-translators dry-run " +
	"resume shard color progress strict-failures ignore-failures lbt-input determinize determinize-max-edges trust-hoa"

// overridden returns what a file with a key, and flags, say together.
func overridden(t *testing.T, dir, key string, args ...string) *configs.Config {
	t.Helper()
	table, line, _ := strings.Cut(key, " ")
	text := "[" + table + "]\n" + line + "\n"
	switch table {
	case "history":
		if !strings.HasPrefix(line, "file") {
			text += "file = 'h.db'\n"
		}
	case "[translators]":
		text += "command = 'mytool %f'\nname = 'mine'\n"
	}
	file := filepath.Join(dir, "x.toml")
	must.Do(os.WriteFile(file, []byte(text), 0o666))
	f, c := &runFlags{}, &cobra.Command{}
	f.addAll(c)
	must.Do(c.ParseFlags(append(args, "-c", file)))
	config, err := f.load()
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	for i := range config.Formulas.Files { // relative to the file
		config.Formulas.Files[i].Path = filepath.Base(config.Formulas.Files[i].Path)
	}
	return config
}

// TestOverride: each flag of run says what it says, whatever the file has for it.
func TestOverride(t *testing.T) {
	dir, f, c := t.TempDir(), &runFlags{}, &cobra.Command{}
	f.addAll(c)
	tested := map[string]bool{}
	for _, name := range strings.Fields(keyless) {
		tested[name] = true
	}
	for _, x := range overrides {
		name, _, _ := strings.Cut(strings.TrimLeft(x.flag, "-"), "=")
		if flag := c.Flags().ShorthandLookup(name[:1]); len(name) == 1 && flag != nil {
			name = flag.Name
		}
		tested[name] = true
	}
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		if !tested[flag.Name] {
			t.Errorf("--%s: neither in overrides nor keyless", flag.Name)
		}
	})
	for _, x := range overrides {
		before, rest, part := strings.Cut(x.key, "|")
		_, after, _ := strings.Cut(rest, "|")
		if !part {
			before, _, _ = strings.Cut(x.key, " ")
		}
		with, without := strings.ReplaceAll(x.key, "|", ""), before+after
		if got, want := overridden(t, dir, with, x.flag), overridden(t, dir, without, x.flag); !reflect.DeepEqual(got, want) {
			t.Errorf("%s, %s: got\n%+v, want\n%+v", with, x.flag, got, want)
		}
		if reflect.DeepEqual(overridden(t, dir, with), overridden(t, dir, without)) {
			t.Errorf("%s changes nothing", with)
		}
	}
}

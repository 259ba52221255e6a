package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// libraryPhrases are phrases of libraries, which say nothing to a user of xcheck.
var libraryPhrases = []string{"strconv", "ParseInt", "invalid syntax", "parsing \"", "out of range", "arg(s)",
	"flag needs an argument", "unknown shorthand", "invalid argument", "bad flag syntax", "Did you mean this",
	"\" for \"xcheck", "required flag", "no such flag", "json:", "sql", "toml:", "runtime error", "pflag", "%!"}

// minimal are arguments with which a command works, for those that need some. What starts translators
// has one that can't start.
var minimal = map[string]string{
	"run": "-f a --no-builtin -t ./none %f", "aut": "-n 1 -t ./none", "grind": "-f a --no-builtin -t ./none %f",
	"accepts": "a.hoa cycle{a}", "empty": "a.hoa", "intersect": "a.hoa a.hoa", "compare": "a.hoa a.hoa",
	"complement": "a.hoa", "convert": "a.hoa", "lint": "a.hoa", "translate": "a", "eval": "a cycle{a}",
	"ltlcross": "-f a ./none<%F>%O", "random": "-n 1", "patterns": "dac", "report": "r.json", "merge": "h.db --into=m.db", "completion": "bash", "man": "run",
	"history list": "--history=h.db", "history show": "1 --history=h.db", "history compare": "1 1 --history=h.db",
	"history prune": "--keep 1 --history=h.db",
}

// TestMistakes gives each flag of each command values that it can't have, and each command flags and
// arguments that it does not have: by default one in six. No error has the words of a library.
func TestMistakes(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(asMain, "1")
	must.Do(os.WriteFile("text.ltl", []byte("G a\n"), 0o600))
	for _, line := range []string{"translate a --json=t.json", "run -f a --no-found --only gpvw -q --json=r.json --history=h.db"} {
		if status, _, errs := invoke("", strings.Fields(line)...); status != 0 {
			t.Fatalf("%s: status %d, %s", line, status, errs)
		}
	}
	_, automaton, _ := invoke("", "translate", "a")
	must.Do(os.WriteFile("a.hoa", []byte(automaton), 0o600))
	n := 0
	try := func(t *testing.T, args ...string) {
		if n++; n%6 > 0 && !campaign.Whole() {
			return
		}
		status, _, errs := invoke("", args...)
		for _, phrase := range libraryPhrases {
			if strings.Contains(strings.ReplaceAll(errs, "--"+phrase, ""), phrase) {
				t.Errorf("xcheck %q: status %d, and an error with %q: %s", args, status, phrase, errs)
			}
		}
		if status == 2 && !strings.HasPrefix(errs, "xcheck: ") {
			t.Errorf("xcheck %q: status 2 and %q", args, errs)
		}
	}
	for _, c := range allCommands() {
		path := strings.TrimPrefix(c.CommandPath(), "xcheck ")
		t.Run(path, func(t *testing.T) {
			words := strings.Fields(path)
			try(t, append(words, "--no-such-flag")...)
			try(t, append(words, "-Z")...)
			try(t, append(words, "--=x")...)
			if path == "run" || path == "aut" { // alone, it would check 100 inputs with each translator on PATH
				try(t, append(words, "-n", "1")...)
			} else {
				try(t, words...)
			}
			try(t, append(words, "no-such", "no-such", "no-such", "no-such")...)
			words = append(words, strings.Fields(minimal[path])...)
			try(t, append(words, "no-such")...)
			c.Flags().VisitAll(func(f *pflag.Flag) {
				tryTyped(t, try, words, f)
				if f.Value.Type() == "string" || f.Value.Type() == "stringArray" || f.Value.Type() == "stringSlice" {
					for _, value := range some("no-such", "", filepath.Join("no", "such"), "text.ltl", "1e400") {
						if !minimalHas(words, f) {
							try(t, append(words, "--"+f.Name+"="+value)...)
						}
					}
				}
			})
		})
	}
	t.Logf("%d command lines", n)
}

// some returns the first of some values, or in a campaign all.
func some(values ...string) []string {
	if campaign.Whole() {
		return values
	}
	return values[:1]
}

// minimalHas reports whether the arguments have a flag, which would be given twice.
func minimalHas(words []string, f *pflag.Flag) bool {
	for _, w := range words {
		if strings.HasPrefix(w, "--"+f.Name) || f.Shorthand != "" && w == "-"+f.Shorthand {
			return true
		}
	}
	return false
}

// tryTyped gives a flag no value, and values that are not of its type.
func tryTyped(t *testing.T, try func(t *testing.T, args ...string), words []string, f *pflag.Flag) {
	if f.NoOptDefVal == "" {
		try(t, append(words, "--"+f.Name)...)
		if f.Shorthand != "" {
			try(t, append(words, "-"+f.Shorthand)...)
		}
	}
	if f.Value.Type() == "string" || f.Value.Type() == "stringArray" || f.Value.Type() == "stringSlice" {
		return
	}
	for _, value := range append(some("no-such", "", "-99999999999999999999", "1.5", "true false"), "99999999999999999999") {
		if f.Value.Type() != "float64" || value == "" || value == "no-such" {
			try(t, append(words, "--"+f.Name+"="+value)...)
		}
	}
}

// TestMeant: an error says what was probably meant.
func TestMeant(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"nightly.toml": "", "formulas.txt": "a\n"} {
		must.Do(os.WriteFile(name, []byte(text), 0o600))
	}
	must.Do(os.WriteFile("mytool", []byte("#!/bin/sh\n"), 0o700))
	must.Do(os.WriteFile("h.db", []byte("SQLite format 3\x00"), 0o600))
	for line, want := range map[string]string{
		"rnu":                        `unknown command "rnu"; did you mean xcheck run?`,
		"rnu --no-such":              `unknown command "rnu"; did you mean xcheck run?`,
		"no-such":                    `unknown command "no-such"; see xcheck --help`,
		"help rnu":                   `unknown command "rnu"; did you mean xcheck run?`,
		"man histroy":                `unknown command "histroy"; did you mean xcheck history?`,
		"history lst":                `unknown command "lst"; did you mean xcheck history list?`,
		"history --history h.db":     `unknown flag --history; see xcheck history --help`,
		"history --kep 3":            `unknown flag --kep; see xcheck history --help`,
		"report h.db":                `h.db: a history, not a document that xcheck run --json wrote; did you mean --history=h.db?`,
		"report --latex r.json":      `unknown flag --latex; did you mean --format latex?`,
		"run mytool":                 `"mytool" is not the command of a translator; did you mean -t './mytool %f'?`,
		"grind -t mytool%f GFa":      `"GFa" is not a file; did you mean -f GFa?`,
		"history list h.db":          `got 1 argument, expected 0: xcheck history list [flags]; did you mean --history=h.db?`,
		"bench emptiness":            "bench is in the laboratory now: go run ./lab/cmd/lab bench --help",
		"empty --algorithm gv x.hoa": "--algorithm gv is in the laboratory now: go run ./lab/cmd/lab empty --algorithm gv",
		"run --forumla a":            `unknown flag --forumla; did you mean --formula?`,
		"run --version":              `unknown flag --version; did you mean xcheck --version?`,
		"aut --version":              `unknown flag --version; did you mean xcheck --version?`,
		"run -f a ltl2tgba\u00a0>%O": `command "ltl2tgba >%O": at 13: expected one of %f`,
		"run -F formulas.txt/3 -q":   `no formulas: found none in column 3 of "formulas.txt"`,
		"run --quark":                `unknown flag --quark; see xcheck run --help-all`,
		"eval -Z":                    `unknown flag -Z; see xcheck eval --help`,
		"run nightly.toml":           `"nightly.toml" is not the command of a translator; did you mean -c nightly.toml?`,
		"run formulas.txt":           `"formulas.txt" is not the command of a translator; did you mean -F formulas.txt?`,
		"run Ga":                     `"Ga" is not the command of a translator; did you mean -f Ga?`,
		"run (a)|b":                  `"(a)|b" is not the command of a translator; did you mean -f '(a)|b'?`,
		"run dac":                    `"dac" is not the command of a translator; did you mean --patterns dac?`,
		"run ltl2tgab":               `unknown translator "ltl2tgab"; did you mean ltl2tgba?`,
		"run -t ltl2tgab":            `unknown translator "ltl2tgab"; did you mean ltl2tgba?`,
		"run -t my.toml":             `"my.toml" is not the command of a translator; did you mean -c my.toml?`,
		"run -F .":                   `.: expected a file, found a directory`,
		"grind -f a -t ltl3b":        `unknown translator "ltl3b"; did you mean ltl3ba?`,
		"run -c nightli.toml":        `open nightli.toml: no such file or directory`,
		"empty no-such.hoa":          `open no-such.hoa: no such file or directory`,
		"run -f a --only gpwv":       `--only "gpwv"; did you mean gpvw?`,
		"run --syntax spn -n 1":      `unknown syntax "spn"; did you mean spin?`,
		"run -f a --complement x":    `--complement "x": expected one of `,
		"translate --algorithm cv a": `unknown translation algorithm "cv": expected one of gpvw, `,
		"run --number":               `--number: expected a value, --number N`,
		"completion bahs":            `unknown shell "bahs"; did you mean bash?`,
	} {
		args := strings.Split(line, " ")
		for i, arg := range args {
			args[i] = strings.ReplaceAll(arg, "\u00a0", " ")
		}
		if status, _, errs := invoke("", args...); status != 2 || !strings.HasPrefix(errs, "xcheck: "+want) {
			t.Errorf("%s: status %d, %s\nwant %s", line, status, errs, want)
		}
	}
}

// TestApart: joined errors have a line each, others stay as they are.
func TestApart(t *testing.T) {
	full, other := errors.New("disk full"), errors.New("other\nof two lines")
	both := fmt.Errorf("%w, and %w", full, other)
	got := apart(errors.Join(errors.Join(full, other), both, nil))
	if want := []error{full, other, both}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

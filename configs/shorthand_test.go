package configs

import (
	"os"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestShorthands: each is valid in each mode that it has, has a name of its own, and is
// given no operator of the past, but for xcheck.
func TestShorthands(t *testing.T) {
	for _, mode := range translators.Modes() {
		c := schema.Default()
		for _, s := range Shorthands() {
			if !s.Has(translators.Spawn) || !s.Has(s.Mode) {
				t.Errorf("%s misses a mode", s.Name)
			}
			if !s.Has(mode) {
				continue
			}
			x := s.Translator(mode)
			c.Translators = append(c.Translators, x)
			command, err := translators.ParseCommand(x.Command, mode)
			if err != nil {
				t.Fatal(err)
			}
			without := x.Without | command.Without()
			for _, syntax := range command.Syntaxes() {
				without |= syntax.Missing()
			}
			if without&ltl.PastOps != ltl.PastOps && s.Name != "xcheck translate" {
				t.Errorf("%s takes %v in mode %v", s.Name, ltl.PastOps&^without, mode)
			}
		}
		if err := schema.Validate(c); err != nil {
			t.Error(err)
		}
	}
}

// TestKnown: each known tool takes formulas or automata, and what xcheck run needs of it is there.
func TestKnown(t *testing.T) {
	page, err := os.ReadFile("../docs/aut.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range known() {
		switch {
		case len(s.arguments) == 0 && s.automaton == "":
			t.Errorf("%s: neither arguments for formulas nor for an automaton", s.Name)
		case len(s.arguments) > 0 && s.Format == "":
			t.Errorf("%s: no format", s.Name)
		case s.automaton != "":
			if _, err := translators.ParseAutomatonCommand(s.Name+" "+s.automaton, translators.Spawn); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
			if !strings.Contains(string(page), "`"+s.Name+"`") {
				t.Errorf("docs/aut.md misses %s", s.Name)
			}
		}
	}
}

func TestCompleteAutomaton(t *testing.T) {
	for text, want := range map[string]string{
		"autfilt --complement":    "autfilt --complement %H",
		"{x} bin/dstar2tgba-2 -D": "{x} bin/dstar2tgba-2 -D %H",
		"seminator":               "seminator %H",
		"kofola":                  "kofola %H",
		"ltl2dstar":               "ltl2dstar -B %H %O",
		"seminator 100%%":         "seminator 100%% %H",
		"seminator %S":            "seminator %S",
		"autfilt <x":              "autfilt <x",
		"{autfilt} mine":          "{autfilt} mine",
		"ltl3ba":                  "ltl3ba",
		"":                        "",
	} {
		if got := CompleteAutomaton(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestShorthandModes: only a tool that is known to answer each formula before it reads the
// next is kept alive.
func TestShorthandModes(t *testing.T) {
	best := map[string]string{}
	for _, s := range Shorthands() {
		program, _, _ := strings.Cut(s.Name, " ")
		best[program] = s.Mode.String()
	}
	for program, want := range map[string]string{
		"ltl2tgba": "stream", "xcheck": "stream", "owl": "batch", "ltldo": "batch",
		"spin": "spawn", "ltl3ba": "spawn", "ltl2dpa": "spawn", "delag": "spawn", "ltl2dstar": "spawn", "lbt": "spawn",
	} {
		if best[program] != want {
			t.Errorf("%s has the mode %q, want %s", program, best[program], want)
		}
	}
}

func TestComplete(t *testing.T) {
	for _, test := range []struct{ text, name, command, format string }{
		{"ltl3ba", "ltl3ba", "ltl3ba -f %s", "never"},
		{" ltl3ba\t", "ltl3ba", "ltl3ba -f %s", "never"},
		{"ltl3ba -M0", "ltl3ba -M0", "ltl3ba -M0 -f %s", "auto"},
		{"{mine} ltl2ba", "mine", "{mine} ltl2ba -f %s", "never"},
		{"{a {b} c}/opt/x/ltl2ba", "a {b} c", "{a {b} c} /opt/x/ltl2ba -f %s", "never"},
		{"{DRA} ~/mytools/ltl2dstar-0.5.4 --ltl2nba=spin:x", "DRA", "{DRA} ~/mytools/ltl2dstar-0.5.4 --ltl2nba=spin:x --output-format=hoa %[MW]L %O", "auto"},
		{"ltl2tgba -s 2>&1", "ltl2tgba -s 2>&1", "ltl2tgba -s 2>&1 -H -F -", "auto"},
		{`"/my tools/spin" -x`, `"/my tools/spin" -x`, `"/my tools/spin" -x -f %s`, "auto"},
		{"${HOME}/ltl2ba", "${HOME}/ltl2ba", "${HOME}/ltl2ba -f %s", "never"},
		{"lbt", "lbt", "lbt < %L", "lbtt"},
		{"owl ltl2dpa", "owl ltl2dpa", "owl ltl2dpa", "hoa"},
		{"/opt/owl-21.0/bin/owl ltl2dela -t MS17", "/opt/owl-21.0/bin/owl ltl2dela -t MS17", "/opt/owl-21.0/bin/owl ltl2dela -t MS17", "auto"},
		{"ltl2dra", "ltl2dra", "ltl2dra %f", "hoa"},
		{"ltl2ldgba -a", "ltl2ldgba -a", "ltl2ldgba -a %f", "auto"},
		{"java -Xmx2G -jar lib/rabinizer3.1.jar", "java -Xmx2G -jar lib/rabinizer3.1.jar", "java -Xmx2G -jar lib/rabinizer3.1.jar -silent -format=hoa -out=std %[ei^RWM]f", "auto"},
		{"xcheck translate --buchi", "xcheck translate --buchi", self() + " translate --buchi -F -", "auto"},
		{"./xcheck translate", "./xcheck translate", "./xcheck translate -F -", "hoa"},
		{"ltldo ltl2ba", "ltldo ltl2ba", "ltldo ltl2ba -F -", "auto"},
		// What is not a shorthand, or more than a program and arguments.
		{text: ""}, {text: "{x}"}, {text: "{ltl3ba"}, {text: "{/ltl3ba"}, {text: "{a\x00} ltl3ba"}, {text: "mine"}, {text: "ltl2tgbb"}, {text: "env ltl3ba"}, {text: "ltl3ba -f %s"}, {text: "{100%} ltl3ba"},
		{text: "ltl3ba | x"}, {text: "ltl3ba;"}, {text: "ltl3ba &"}, {text: "ltl3ba # x"}, {text: "ltl3ba\n" + "x"}, {text: "ltl3ba `x`"}, {text: "(ltl3ba)"},
		{text: "ltl3ba \x00"}, {text: "owl"}, {text: "owl ltl"}, {text: "java -jar"}, {text: "java -jar x.jar"}, {text: "xcheck run"}, {text: "''"},
	} {
		got, ok := Complete(test.text)
		if ok != (test.command != "") || got.Name != test.name || got.Command != test.command || got.Format != test.format {
			t.Errorf("%q: %v, %+v, want %+v", test.text, ok, got, test)
		}
		if ok {
			if _, err := translators.ParseCommand(got.Command, got.Mode); err != nil {
				t.Errorf("%q: %v", test.text, err)
			}
		}
	}
}

// FuzzComplete: what is completed is a command of its mode, with the name that it had.
func FuzzComplete(f *testing.F) {
	for _, text := range []string{"ltl3ba -M0", "{a} /x/ltl2tgba '-D", "owl ltl2dpa", "java -jar rabinizer3.jar", "{}lbt", "{a}}spin", "xcheck translate", "\"ltl2ba\" 2>&1", "{\v}lbt"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, ok := Complete(text)
		if !ok {
			return
		}
		command, err := translators.ParseCommand(x.Command, x.Mode)
		if err != nil {
			t.Fatalf("%q is completed to %q: %v", text, x.Command, err)
		}
		if name, _ := translators.SplitName(text); name != "" && command.Name() != name {
			t.Errorf("%q is completed to %q, the name of which is %q", text, x.Command, command.Name())
		}
	})
}

func TestVersionFlag(t *testing.T) {
	for program, want := range map[string]string{
		"spin": "-V", "/opt/bin/ltl3ba-1.1.3": "-v", "ltl2tgba": "--version", "owl": "--version", "ltl2dpa": "--version",
		"": "", "spinner": "", "ltl2ba": "", "java": "", "cat": "", "xcheck": "",
	} {
		if got := VersionFlag(program); got != want {
			t.Errorf("%s: %q, want %q", program, got, want)
		}
	}
}

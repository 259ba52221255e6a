package configs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestShorthands: each is valid in each mode that it has, has a name of its own, and is
// given no operator of the past, but for xcheck.
func TestShorthands(t *testing.T) {
	for _, mode := range translators.Modes() {
		c := Default()
		for _, s := range shorthands() {
			if !s.Has(translators.Spawn) || !s.Has(s.Mode) {
				t.Errorf("%s misses a mode", s.Name)
			}
			if !s.Has(mode) {
				continue
			}
			x := s.Translator(mode)
			c.Translators = append(c.Translators, x)
			command := must.Get(translators.ParseCommand(x.Command, mode))
			without := x.Without | command.Without()
			for _, syntax := range command.Syntaxes() {
				without |= syntax.Missing()
			}
			if without&ltl.PastOps != ltl.PastOps && s.Name != "xcheck translate" {
				t.Errorf("%s takes %v in mode %v", s.Name, ltl.PastOps&^without, mode)
			}
		}
		if err := validate(c); err != nil {
			t.Error(err)
		}
	}
}

// TestKnown: each known tool takes formulas or automata, and what xcheck run needs of it is there.
func TestKnown(t *testing.T) {
	page := must.Get(os.ReadFile("../docs/aut.md"))
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
	for _, s := range shorthands() {
		program, _, _ := strings.Cut(s.Name, " ")
		best[program] = s.Mode.String()
	}
	for program, want := range map[string]string{
		"ltl2tgba": "stream", "xcheck": "stream", "owl": "spawn", "ltldo": "spawn",
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
		{"owl ltl2dpa", "owl ltl2dpa", "owl ltl2dpa -f %f", "hoa"},
		{"/opt/owl-21.0/bin/owl ltl2dela -t MS17", "/opt/owl-21.0/bin/owl ltl2dela -t MS17", "/opt/owl-21.0/bin/owl ltl2dela -t MS17 -f %f", "auto"},
		{"ltl2dra", "ltl2dra", "ltl2dra %f", "hoa"},
		{"ltl2ldgba -a", "ltl2ldgba -a", "ltl2ldgba -a %f", "auto"},
		{"java -Xmx2G -jar lib/rabinizer3.1.jar", "java -Xmx2G -jar lib/rabinizer3.1.jar", "java -Xmx2G -jar lib/rabinizer3.1.jar -silent -format=hoa -out=std %[ei^RWM]f", "auto"},
		{"xcheck translate --buchi", "xcheck translate --buchi", self() + " translate --buchi -F -", "auto"},
		{"./xcheck translate", "./xcheck translate", "./xcheck translate -F -", "hoa"},
		{"ltldo ltl2ba", "ltldo ltl2ba", "ltldo ltl2ba -f %f", "auto"},
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

func TestShorthandOf(t *testing.T) {
	for command, want := range map[string]string{
		"spin": "-V", "{x} /opt/bin/ltl3ba-1.1.3 -f %s": "-v", "ltl2tgba": "--version", "owl ltl2dpa": "--version", "ltl2dpa": "--version",
		"": "", "ltl2ba": "", "java": "", "cat": "", "xcheck": "",
	} {
		got := ""
		if s := ShorthandOf(command); s != nil {
			got = s.VersionFlag
		}
		if got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestLocate(t *testing.T) {
	// A place is marked by the name of the value in front of it, as in «a.b».
	tests := []string{
		"a = «a»1\nb=«b»'x # y' # b = 2\nc\t=\t«c»\"\\\" = #\"\n",
		"«a»a.b . \"c d\" = «a.b.\"c d\"»true",
		"[«a»a]\nx = «a.x»1\n[a.«a.b»b]\nx = «a.b.x»2\n[ a.«a.\"q.r\"»\"q.r\" ]",
		"[[t]]\nx = «t[0].x»1\n[[t]] # another\nx = «t[1].x»2\n[t.u]\nx = «t[1].u.x»3\n[[t.v]]\n[[t.v]]\nx = «t[1].v[1].x»4\n[[t]]\n[[t.v]]\nx = «t[2].v[0].x»5",
		"a = «a»[ «a[0]»1, # one, [\n  «a[1]»[«a[1][0]»'x]', «a[1][1]»\"]\"], «a[2]»{b = «a[2].b»1, c.d = «a[2].c.d»[«a[2].c.d[0]»2,]},\n]\nb = «b»2",
		"a = «a»\"\"\"\nb = 1\n\\\"\"\"x\"\"\"\"\"\nc = «c»'''\nd = '''''\ne = «e»''\nf = «f»\"\"\ng = «g»\"\"\"\"\"\"\nh = «h»1979-05-27 07:32:00 # x\ni = «i»inf",
		"a = «a»1\r\n\r\n[«b»b]\r\nc = «b.c»'''\r\nx'''\r\nd = «b.d»3",
	}
	for _, marked := range tests {
		var text strings.Builder
		want := map[string]int{}
		for rest := marked; ; {
			before, after, ok := strings.Cut(rest, "«")
			text.WriteString(before)
			if !ok {
				break
			}
			name, after, _ := strings.Cut(after, "»")
			want[name], rest = text.Len(), after
		}
		var values map[string]any
		if _, err := toml.Decode(text.String(), &values); err != nil {
			t.Errorf("%s\n%v", marked, err)
		}
		places := locate(text.String()).places
		for name, offset := range want {
			got, ok := places[name]
			at := got.value
			if at < 0 {
				at = got.key
			}
			if !ok || at != offset {
				t.Errorf("%s\n%s is at %+v, want %d", marked, name, got, offset)
			}
		}
	}
}

// checkPlaces compares the places of all values with the values: strings are
// those that are written there, characters are where inString says, and tables
// and arrays have brackets.
func checkPlaces(t *testing.T, text string, places map[string]place, p path, v any) {
	here, ok := places[p.id]
	if p.id != "" {
		if !ok || here.key < 0 || here.key >= len(text) {
			t.Fatalf("%q: no place for %s: %+v", text, p.id, here)
		}
		if here.value < 0 {
			switch v.(type) {
			case map[string]any, []map[string]any:
			default:
				t.Fatalf("%q: no place for the value of %s", text, p.id)
			}
		}
	}
	switch v := v.(type) {
	case string:
		var b strings.Builder
		walkString(text, here.value, func(offset int, r rune) {
			if at := inString(text, here.value, b.Len()); at != offset {
				t.Errorf("%q: byte %d of %s is at %d, not %d", text, b.Len(), p.id, offset, at)
			}
			b.WriteRune(r)
		})
		// The parser drops the carriage returns of multi-line strings.
		if plain := strings.NewReplacer("\r", ""); plain.Replace(b.String()) != plain.Replace(v) {
			t.Errorf("%q: %s is %q, found %q", text, p.id, v, b.String())
		}
	case int64:
		word := strings.TrimLeft(text[here.value:], "+")
		if n := strconv.FormatInt(v, 10); v >= 0 && v < 10 && !strings.HasPrefix(word, n) && word[0] != '0' && word[0] != '-' {
			t.Errorf("%q: %s is %d, found %.10q", text, p.id, v, word)
		}
	case map[string]any:
		if here.value >= 0 && p.id != "" && text[here.value] != '{' {
			t.Errorf("%q: the table %s is at %.10q", text, p.id, text[here.value:])
		}
		for key, x := range v {
			checkPlaces(t, text, places, p.field(key), x)
		}
	case []map[string]any:
		for i, x := range v {
			checkPlaces(t, text, places, p.item(i), x)
		}
	case []any:
		if text[here.value] != '[' {
			t.Errorf("%q: the array %s is at %.10q", text, p.id, text[here.value:])
		}
		for i, x := range v {
			checkPlaces(t, text, places, p.item(i), x)
		}
	}
}

// TestLocateRandom puts documents together from pieces; those that happen to be
// TOML are checked.
func TestLocateRandom(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	names := []string{"a", "b", "c-1", `"d e"`, `'f.g'`, `"\u0068"`, "a.b", "b . c"}
	values := []string{
		"1", "'x'", `"\"#\" \\"`, "\"\"\"\n\\\n  é\"\"\"\"", "'''\n'q'\n'''''", "{}", "{ a = 1, b.c = '}' }", "[]",
		"[ 1, # ]\n 'a',\n]", "[[2], [{a = [3]}]]", "true", "1.5", "1979-05-27T07:32:00Z", "{ a = [ { } ] }",
	}
	valid := 0
	for range campaign.Inputs(t, 20000) {
		var b strings.Builder
		for range 1 + r.IntN(8) {
			name, value := names[r.IntN(len(names))], values[r.IntN(len(values))]
			switch r.IntN(6) {
			case 0:
				b.WriteString("[ " + name + " ] # [x]\n")
			case 1, 2:
				b.WriteString(" [[" + name + "]]\n")
			case 3:
				b.WriteString("# " + name + " = [\n\r\n")
			default:
				b.WriteString(name + " = " + value + " # '\n")
			}
		}
		var values map[string]any
		if _, err := toml.Decode(b.String(), &values); err != nil {
			locate(b.String()) // must end
			continue
		}
		l := locate(b.String())
		if len(l.again) > 0 {
			continue
		}
		valid++
		checkPlaces(t, b.String(), l.places, path{}, values)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if valid < 2000 {
		t.Errorf("only %d documents were valid", valid)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "\ufeff# x\n", "[formulas]\ninline = ['G(a -> Fb)', \"a U\"]\nsyntax = 'spin'",
		"[formulas.random]\nnumber = 3\nsize = '1..5'\npropositions = ['a']\nweights = {X = 0, \"->\" = 3}",
		"[[formulas.files]]\npath = \"a\"\n[[translators]]\ncommand = '''\nx %f'''\n[translators.env]\nA = 'b'\n[[translators]]\ntool = \"spin\"",
		"[[translators]]\nbuiltin = 'gpvw'\ntimeout = 1.5\nmax-output = '2 MiB'\nwithout = ['X']\nreference = true",
		"limits = {jobs = 3, timeout = '3s'}\nchecks.words = 3\n[output]\njson = '-'\nquiet = true",
		"a = \"\"\"\\\n \\u00e9\"\"\"\"\"\nb.c.'d e' = [{x = [1,2,]}, 1979-05-27]\n[[t]]\n[t.u]\n[[t]]", "x = 'a", "[a\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("x.toml", []byte(text))
		if err == nil {
			if err := validate(c); err != nil {
				t.Errorf("%q: parsed, but not valid: %v", text, err)
			}
		} else {
			var list Errors
			if !errors.As(err, &list) || len(list) == 0 {
				t.Fatalf("%q: the error is %#v", text, err)
			}
			lines := strings.Count(text, "\n") + 1
			for _, e := range list {
				if e.Line < 1 || e.Line > lines || e.Column < 1 || e.Column > len(text)+1 || e.Message == "" {
					t.Errorf("%q: error without a place: %+v", text, e)
				}
			}
		}
		text = strings.TrimPrefix(text, "\ufeff")
		l := locate(text)
		var values map[string]any
		if _, err := toml.Decode(text, &values); err == nil && len(l.again) == 0 {
			checkPlaces(t, text, l.places, path{}, values)
		}
	})
}

// TestQuantities reads what flags have: propositions and sizes.
func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		parse func(string) (string, error)
		what  string
		texts map[string]string // "" for an error
	}{
		{func(s string) (string, error) { x, err := ParseProps(s); return fmt.Sprint(x), err }, "propositions", map[string]string{
			"3": "[p0 p1 p2]", "a,b": "[a b]", "x": "[x]", "0": "[]", "a,,b": "", "a,b,a": "", "-1": "", "1001": "", "": ""}},
		{func(s string) (string, error) { x, y, err := ParseSizes(s); return fmt.Sprint(x, y), err }, "sizes", map[string]string{
			"3": "3 3", "1..6": "1 6", "..4": "1 4", "4..": "", "a..b": "", "": ""}},
	} {
		for text, want := range c.texts {
			got, err := c.parse(text)
			if err != nil {
				got = ""
			}
			if got != want {
				t.Errorf("%s %q: %s, %v, want %s", c.what, text, got, err, want)
			}
		}
	}
}

// validate checks a Config that was not read from a file.
func validate(c *Config) error {
	if errs := check(c); len(errs) > 0 {
		return errs
	}
	return nil
}

package configs

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

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
		c, err := schema.Parse("x.toml", []byte(text))
		if err == nil {
			if err := schema.Validate(c); err != nil {
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

package patterns

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]struct {
		len   int
		first string
		last  string
	}{
		"dac":                 {55, "dac 1", "dac 55"},
		"dac-patterns":        {55, "dac 1", "dac 55"},
		" sb\t1..10 ":         {10, "sb 1", "sb 10"},
		"dac 3":               {1, "dac 3", "dac 3"},
		"go-theta 1..5":       {5, "go-theta 1", "go-theta 5"},
		"gf-implies 003":      {1, "gf-implies 3", "gf-implies 3"},
		"ms-example 2..3 4":   {2, "ms-example 2 4", "ms-example 3 4"},
		"sejk-f 2 1..3":       {3, "sejk-f 2 1", "sejk-f 2 3"},
		"sejk-f 1..4 2..4":    {12, "sejk-f 1 2", "sejk-f 4 4"},
		"kr-n2 1":             {1, "kv-psi 1", "kv-psi 1"},
		"and-f 25000":         {1, "and-f 25000", "and-f 25000"},
		"kv-psi 1..99":        {99, "kv-psi 1", "kv-psi 99"},
		"schuppan-biere 2..3": {2, "schuppan-biere 2", "schuppan-biere 3"},
	} {
		r, err := Parse(text)
		if err != nil {
			t.Error(err)
			continue
		}
		first, last, n := "", "", 0
		for f := range r.All() {
			if n++; n == 1 {
				first = f.Name()
			}
			if last = f.Name(); f.Formula == nil || f.Size() > maxSize {
				t.Fatalf("%q: %s is too large", text, last)
			}
			if n == 20 && r.Len() > 100 {
				last, n = want.last, r.Len()
				break
			}
		}
		if r.Len() != want.len || n != want.len || first != want.first || last != want.last {
			t.Errorf("%q: %d formulas, %d made, from %s to %s; want %+v", text, r.Len(), n, first, last, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                            `patterns "": at 1: expected the name of a list or a family of formulas`,
		"  ":                          `patterns "  ": at 3: expected the name of a list or a family of formulas`,
		"dca":                         `patterns "dca": at 1: no list or family of formulas named "dca"; did you mean dac?`,
		" go-teta 3":                  `patterns " go-teta 3": at 2: no list or family of formulas named "go-teta"; did you mean go-theta?`,
		"unheard-of":                  `patterns "unheard-of": at 1: no list or family of formulas named "unheard-of"`,
		"dac 56":                      `patterns "dac 56": at 5: expected a number from 1 to 55, found 56`,
		"dac 0":                       `patterns "dac 0": at 5: expected a number from 1 to 55, found 0`,
		"dac 3..60":                   `patterns "dac 3..60": at 8: expected a number from 1 to 55, found 60`,
		"dac 7..3":                    `patterns "dac 7..3": at 5: empty range 7..3`,
		"dac -1":                      `patterns "dac -1": at 5: expected a number such as 3, or a range such as 1..5, found "-1"`,
		"dac 1...5":                   `patterns "dac 1...5": at 8: expected a number such as 3, or a range such as 1..5, found "1...5"`,
		"dac 1..":                     `patterns "dac 1..": at 8: expected a number such as 3, or a range such as 1..5, found "1.."`,
		"dac 1 2":                     `patterns "dac 1 2": at 7: expected the end, found "2": dac takes no more numbers`,
		"and-gf":                      `patterns "and-gf": at 7: expected a number or a range for n, such as 1..5: and-gf is GF p1 & GF p2 & … & GF pn`,
		"ms-example 1..2":             `patterns "ms-example 1..2": at 16: expected a number or a range for m, such as 1..5: ms-example is GF(a1 & X(a2 & … X an)) & F(b1 & F(b2 & … F bm))`,
		"and-gf 0":                    `patterns "and-gf 0": at 8: expected a number from 1 to 100000, found 0`,
		"and-gf 99999999999999999999": `patterns "and-gf 99999999999999999999": at 8: expected a number from 1 to 100000, found 99999999999999999999`,
		"and-gf 1..100000":            `patterns "and-gf 1..100000": at 17: and-gf would be of more than 100000 operators and propositions`,
		"tv-f1 500":                   `patterns "tv-f1 500": at 10: tv-f1 would be of more than 100000 operators and propositions`,
		"ms-example 1 99999":          `patterns "ms-example 1 99999": at 19: ms-example would be of more than 100000 operators and propositions`,
	} {
		_, err := Parse(text)
		var bad *Error
		if !errors.As(err, &bad) || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

// TestSets tests that every set has what its users ask for, and that every formula is in
// a normal position for a benchmark: it has propositions, and no family shrinks.
func TestSets(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Sets() {
		for _, name := range append([]string{s.Name}, s.Also...) {
			if seen[name] || strings.ContainsAny(name, " .\t") || name[0] < 'a' || name[0] > 'z' {
				t.Errorf("the name %q is not its own, or can't be asked for", name)
			}
			seen[name] = true
		}
		if s.About == "" || !strings.Contains(s.Source, ":") || (s.Len() == 0) != (len(s.Parameters) > 0) || len(s.Parameters) > 2 {
			t.Errorf("%+v", s)
		}
		if s.Name == "found" {
			continue // see TestFound
		}
		if s.Len() > 0 {
			r := must.Get(Parse(s.Name))
			for f := range r.All() {
				// Of each letter, the numbers start with 0.
				for _, p := range f.Props() {
					before := p[:1] + string(p[1]-1)
					if p[1] > '0' && !slices.Contains(f.Props(), before) && s.Name != "lily" {
						t.Errorf("%s: %s has %s, but not %s", f.Name(), f, p, before)
					}
				}
			}
			continue
		}
		// The largest parameters of a range give its largest formula.
		for n := s.Parameters[0].Least; n < 12; n++ {
			f, _ := s.formula([2]int{n, 2})
			g, _ := s.formula([2]int{n + 1, 2})
			h, _ := s.formula([2]int{n, 3})
			if f.Size() >= g.Size() || f.Size() > h.Size() || len(s.Parameters) == 2 && f.Size() == h.Size() {
				t.Errorf("%s: size %d for n = %d, %d for n+1, %d for m+1", s.Name, f.Size(), n, g.Size(), h.Size())
			}
		}
	}
}

// TestTooLarge tests that no family makes a formula beyond the limit, and that each
// makes those within it.
func TestTooLarge(t *testing.T) {
	const limit = 1000
	for _, s := range Sets() {
		if s.make == nil {
			continue
		}
		if f, ok := s.build([2]int{1 << 30, 1 << 30}, limit); ok {
			t.Errorf("%s: a formula of size %d", s.Name, f.Size())
		}
		refused := false
		for n := 1; n < 1500; n += 1 + n/2 {
			switch f, ok := s.build([2]int{n, 1}, limit); {
			case ok && (refused || f.Size() > limit):
				t.Errorf("%s: n = %d of size %d was made", s.Name, n, f.Size())
			case !ok && !refused && n < 10:
				t.Errorf("%s: n = %d was refused", s.Name, n)
			case !ok:
				refused = true
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"dac", "dac 1..10", "go-theta 1..5", "ms-example 1..3 2", "and-gf 7..2", "dca", "kv-psi 99999", " p\t1 "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(text)
		var bad *Error
		switch {
		case errors.As(err, &bad):
			if bad.Offset < 0 || bad.Offset > len(text) || bad.Text != text {
				t.Errorf("%q: %+v", text, bad)
			}
			return
		case err != nil:
			t.Fatalf("%q: %v", text, err)
		case r.Len() < 1:
			t.Fatalf("%q: %d formulas", text, r.Len())
		}
		for x := range r.All() {
			again, err := Parse(x.Name())
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			for y := range again.All() {
				if again.Len() != 1 || y.Name() != x.Name() || ltl.NewStore().Import(x.Formula).String() != y.String() {
					t.Fatalf("%q: %s is %s again", text, x.Name(), y.Name())
				}
			}
			break
		}
	})
}

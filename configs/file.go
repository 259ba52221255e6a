package configs

import (
	"math"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/report"
)

// config reads the whole file. What is wrong is left as it is in Default.
func (d *decoder) config() *Config {
	c := Default()
	top := &table{d: d, values: d.root}
	top.section("formulas", func(t *table) { t.formulas(c) })
	top.array("translators", func(t *table, v any) {
		var x Translator
		if t.values != nil {
			x = t.translator()
		} else {
			d.errs.add(t.path, atValue, "expected a table, found %s", kind(v))
		}
		c.Translators = append(c.Translators, x)
	})
	for _, name := range []string{"checks", "limits", "triage", "history", "output"} {
		top.section(name, func(t *table) {
			t.settings(c, name)
			switch {
			case name == "checks":
				t.checks(&c.Checks)
			case name == "output":
				t.reports(&c.Output)
			case name == "history" && t.values["file"] == nil:
				d.errs.add(t.path, atValue, "expected a file")
			}
		})
	}
	top.end()
	return c
}

func (t *table) reports(o *Output) {
	for _, r := range report.Written() {
		mark, file := "", ""
		if r.Appends {
			mark = ">>"
		}
		if t.values[r.Name] == "-" && r.Stdout {
			set(t, r.Name, &file)
		} else {
			t.file(r.Name, mark, &file)
		}
		if file != "" {
			o.Report(r.Name, file)
		}
	}
}

func (t *table) checks(c *Checks) {
	if i := t.oneOf("reference", "reference", []string{"builtin", "none"}); i >= 0 {
		c.Reference = i == 0
	}
	seed := -1
	if t.integer("seed", 0, math.MaxInt64, &seed); seed >= 0 {
		c.Products.Seed = uint64(seed)
	}
}

func (t *table) formulas(c *Config) {
	f := &c.Formulas
	f.Random = nil
	t.syntax(&f.Syntax, ltl.Auto)
	t.settings(c, "formulas")
	t.strings("inline", func(_ path, text string) { f.Inline = append(f.Inline, text) })
	t.strings("patterns", func(_ path, text string) { f.Patterns = append(f.Patterns, text) })
	t.array("files", func(t *table, v any) {
		file := File{Syntax: f.Syntax}
		name, short := v.(string)
		switch {
		case short && name != "":
			file = NewFile(t.d.resolve(name), file.Syntax)
		case short || t.values == nil:
			t.d.errs.add(t.path, atValue, "expected the name of a file, or a table with a path")
		default:
			t.file("path", "", &file.Path)
			t.syntax(&file.Syntax, ltl.Auto)
			t.column(&file.Column)
			t.end()
			if t.values["path"] == nil {
				t.d.errs.add(t.path, atValue, "expected a path")
			}
		}
		f.Files = append(f.Files, file)
	})
	drawn, ok := t.table("random")
	f.Unasked = !ok && len(f.Inline)+len(f.Patterns)+len(f.Files) == 0
	if ok || len(f.Inline)+len(f.Patterns)+len(f.Files) == 0 {
		f.Random = defaultRandom()
		drawn.random(c)
	}
}

// uniform are the keys of random formulas that have no profile.
var uniform = strings.Fields("propositions size weights past psl sere-weights boolean weak-fairness simplify keep-trivial keep-duplicates")

func (t *table) random(c *Config) {
	r := c.Formulas.Random
	t.settings(c, "formulas.random")
	if r.For > 0 && r.Until != "" {
		t.d.errs.add(t.path.field("until"), atKey, "only one of for and until can be given")
	}
	if r.Timed() && t.values["number"] == nil {
		r.Number = -1
	}
	if v, p, ok := get[int64](t, "seed"); ok {
		if v < 0 {
			t.d.errs.add(p, atValue, "expected a number from 0 to %d, found %d", int64(math.MaxInt64), v)
		}
		r.Seed, r.Seeded = uint64(v), true
	}
	own := slices.ContainsFunc(uniform, func(key string) bool { return t.values[key] != nil })
	if own {
		r.Profile = ""
	}
	if name, p, ok := get[string](t, "profile"); ok && own {
		t.d.errs.add(p, atValue, "a profile has sizes, propositions and weights of its own: expected no other key of formulas")
	} else if ok {
		var err error
		if r.Profile, err = random.ParseProfile(name); err != nil {
			t.d.errs.add(p, atValue, "%v", err)
		}
	}
	guide := true
	set(t, "guide", &guide)
	r.NoGuide = !guide
	t.propositions(&r.Props)
	t.weights(r)
	t.end()
}

// propositions takes the names of propositions, or their number.
func (t *table) propositions(names *[]string) {
	const key = "propositions"
	switch v := t.values[key].(type) {
	case nil, int64:
		n := -1
		if t.integer(key, 0, 1000, &n); n >= 0 {
			*names = numbered(n)
		}
	case []any:
		*names = nil
		t.strings(key, func(p path, name string) {
			switch {
			case name == "":
				t.d.errs.add(p, atValue, "expected a name")
			case slices.Contains(*names, name):
				t.d.errs.add(p, atValue, "duplicate name %q", name)
			}
			*names = append(*names, name)
		})
	default:
		_, p, _ := get[any](t, key)
		t.d.errs.add(p, atValue, "expected a number or an array of names, found %s", kind(v))
	}
}

// weights takes a table from operators to their weights.
func (t *table) weights(r *Random) {
	t.section("weights", func(w *table) {
		r.Weights = make(map[ltl.Op]int)
		for op := ltl.OpFalse; op <= ltl.OpSuffixImplication; op++ {
			n := -1
			if w.integer(op.String(), 0, 1e6, &n); n >= 0 {
				r.Weights[op] = n
			}
		}
	})
	t.section("sere-weights", func(w *table) {
		r.SEREWeights = make(map[ltl.SEREKind]int)
		for _, k := range ltl.SEREKinds() {
			n := -1
			if w.integer(k.String(), 0, 1e6, &n); n >= 0 {
				r.SEREWeights[k] = n
			}
		}
	})
}

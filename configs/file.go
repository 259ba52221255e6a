package configs

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// config reads the whole file. What is wrong is left as it is in Default.
func (d *decoder) config() *Config {
	c := Default()
	top := &table{d: d, values: d.root}
	top.section("formulas", func(t *table) { t.formulas(&c.Formulas) })
	top.array("translators", func(t *table, v any) {
		var x Translator
		if t.values != nil {
			x = t.translator()
		} else {
			d.errs.add(t.path, atValue, "expected a table, found %s", kind(v))
		}
		c.Translators = append(c.Translators, x)
	})
	top.section("checks", func(t *table) { t.checks(&c.Checks) })
	top.section("limits", func(t *table) { t.limits(&c.Limits) })
	top.section("triage", func(t *table) {
		set(t, "grind", &c.Triage.Grind)
		t.integer("grind-calls", 0, math.MaxInt32, &c.Triage.MaxCalls)
	})
	top.section("history", func(t *table) {
		t.file("file", "", &c.History.File)
		set(t, "name", &c.History.Name)
		set(t, "baseline", &c.History.Baseline)
		set(t, "fail-on-new", &c.History.FailOnNew)
		if t.values["file"] == nil {
			d.errs.add(t.path, atValue, "expected a file")
		}
	})
	top.section("output", func(t *table) { t.outputs(&c.Output) })
	top.end()
	return c
}

func (t *table) outputs(o *Output) {
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
	set(t, "strength", &o.Strength)
	set(t, "ambiguous", &o.Ambiguous)
	set(t, "automata", &o.Automata)
	set(t, "omit-missing", &o.OmitMissing)
	set(t, "csv-more", &o.CSVMore)
	set(t, "quiet", &o.Quiet)
	set(t, "verbose", &o.Verbose)
	t.file("save-bogus", ">>", &o.SaveBogus)
	t.file("save-automata", "", &o.SaveAutomata)
	t.file("save-proofs", "", &o.SaveProofs)
}

func (t *table) checks(c *Checks) {
	set(t, "all-pairs", &c.AllPairs)
	t.integer("words", 0, 1e6, &c.Words)
	t.integer("exhaustive", 0, MaxExhaustive, &c.Exhaustive)
	name(t, "prove", "choice of proofs", []cross.Proving{cross.ProveAuto, cross.ProveAll, cross.ProveNone}, &c.Prove)
	set(t, "properties", &c.Properties)
	if i := t.oneOf("reference", "reference", []string{"builtin", "none"}); i >= 0 {
		c.Reference = i == 0
	}
	name(t, "complement", "construction", complement.Algorithms(), &c.Complement)
	name(t, "emptiness", "emptiness check", emptiness.AllAlgorithms(), &c.Emptiness)
	set(t, "no-complement", &c.NoComplement)
	set(t, "no-checks", &c.NoChecks)
	t.integer("products", 0, MaxProducts, &c.Products.Number)
	set(t, "separate-products", &c.Separate)
	t.integer("states", 1, MaxSpace, &c.Products.States)
	t.fraction("density", &c.Products.Density)
	seed := -1
	if t.integer("seed", 0, math.MaxInt64, &seed); seed >= 0 {
		c.Products.Seed = uint64(seed)
	}
	set(t, "stop-on-error", &c.StopOnError)
	if fail, _, ok := get[bool](t, "fail-on-timeout"); ok && fail {
		c.Timeouts = TimeoutsError
	} else if ok {
		c.Timeouts = TimeoutsIgnore
	}
	set(t, "ignore-execution-failures", &c.IgnoreExecutionFailures)
}

// MaxExhaustive bounds the size of words that are all tried.
const MaxExhaustive = 20

// Bounds of random state spaces. The edges of one are drawn for each pair of states.
const (
	MaxProducts = 10000
	MaxSpace    = 10000
)

func (t *table) formulas(f *Formulas) {
	f.Random = nil
	t.syntax(&f.Syntax, ltl.Auto)
	set(t, "allow-dups", &f.AllowDups)
	set(t, "lenient", &f.Lenient)
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
		drawn.random(f.Random)
	}
}

func (t *table) random(r *Random) {
	t.period(r)
	t.integer("number", 1, 1e9, &r.Number)
	if v, p, ok := get[int64](t, "seed"); ok {
		if v < 0 {
			t.d.errs.add(p, atValue, "expected a number from 0 to %d, found %d", int64(math.MaxInt64), v)
		}
		r.Seed, r.Seeded = uint64(v), true
	}
	uniform := slices.ContainsFunc([]string{"propositions", "size", "weights", "past", "psl", "sere-weights", "boolean", "weak-fairness", "simplify", "keep-trivial", "keep-duplicates"},
		func(key string) bool { return t.values[key] != nil })
	if uniform {
		r.Profile = ""
	}
	convert(t, "profile", &r.Profile, func(v any) (random.Profile, error) {
		name, ok := v.(string)
		switch {
		case !ok:
			return "", fmt.Errorf("expected a string, found %s", kind(v))
		case uniform:
			return "", errors.New("a profile has sizes, propositions and weights of its own: expected no other key of formulas")
		}
		return random.ParseProfile(name)
	})
	guide := true
	set(t, "guide", &guide)
	r.NoGuide = !guide
	t.propositions(&r.Props)
	t.sizes(r)
	t.weights(r)
	set(t, "past", &r.Past)
	set(t, "psl", &r.PSL)
	set(t, "boolean", &r.Boolean)
	set(t, "weak-fairness", &r.WeakFairness)
	level := int(r.Simplify)
	t.integer("simplify", 0, int64(ltl.LevelImplications), &level)
	r.Simplify = ltl.Level(level)
	set(t, "keep-trivial", &r.KeepTrivial)
	set(t, "keep-duplicates", &r.KeepDuplicates)
	t.end()
}

// period takes the time that a run is to take, or when it is to end.
func (t *table) period(r *Random) {
	t.duration("for", &r.For)
	text, p, ok := get[string](t, "until")
	if ok {
		var err error
		if r.Until, err = ParseUntil(text); err != nil {
			t.d.errs.add(p, atValue, "%v", err)
		} else if r.For > 0 {
			t.d.errs.add(p, atKey, "only one of for and until can be given")
		}
	}
	if r.Timed() {
		r.Number = -1
	}
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

func (t *table) sizes(r *Random) {
	both := [2]int{r.MinSize, r.MaxSize}
	convert(t, "size", &both, func(v any) (x [2]int, err error) {
		switch v := v.(type) {
		case string:
			x[0], x[1], err = ParseSizes(v)
		case int64:
			x[0] = int(max(0, min(v, maxSize+1)))
			x[1] = x[0]
			err = checkSizes(x[0], x[1])
		default:
			err = fmt.Errorf("expected a number, or a range such as \"5..20\", found %s", kind(v))
		}
		return x, err
	})
	r.MinSize, r.MaxSize = both[0], both[1]
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

func (t *table) limits(l *Limits) {
	t.integer("jobs", 0, 10000, &l.Jobs)
	t.toolLimits("tool-", &l.Limits)
	t.integer("macrostates", 0, math.MaxInt32, &l.Check.Macrostates)
	t.integer("product-states", 0, math.MaxInt32, &l.Check.ProductStates)
	t.bytes("memory", &l.Check.Memory)
	t.integer("word-steps", 0, math.MaxInt32, &l.Check.WordSteps)
	t.duration("check-timeout", &l.Check.Time)
	if t.values["case-timeout"] != nil {
		l.Case = new(time.Duration)
	}
	t.duration("case-timeout", l.Case)
}

// toolLimits takes the limits of a call. The prefix tells some of them from limits of
// checks.
func (t *table) toolLimits(prefix string, l *translators.Limits) {
	t.duration("timeout", &l.Timeout)
	t.duration(prefix+"cpu-time", &l.CPU)
	t.bytes(prefix+"memory", &l.Memory)
	t.bytes("address-space", &l.AddressSpace)
	t.integer("open-files", minOpenFiles, math.MaxInt32, &l.OpenFiles)
	t.bytes("max-output", &l.MaxOutput)
}

// minOpenFiles are standard input, output and error, and a few for the loader of the
// program.
const minOpenFiles = 8

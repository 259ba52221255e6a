package configs

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/xcheck-ltl/xcheck/internal/wholefile"
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
		var x Translator // what is wrong keeps its number, which errors name
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
		// "-" is standard output, and not a file beside the configuration.
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
	t.seed(func(seed uint64) { c.Products.Seed = seed })
}

func (t *table) formulas(c *Config) {
	// The default of random formulas is for files that have no others.
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
	f.Unasked = !ok && len(f.Inline)+len(f.Patterns)+len(f.Files) == 0 // nobody asked for the random formulas
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
	if r.Timed() && t.values["number"] == nil { // the time alone ends the run
		r.Number = -1
	}
	t.seed(func(seed uint64) { r.Seed, r.Seeded = seed, true })
	// A profile says what formulas are like, and so do these keys.
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
		if t.integer(key, 0, 1000, &n); n >= 0 { // -1 without the key, or after an error
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

// weights takes two tables of weights: of operators, and of regular expressions.
func (t *table) weights(r *Random) {
	var ops []ltl.Op
	for op := ltl.OpFalse; op <= ltl.OpSuffixImplication; op++ {
		ops = append(ops, op)
	}
	t.section("weights", func(w *table) { r.Weights = weightsOf(w, ops) })
	t.section("sere-weights", func(w *table) { r.SEREWeights = weightsOf(w, ltl.SEREKinds()) })
}

// weightsOf takes the weights of some of all operators, or expressions.
func weightsOf[K interface {
	comparable
	fmt.Stringer
}](t *table, all []K) map[K]int {
	weights := make(map[K]int)
	for _, k := range all {
		n := -1
		if t.integer(k.String(), 0, 1e6, &n); n >= 0 {
			weights[k] = n
		}
	}
	return weights
}

// A decoder turns what the TOML parser gives into a Config, and collects what is
// wrong on the way.
type decoder struct {
	file   string
	text   string
	root   map[string]any
	places *locator
	errs   Errors
}

// newDecoder parses the data as TOML. The error has the single thing that is
// wrong.
func newDecoder(file string, data []byte) (*decoder, error) {
	// Offsets count from behind a byte order mark, which is on no column.
	d := &decoder{file: file, text: strings.TrimPrefix(string(data), "\ufeff")}
	fail := func(offset int, message string) (*decoder, error) {
		e := &Error{File: file, Message: "not valid TOML: " + strings.ReplaceAll(message, "\n", `\n`)}
		e.Line, e.Column = lineColumn(d.text, offset)
		return nil, Errors{e}
	}
	if at := tooDeep(d.text); at >= 0 {
		return fail(at, fmt.Sprintf("arrays, tables or keys nested deeper than %d", maxDepth))
	}
	_, err := toml.Decode(d.text, &d.root)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		return fail(syntax.Position.Start, syntax.Message)
	case err != nil:
		return fail(0, err.Error()) // an error without a place
	}
	d.places = locate(d.text)
	if len(d.places.again) > 0 { // the parser does not find all of them
		return fail(d.places.again[0], "duplicate key")
	}
	return d, nil
}

// A table is one whose keys are being taken.
type table struct {
	d      *decoder
	path   path
	values map[string]any
	known  []string // keys that were asked for
}

// get takes the value of a key. If it is there but is no T, that is an error.
func get[T any](t *table, key string) (value T, p path, ok bool) {
	p = t.path.field(key)
	t.known = append(t.known, key)
	v, there := t.values[key]
	if !there {
		return value, p, false
	}
	value, err := asIs[T](v)
	if err != nil {
		t.d.errs.add(p, atValue, "%v", err)
	}
	return value, p, err == nil
}

// kind names the type of a value.
func kind(v any) string {
	switch v.(type) {
	case bool:
		return "true or false"
	case string:
		return "a string"
	case int64:
		return "a whole number"
	case float64:
		return "a number with a fraction"
	case time.Time:
		return "a date or a time"
	case map[string]any:
		return "a table"
	case []any:
		return "an array"
	case []map[string]any:
		return "an array of tables"
	}
	return "something else"
}

// set stores a value without a check of its range.
func set[T any](t *table, key string, to *T) {
	if v, _, ok := get[T](t, key); ok {
		*to = v
	}
}

// oneOf takes a string that must be one of some names, and returns its index, or
// -1.
func (t *table) oneOf(key, what string, names []string) int {
	text, p, ok := get[string](t, key)
	if !ok {
		return -1
	}
	return t.d.choose(p, text, what, names)
}

// choose returns the index of text among names. If it is none of them, that is
// an error in the value at p.
func (d *decoder) choose(p path, text, what string, names []string) int {
	i := slices.Index(names, text)
	if i < 0 {
		d.errs.unknown(p, atValue, text, fmt.Sprintf("unknown %s %q", what, text), names)
	}
	return i
}

func (t *table) integer(key string, low, high int, to *int) {
	t.take(key, &Setting{low: low, high: high}, to)
}

// seed takes the seed of random numbers, if the table has one.
func (t *table) seed(use func(seed uint64)) {
	seed := -1
	if t.integer("seed", 0, math.MaxInt64, &seed); seed >= 0 {
		use(uint64(seed))
	}
}

// settings takes the settings of a section.
func (t *table) settings(c *Config, section string) {
	for i := range settings {
		s := &settings[i]
		// Keys with another dot belong to a section below this one.
		if key, ok := strings.CutPrefix(s.Key, section+"."); ok && !strings.Contains(key, ".") {
			t.take(key, s, s.at(c))
		}
	}
}

// take takes the value of a setting, which is kept where at points to.
func (t *table) take(key string, s *Setting, at any) {
	if s.file { // it is relative to the configuration
		t.file(key, s.mark, at.(*string))
		return
	}
	v, p, ok := get[any](t, key)
	if !ok {
		return
	}
	err := s.assign(at, v)
	var unknown *nameError
	switch n, number := v.(int64); {
	case err == nil:
	case errors.As(err, &unknown):
		t.d.errs.unknown(p, atValue, unknown.name, err.Error(), unknown.names)
	case number && s.high > 0: // the range alone does not show what is wrong
		t.d.errs.add(p, atValue, "%v, found %d", err, n)
	default:
		t.d.errs.add(p, atValue, "%v", err)
	}
}

func (t *table) column(to *int) {
	t.integer("column", -maxColumn, maxColumn, to)
	if t.values["column"] == int64(0) {
		t.d.errs.add(t.path.field("column"), atValue, "expected a column 1, 2, …, or -1, -2, … if the first line has the names of columns")
	}
}

const maxColumn = 10000

// syntax takes the name of a syntax: of one that formulas are written in, or of more.
func (t *table) syntax(to *ltl.Syntax, more ...ltl.Syntax) {
	all := append([]ltl.Syntax{ltl.Spot, ltl.Spin, ltl.LBT, ltl.Wring}, more...)
	if i := t.oneOf("syntax", "syntax", namesOf(all)); i >= 0 {
		*to = all[i]
	}
}

func namesOf[T any](list []T) (names []string) {
	for _, x := range list {
		names = append(names, fmt.Sprint(x))
	}
	return names
}

// file takes the name of a file, which is relative to the folder of the configuration. With a mark,
// such as >>, that may stand before the name, and stays there.
func (t *table) file(key, mark string, to *string) {
	v, p, ok := get[string](t, key)
	name, marked := strings.CutPrefix(v, mark) // always true for an empty mark
	if !marked {
		mark = ""
	} else if mark != "" {
		name = strings.TrimSpace(name)
	}
	switch {
	case !ok:
	case name == "":
		t.d.errs.add(p, atValue, "expected the name of a file")
	default:
		*to = mark + t.d.resolve(name)
	}
}

func (d *decoder) resolve(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	folder, _ := filepath.Split(d.file)
	return wholefile.In(folder, name)
}

// strings takes an array of strings. Each is given to use with its path.
func (t *table) strings(key string, use func(p path, text string)) {
	list, p, _ := get[[]any](t, key)
	for i, v := range list {
		if text, ok := v.(string); ok {
			use(p.item(i), text)
		} else {
			t.d.errs.add(p.item(i), atValue, "expected a string, found %s", kind(v))
		}
	}
}

// table takes a table. It is empty if it is missing.
func (t *table) table(key string) (sub *table, ok bool) {
	v, p, ok := get[map[string]any](t, key)
	return &table{d: t.d, path: p, values: v}, ok
}

// section takes a table by use, if it is there. Other keys in it are errors.
func (t *table) section(key string, use func(*table)) {
	if sub, ok := t.table(key); ok {
		use(sub)
		sub.end()
	}
}

// array takes an array, written as [[key]] or in brackets, and gives each of its
// elements to use. An element that is no table is given as a table without
// values.
func (t *table) array(key string, use func(element *table, v any)) {
	v, p, ok := get[any](t, key)
	if !ok {
		return
	}
	switch list := v.(type) {
	case []map[string]any: // [[key]]
		for i, v := range list {
			use(&table{d: t.d, path: p.item(i), values: v}, v)
		}
	case []any:
		for i, v := range list {
			values, _ := v.(map[string]any) // nil if it is no table
			use(&table{d: t.d, path: p.item(i), values: values}, v)
		}
	case map[string]any: // written as [key]
		e := t.d.errs.add(p, atValue, "expected an array of tables, found a table")
		e.Suggestion = "[[" + p.key + "]]"
	default:
		t.d.errs.add(p, atValue, "expected an array, found %s", kind(v))
	}
}

// end makes errors of the keys that nobody has asked for.
func (t *table) end() {
	for key := range t.values {
		if !slices.Contains(t.known, key) {
			t.d.errs.unknown(t.path.field(key), atKey, key, "unknown key", t.known)
		}
	}
}

package configs

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/xcheck-ltl/xcheck/ltl"
)

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
		return fail(0, err.Error())
	}
	d.places = locate(d.text)
	if len(d.places.again) > 0 {
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
	if value, ok = v.(T); !ok {
		t.d.errs.add(p, atValue, "expected %s, found %s", kind(value), kind(v))
	}
	return value, p, ok
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

// set takes a value as it is.
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

func (t *table) integer(key string, low, high int64, to *int) {
	v, p, ok := get[int64](t, key)
	switch {
	case !ok:
	case v < low || v > high:
		t.d.errs.add(p, atValue, "expected a number from %d to %d, found %d", low, high, v)
	default:
		*to = int(v)
	}
}

// settings takes the settings of a section.
func (t *table) settings(c *Config, section string) {
	for i := range settings {
		s := &settings[i]
		if key, ok := strings.CutPrefix(s.Key, section+"."); ok && !strings.Contains(key, ".") {
			t.take(key, s, s.at(c))
		}
	}
}

// take takes the value of a setting, which is kept where at points to.
func (t *table) take(key string, s *Setting, at any) {
	if s.file {
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
	case number && s.high > 0:
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
	name, marked := strings.CutPrefix(v, mark)
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
	return filepath.Join(filepath.Dir(d.file), name)
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
	case []map[string]any:
		for i, v := range list {
			use(&table{d: t.d, path: p.item(i), values: v}, v)
		}
	case []any:
		for i, v := range list {
			values, _ := v.(map[string]any)
			use(&table{d: t.d, path: p.item(i), values: values}, v)
		}
	case map[string]any:
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

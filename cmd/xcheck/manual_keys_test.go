package main

import (
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/must"
)

// manualTables are the tables of a configuration, each with what it needs at least.
var manualTables = []struct{ name, needed string }{
	{"[formulas]", ""},
	{"[formulas.random]", ""},
	{"[[translators]]", "command = 'mytool %f'\n"},
	{"[checks]", ""},
	{"[limits]", ""},
	{"[triage]", ""},
	{"[history]", "file = 'h.db'\n"},
	{"[output]", ""},
}

// TestManualKeys: docs/configuration.md has each key, no other one, and the right defaults.
func TestManualKeys(t *testing.T) {
	text := must.Get(os.ReadFile("../../docs/configuration.md"))
	for _, table := range manualTables {
		rows := keyRows(string(text), table.name)
		var shown []string
		for _, row := range rows {
			shown = append(shown, row.keys...)
			for _, key := range row.keys {
				if row.value != "" && !sameConfig(t, table.name, table.needed, key, row.value) {
					t.Errorf("%s %s: %s is not the default", table.name, key, row.value)
				}
			}
		}
		for _, key := range keysOf(t, table.name, table.needed) {
			if i := slices.Index(shown, key); i >= 0 {
				shown = slices.Delete(shown, i, i+1)
			} else if "["+strings.Trim(table.name, "[]")+"."+key+"]" != "[formulas.random]" {
				t.Errorf("docs/configuration.md misses %s %s", table.name, key)
			}
		}
		if len(shown) > 0 {
			t.Errorf("docs/configuration.md has keys that %s does not have, or twice: %q", table.name, shown)
		}
	}
}

// A keyRow is a row of the manual: keys, and the default if it is a value of TOML.
type keyRow struct {
	keys  []string
	value string
}

var (
	keySpan   = lazy("`([^`]+)`")
	tomlValue = lazy("^`(true|false|[0-9.]+|\"[^\"]*\")`$")
)

// keyRows returns the rows of the table below a heading.
func keyRows(text, heading string) (rows []keyRow) {
	_, rest, _ := strings.Cut(text, "\n## `"+heading+"`\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	_, table, _ := strings.Cut(section, "| key | default | meaning |\n|---|---|---|\n")
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		if len(cells) < 2 {
			break
		}
		var row keyRow
		for _, m := range keySpan().FindAllStringSubmatch(cells[0], -1) {
			row.keys = append(row.keys, m[1])
		}
		if m := tomlValue().FindStringSubmatch(cells[1]); m != nil {
			row.value = m[1]
		}
		rows = append(rows, row)
	}
	return rows
}

// keysOf returns the keys of a table, which the error of an unknown one lists.
func keysOf(t *testing.T, table, needed string) []string {
	_, err := configs.Parse("", []byte(table+"\n"+needed+"qqqqqqqqqqqqqqqqqqqq = 1\n"))
	if err == nil {
		t.Fatalf("%s takes any key", table)
	}
	_, list, ok := strings.Cut(err.Error(), "unknown key: expected one of ")
	if !ok {
		t.Fatalf("%s: %v", table, err)
	}
	return strings.Split(list, ", ")
}

// sameConfig says whether a configuration with the value is that without the key. A key that says
// what random formulas are like replaces the profile, so it is compared with another one.
func sameConfig(t *testing.T, table, needed, key, value string) bool {
	with, err := parseKeys(table, needed, key+" = "+value+"\n")
	if err != nil {
		t.Errorf("%s %s = %s: %v", table, key, value, err)
		return true
	}
	for _, other := range []string{"", "simplify = 0\n", "keep-trivial = false\n"} {
		without, err := parseKeys(table, needed, other)
		if err == nil && reflect.DeepEqual(with, without) {
			return true
		}
	}
	return false
}

func parseKeys(table, needed, more string) (*configs.Config, error) {
	c, err := configs.Parse("", []byte(table+"\n"+needed+more))
	var list configs.Errors
	if errors.As(err, &list) {
		return nil, list[0]
	}
	if err == nil && c.Formulas.Random != nil {
		c.Formulas.Random.Seeded = false
	}
	return c, err
}

// TestManualKeysNotice: a wrong default is found.
func TestManualKeysNotice(t *testing.T) {
	for _, x := range []struct{ table, needed, key, value string }{
		{"[formulas.random]", "", "size", `"1..13"`},
		{"[formulas.random]", "", "profile", `"large"`},
		{"[checks]", "", "words", "21"},
		{"[history]", "file = 'h.db'\n", "fail-on-new", "true"},
	} {
		if sameConfig(t, x.table, x.needed, x.key, x.value) {
			t.Errorf("%s: %s = %s is taken for the default", x.table, x.key, x.value)
		}
	}
	got := keyRows("\n## `[a]`\n| key | default | meaning |\n|---|---|---|\n| `x` `y` | `false` | m |\n\n## `[b]`\n", "[a]")
	if want := []keyRow{{[]string{"x", "y"}, "false"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("rows: %v", got)
	}
}

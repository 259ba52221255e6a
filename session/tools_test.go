package session

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestNewTool: all that a configuration says of a translator arrives at the tool, and
// where it says nothing, the limits for all.
func TestNewTool(t *testing.T) {
	all := configs.Limits{Limits: translators.Limits{
		Timeout: 1 * time.Second, CPU: 2 * time.Second, MaxOutput: 3, Memory: 4, AddressSpace: 5, OpenFiles: 6,
	}}
	own := translators.Limits{Timeout: 10 * time.Second, CPU: 20 * time.Second, MaxOutput: 30, Memory: 40, AddressSpace: 50, OpenFiles: 60}
	tool, err := newTool(configs.Translator{
		Name: "x", Command: "x --all", Mode: translators.Stream, Syntax: ltl.LBT, Processes: 3, CleanEnv: true,
		Format: "lbtt", Limits: own, Env: map[string]string{"A": "b"}, Reference: true,
	}, all)
	if err != nil {
		t.Fatal(err)
	}
	if tool.Name != "x" || tool.Mode != translators.Stream || tool.Syntax != ltl.LBT || tool.Processes != 3 || !tool.CleanEnv ||
		tool.Format != "lbtt" || !tool.Reference || len(tool.Env) != 1 || tool.Env[0] != "A=b" {
		t.Errorf("the tool is %+v", tool)
	}
	if diff := cmp.Diff(own, tool.Limits); diff != "" {
		t.Errorf("the translator's own limits (-want +got):\n%s", diff)
	}
	tool, err = newTool(configs.Translator{Command: "x %[MW]L", Format: "auto", Without: ltl.Ops(ltl.OpNext)}, all)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(all.Limits, tool.Limits); diff != "" {
		t.Errorf("the limits for all (-want +got):\n%s", diff)
	}
	if want := ltl.Ops(ltl.OpNext, ltl.OpStrongRelease, ltl.OpWeakUntil); tool.Name != "x %[MW]L" || tool.Format != "" || tool.Without != want {
		t.Errorf("the tool is %+v, want it without %v", tool, want)
	}
	if _, err := newTool(configs.Translator{Command: "x %f", Mode: translators.Batch}, all); err == nil {
		t.Error("a command that is none of its mode has no error")
	}
}

// TestOptionsChangeFormat: with options from flags, the format of a known tool is recognized from
// the output: ltl3ba prints never claims, but HOA with -H3.
func TestOptionsChangeFormat(t *testing.T) {
	for _, choice := range []*Choice{{}, {Options: []string{"ltl3ba=all"}}, {With: []string{"ltl3ba=-H3"}}} {
		known, _ := configs.Complete("ltl3ba")
		tool, err := newTool(known, configs.Default().Limits)
		if err != nil {
			t.Fatal(err)
		}
		tools := []*translators.Tool{tool}
		if err := choice.setOptions(tools, nil); err != nil {
			t.Fatal(err)
		}
		want := ""
		if choice.Options == nil && choice.With == nil {
			want = "never"
		}
		if tools[0].Format != want {
			t.Errorf("%+v: the format is %q, want %q", choice, tools[0].Format, want)
		}
	}
}

// TestNewToolBuiltin: the built-in ones have all modes, and xcheck's own version.
func TestNewToolBuiltin(t *testing.T) {
	for mode, want := range map[translators.Mode]string{
		translators.Spawn:  " translate --algorithm cgh %f",
		translators.Stream: " translate --algorithm cgh -F -",
		translators.Batch:  " translate --algorithm cgh -F -",
	} {
		tool, err := newTool(configs.Translator{Name: "cgh", Builtin: "cgh", Mode: mode}, configs.Default().Limits)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(tool.Command.Text(), want) || tool.Mode != mode || tool.Version != version.Own() || tool.Builtin == nil {
			t.Errorf("%v: the tool is %+v", mode, tool)
		}
	}
	known, _ := configs.Complete("xcheck translate --buchi")
	tool, err := newTool(known, configs.Default().Limits)
	if err != nil {
		t.Fatal(err)
	}
	if tool.Name != "xcheck translate --buchi" || tool.Mode != translators.Stream || tool.Version != version.Own() {
		t.Errorf("the tool is %+v", tool)
	}
}

// TestNamesOfTools: each tool gets a proposition as its grammar can hold it, and p0 where it can't.
func TestNamesOfTools(t *testing.T) {
	r, err := translators.NewRunner(1, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for command, want := range map[string]string{
		//                   _pid _p __ tt ff true False A x.y NOT AND goOn_2
		"ltl2ba":            "p0 p0 p0 tt ff p0 p0 p0 p0 p0 p0 goOn_2",
		"ltl3ba -M0":        "p0 p0 p0 tt ff p0 p0 p0 p0 p0 p0 goOn_2",
		"spin":              "p0 p0 p0 tt ff p0 p0 p0 p0 p0 p0 goOn_2",
		"lbt":               "p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 p0",
		"owl ltl2dpa":       "p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 goOn_2",
		"bin/ltl2dra -f %f": "p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 p0 goOn_2",
		"ltl2tgba":          `_pid _p __ tt ff "true" "False" A x.y NOT AND goOn_2`,
		"mine %f":           `_pid _p __ tt ff "true" "False" A x.y NOT AND goOn_2`,
	} {
		x, known := configs.Complete(command)
		if !known {
			x = configs.Translator{Command: command}
		}
		tool, err := newTool(x, configs.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		tool.Builtin = func(_ context.Context, in string, _ io.Writer) error {
			got = append(got, in)
			return nil
		}
		for name := range strings.FieldsSeq("_pid _p __ tt ff true False A x.y NOT AND goOn_2") {
			if _, err := tool.Translate(t.Context(), r, ltl.NewStore().Prop(name), 0); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s gets %s, want %s", command, strings.Join(got, " "), want)
		}
	}
}

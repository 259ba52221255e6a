package translators

import (
	"errors"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// TestMisquoted: quotes around a formula are found, with what to write instead.
func TestMisquoted(t *testing.T) {
	for _, c := range []struct {
		text, reason string // "" if it is right
		at           int
	}{
		{"mytool '%f'", "%f is inside single quotes, but its value is already quoted: write %f instead of '%f'", 8},
		{`mytool "%s" > %O`, `%s is inside double quotes, but its value is already quoted, so the tool would get the quotes: write %s instead of "%s"`, 8},
		{`mytool '%[MW]l'`, "%[MW]l is inside single quotes, but its value is already quoted: write %[MW]l instead of '%[MW]l'", 8},
		{"sh -c 'mytool %f'", "%f is inside single quotes, but its value is already quoted: move it out of the quotes, as in 'mytool '%f, or pass it on as an argument, as in sh -c 'mytool \"$1\"' sh %f", 14},
		{`mytool --formula="%w"`, `%w is inside double quotes, but its value is already quoted, so the tool would get the quotes: write %w instead of "%w"`, 18},
		{`mytool "!(%f)"`, `%f is inside double quotes, but its value is already quoted, so the tool would get the quotes: move it out of the quotes, as in 'mytool '%f, or pass it on as an argument, as in sh -c 'mytool "$1"' sh %f`, 10},
		{"x=$(mytool '%f'); echo \"$x\"", "%f is inside single quotes, but its value is already quoted: write %f instead of '%f'", 12},
		{"x=`mytool '%f'`; echo $x", "%f is inside single quotes, but its value is already quoted: write %f instead of '%f'", 11},
		{"mytool '-x %f", "%f is inside single quotes, but its value is already quoted: move it out of the quotes, as in 'mytool '%f, or pass it on as an argument, as in sh -c 'mytool \"$1\"' sh %f", 11},
		{`mytool %f "`, "missing double quote: the last one is not closed", 11},
		{"mytool %f '", "missing single quote: the last one is not closed", 11},
		{"mytool `%f", "missing backquote: the last one is not closed", 10},

		{text: `mytool 'x'%f'y' "z"%f`},
		{text: `sh -c "mytool %f"`},
		{text: `bash -lc "%f"`},
		{text: `eval "f=%f"; mytool "$f"`},
		{text: `wrapper "mytool %f"`},
		{text: `mytool "$(sed s/U/W/ %f)"`},
		{text: `mytool "$(case %f in a) echo '%f';; esac)"`},
		{text: "mytool `echo %f` \"`echo '%f'`\""},
		{text: "mytool %f # don't '%f'"},
		{text: "mytool <<EOF\ndon't %f\nEOF"},
		{text: "mytool '%F' \"%S\" > '%O'"},
		{text: `mytool \'%f\'`},
		{text: `mytool ${x:-'%f'}`},
		{text: `case %f in *X*) echo "it's";; *) mytool %f;; esac`},
	} {
		_, err := ParseCommand(c.text, Spawn)
		var bad *CommandError
		switch errors.As(err, &bad); {
		case c.reason == "" && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.reason != "" && (bad == nil || bad.Reason != c.reason || bad.Offset != c.at):
			t.Errorf("%s: got %+v, want %q at %d", c.text, bad, c.reason, c.at)
		}
	}
	for text, wrong := range map[string]bool{"autfilt --name='%M' %H": true, "autfilt --name=%M '%H'": false, `autfilt "%[none]M" %H`: true} {
		if _, err := ParseAutomatonCommand(text, Spawn); (err != nil) != wrong {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestMisquotedShell gives random templates to the shell: none that is refused would have
// given the formula to the tool.
func TestMisquotedShell(t *testing.T) {
	number, seed := campaign.Seeded(t, 150, 1)
	random := rand.New(rand.NewPCG(seed, 0))
	pieces := []string{"'", "'", `"`, `"`, "%f", "%f", "%f", " ", " ", "x", "=", `\`, "$(", ")", "`", "# ", "\n", "tool ", "sh -c ", "eval ", "; ", "echo ", "case y in y) ", ";; esac", "$", "${z:-", "}"}
	const formula = `p U !"q r"`
	refused, good := 0, 0
	for range number {
		text := "tool "
		for range 1 + random.IntN(9) {
			text += pieces[random.IntN(len(pieces))]
		}
		if !strings.Contains(text, "%f") {
			text += "%f"
		}
		c := &Command{text: text}
		if bad := c.parse(); bad != nil {
			continue
		}
		line, err := c.expand(func(byte) (string, error) { return formula, nil })
		if err != nil {
			t.Fatal(err)
		}
		// The tool prints each of its arguments between two lines.
		shell := exec.Command("sh", "-c", "tool() { printf '<%s>\\n' \"$@\"; }\n"+line)
		shell.Dir = t.TempDir()
		out, err := shell.Output()
		works := err == nil && slices.Contains(strings.Split(string(out), "\n"), "<"+formula+">")
		bad := c.misquoted()
		switch {
		case works:
			good++
			// Another placeholder of the same template may be wrong.
			if bad != nil && strings.Count(text, "%f") == 1 {
				t.Errorf("seed %d: %q works, but %v", seed, text, bad)
			}
		case bad != nil:
			refused++
		}
	}
	t.Logf("%d templates: %d work, %d were refused", number, good, refused)
	if refused == 0 || good == 0 {
		t.Error("no template was refused, or none works")
	}
}

// FuzzMisquoted: no template makes the scan fail.
func FuzzMisquoted(f *testing.F) {
	for _, text := range []string{"x '%f'", "x \"$(y '%f')\" `%f`", "x ${a} \\%f # %f", "x %f '"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := &Command{text: text}
		if c.parse() != nil {
			return
		}
		if bad := c.misquoted(); bad != nil && (bad.Offset < 0 || bad.Offset > len(text) || bad.Reason == "") {
			t.Errorf("%q: %+v", text, bad)
		}
	})
}

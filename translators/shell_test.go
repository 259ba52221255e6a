package translators

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

func mustParse(t *testing.T, text string, mode Mode) *Command {
	t.Helper()
	return must.Get(ParseCommand(text, mode))
}

// letters gives each placeholder a value that shows which it was.
func letters(p byte) (string, error) { return "<" + string(p) + ">", nil }

func TestArgv(t *testing.T) {
	for _, test := range []struct{ template, want string }{ // words, each in brackets
		{"ltl2tgba -H %f", "[ltl2tgba][-H][<f>]"},
		{"{a name} /opt/x-1.0/ltl2ba -f %s", "[/opt/x-1.0/ltl2ba][-f][<s>]"},
		{"lbt <%L >> %O 2>&1", ""},
		{"x -f%s=%f%l.y", "[x][-f<s>=<f><l>.y]"},
		{"x %% a%%b %f", "[x][%][a%b][<f>]"},
		{`'/a b/x' "a $"'' \$a\ b "\"\\\a" '\' "" %f`, ""},
		{`'/a b/x' "a b"'$' '\' "" %f`, `[/a b/x][a b$][\][][<f>]`},
		{`x \$a\ b %f`, ""},
		{`x "\"\\\a" %f`, ""},
		{"x \\\n%f a\\\nb 'a\\\nb' \"a\\\nb\"", "[x][<f>][ab][a\\\nb][ab]"},
		{"x a#b a=b 2 %f", "[x][a#b][a=b][2][<f>]"},
		{"x %f >%O", "[x][<f>]"},
	} {
		args, err := mustParse(t, test.template, Spawn).argv(letters)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, a := range args {
			got += "[" + a + "]"
		}
		if got != test.want || (args != nil) != (test.want != "") {
			t.Errorf("%q: %s (%v), want %s", test.template, got, args, test.want)
		}
	}
	fault := errors.New("no value")
	if _, err := mustParse(t, "x %f", Spawn).argv(func(byte) (string, error) { return "", fault }); err != fault {
		t.Errorf("error is %v", err)
	}
}

// TestNotSimple has one template for each thing that is left to the shell.
func TestNotSimple(t *testing.T) {
	for _, template := range []string{
		"x %f; y", "x %f & y", "x %f &", "x %f | y", "x %f || y", "(x %f)", "x %f\ny", "x\n%f", "x %f\n>y", "x %f\n>&2", "x %f\n 2>&1", "! x %f",
		"x `y` %f", "x $y %f", "x \"$y\" %f", "x \"`y`\" %f", "x $(y) %f", "x * %f", "x a?b %f", "x [a] %f", "x ~ %f", "x ~%f", "x a~ %f",
		"x {a,b} %f", "x # %f", "x %f #", "x a\\\n #%f", "x ! %f", "x é %f", "x \r %f", "x ^ %f",
		"a=b x %f", "%f", "x%f", "cd %f", "'cd' %f", "echo %f", "if %f", "'' %f", "$HOME/x %f", "é %f",
		"x '%f'", "x \"%f\"", "x \\%f", "x '%f", "x 'a %f", "x \"a %f", "x %f \\", "x %f \\\n\\", "x %f\n\\",
		"< %F", "2> %F", "x %f >", "x %f >a", "x %f 2>&1", "x %f <<a", "x <%F", "x %f 2>%O", "x %f >>%O", "x %f >%O.hoa", "x %f %O >%O", "x %f >%O 2>&1",
	} {
		c := &Command{text: template} // ParseCommand refuses some of them
		if bad := c.parse(); bad != nil {
			t.Fatal(bad)
		}
		c.simple, c.printed = c.line.simple()
		if args, _ := c.argv(letters); args != nil {
			t.Errorf("%q is taken for %q", template, args)
		}
	}
}

// TestShell compares what we make of random templates with what shells make of them.
func TestShell(t *testing.T) {
	dir, tools := t.TempDir(), filepath.Join(t.TempDir(), "the tools")
	must.Do(os.Mkdir(tools, 0o700))
	show := filepath.Join(tools, "show")
	for name, text := range map[string]string{
		show: "#!/bin/sh\nprintf '<%s>' \"$@\"\nread line\nprintf '%s' \"$line\"\nprintf 'to standard error' >&2\nexit $#\n",
		// Where globbing and the like would show.
		filepath.Join(dir, "a"): "of a",
		filepath.Join(dir, "2"): "of 2",
	} {
		must.Do(os.WriteFile(name, []byte(text), 0o700))
	}
	shells := [][]string{{"/bin/sh", "sh"}}
	for _, path := range []string{"/bin/bash", "/bin/ksh", "/bin/busybox"} {
		if _, err := os.Stat(path); err == nil {
			shells = append(shells, []string{path, "sh"})
		}
	}
	env := append(os.Environ(), "PATH="+tools+":/usr/bin:/bin")
	pieces := []string{
		"a", "2", "1", "0", "-x", "a=b", "é", "%%", "\x80", "\x81\x88", // words
		" ", " ", " ", "\t", "\n", "\\\n", "'", "'", "\"", "\"", "\\", "\\\\", // what ends and quotes them
		"'a b'", "\"a  b\"", "\"\\\"'\\a\"", "''", "'\x81\\'", "\"é\x85\\\\\"", "\\é", "'\n'",
		"%f", "%s", "%f", " %l", " %l ", "'%f'", "\"%w\"", // values
		"<", ">", ">>", " 2>", "&1", "2>&1", " >&2 ", " > ", " < a", " > out", " 2>>out", ">%f", " 1>&2 ", " 2> 'the errors'", " >/dev/null",
		"$", "$HOME", "\"$HOME\"", "\"`echo x`\"", "`", "*", "?", "[a]", "~", "{a,b}", "#", "!", ";", "&", "|", "(", ")", "=", "^", ":", ",", "@", "]", "}",
	}
	values := []string{"", "a", "G(a -> Fb)", "'", "''", "\"", "\\", "$HOME", "`id`", "$(id)", "*", "#", "~", "2", " ", "\n", "a\n", "é", "\xff\x81", "-n", ">", "!", "%f", "{a,b}", "a\\'b"}
	tries, seed := campaign.Seeded(t, 80, 1)
	random := rand.New(rand.NewPCG(seed, 0))
	for tried := 0; tried < tries; {
		template := []string{"show", Quote(show), "show "}[random.IntN(3)] + " "
		for range 1 + random.IntN(9) {
			template += pieces[random.IntN(len(pieces))]
			if random.IntN(2) == 0 {
				template += " "
			}
		}
		c, err := ParseCommand(template, Spawn)
		if err != nil {
			continue
		}
		value := map[byte]string{}
		for _, p := range "fslw" {
			value[byte(p)] = values[random.IntN(len(values))]
		}
		give := func(p byte) (string, error) { return value[p], nil }
		args, _ := c.argv(give)
		if args == nil {
			continue
		}
		line, _ := c.expand(give)
		ours := effect(t, dir, func(files [3]*os.File) *exec.Cmd {
			program := process.LookPath(args[0], env)
			if program == "" {
				return nil
			}
			return run(t, &exec.Cmd{Path: program, Args: args, Env: env}, dir, files)
		})
		if ours == "" {
			continue // then the shell is asked, whatever it does
		}
		tried++
		for i, shell := range shells {
			theirs := effect(t, dir, func(files [3]*os.File) *exec.Cmd {
				return run(t, &exec.Cmd{Path: shell[0], Args: append(shell[1:], "-c", line), Env: env}, dir, files)
			})
			if ours != theirs {
				t.Fatalf("seed %d: template %q, line %q: args %q:\n%s\nbut %v (shell %d):\n%s", seed, template, line, args, ours, shell, i, theirs)
			}
		}
	}
}

// run runs cmd in a folder. It returns nil if it could not be started.
func run(t *testing.T, cmd *exec.Cmd, dir string, files [3]*os.File) *exec.Cmd {
	cmd.Dir = dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = files[0], files[1], files[2]
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd
}

// effect returns all that a command does: its status, its outputs, the files in the
// folder, which it then puts back into the state that they were in. It is "" if the
// command is nil.
func effect(t *testing.T, dir string, run func([3]*os.File) *exec.Cmd) string {
	t.Helper()
	before := contents(t, dir)
	elsewhere := t.TempDir()
	stdin, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	files := [3]*os.File{stdin}
	for i, name := range []string{"stdout", "stderr"} {
		if files[1+i], err = os.OpenFile(filepath.Join(elsewhere, name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
			t.Fatal(err)
		}
		defer files[1+i].Close()
	}
	cmd := run(files)
	after := contents(t, dir)
	for name := range after {
		if _, ok := before[name]; !ok {
			os.Remove(filepath.Join(dir, name))
		}
	}
	for name, text := range before {
		must.Do(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	}
	if cmd == nil {
		return ""
	}
	return fmt.Sprintf("status %d, outputs %q, files %q", cmd.ProcessState.ExitCode(), contents(t, elsewhere), after)
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))
	files := map[string]string{}
	for _, e := range entries {
		text := must.Get(os.ReadFile(filepath.Join(dir, e.Name())))
		files[e.Name()] = string(bytes.ReplaceAll(text, []byte("sh: "), nil))
	}
	return files
}

// TestSimple: what is one simple command does the same with "exec" before it.
func TestSimple(t *testing.T) {
	for line, want := range map[string]bool{
		"ltl2tgba -H 'a'":              true,
		"  ltl2tgba 'a;b' > /tmp/x":    true,
		"'/a b/c' x":                   false, // a program with a space in its name
		"'/opt/x' translate 'G a' ":    true,
		"spin -f '!(a)' 2>&1":          true,
		`x "a;b|c" \; \&`:              true,
		`x "$HOME/y"`:                  true,
		`x "$(y)"`:                     true,
		"x `y`":                        true,
		"x 'a'; y":                     false,
		"x 'a' & y":                    false,
		"x 'a' && y":                   false,
		"x | y":                        false,
		"(x)":                          false,
		"x\ny":                         false,
		"A=b x":                        false,
		"> /tmp/x y":                   true,
		"cd /tmp":                      false,
		"/bin/echo":                    true,
		"echo a":                       false,
		"! x":                          false,
		"{ x; }":                       false,
		"if x":                         false,
		"'cd' x":                       false,
		"":                             false,
		"''":                           false,
		"x 'a":                         false,
		`x "a'`:                        false,
		"$HOME/x y":                    false,
		"x 'it'\\''s' 'a' \"b\" c\\'d": true,
	} {
		if got := readShell([]part{{text: line}}).single(); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}

	dir := t.TempDir()
	script := filepath.Join(dir, "show")
	must.Do(os.WriteFile(script, []byte("#!/bin/sh\nfor a; do echo \"<$a>\"; done\necho err >&2\nexit $#\n"), 0o700))
	words := []string{script, Quote(script), "'a b'", "b", "''", "\"x y\"", "\"$PWD\"", "'", "\"", "2>&1", ">&2", "> " + dir + "/out",
		"< /dev/null", ";", "&", "&&", "|", "(", ")", "`echo c`", "$(echo d)", "# e", "\\;", "\\ ", "\\'", "\\\\", "*", "!", "{", "}", "a=b", "\n", "exit", "echo"}
	tries, seed := campaign.Seeded(t, 100, 1)
	random := rand.New(rand.NewPCG(seed, 0))
	tried := 0
	for tried < tries {
		line := words[random.IntN(2)]
		for range random.IntN(8) {
			if random.IntN(4) > 0 {
				line += " "
			}
			line += words[random.IntN(len(words))]
		}
		if !readShell([]part{{text: line}}).single() {
			continue
		}
		tried++
		one, oneErr := exec.Command("/bin/sh", "-c", line).CombinedOutput()
		two, twoErr := exec.Command("/bin/sh", "-c", "exec "+line).CombinedOutput()
		if strings.ReplaceAll(string(two), "exec: ", "") != string(one) || fmt.Sprint(oneErr) != fmt.Sprint(twoErr) {
			t.Fatalf("seed %d: %q: %q, %v; with exec %q, %v", seed, line, one, oneErr, two, twoErr)
		}
	}
}

package translators

import (
	"os/exec"
	"strings"
	"testing"
)

// TestAgain: the line that a report shows gives a command the same again, without the
// files that it had.
func TestAgain(t *testing.T) {
	in := func(placeholder byte) (string, error) { return syntaxes[placeholder].String() + " '1'", nil }
	for _, test := range []struct{ command, stdin, want, prints string }{
		{"echo %f", "", `echo 'spot '\''1'\'''`, "spot '1'\n"},
		{"echo %f > %O", "", `echo 'spot '\''1'\''' > '/dev/stdout'`, "spot '1'\n"},
		{"cat %L", "", `printf '%s\n' 'lbt '\''1'\''' | cat '/dev/stdin'`, "lbt '1'\n"},
		{"cp %S %O", "", `printf '%s\n' 'spin '\''1'\''' | cp '/dev/stdin' '/dev/stdout'`, "spin '1'\n"},
		{"cd /; cat < %W; echo %f", "", `printf '%s\n' 'wring '\''1'\''' | (cd /; cat < '/dev/stdin'; echo 'spot '\''1'\''')`, "wring '1'\nspot '1'\n"},
		{"cat", "a\nb\n", "printf '%s\\n' 'a\nb' | cat", "a\nb\n"},
		{"cat; exit 0 # all", "a\n", "printf '%s\\n' 'a' | (cat; exit 0 # all\n)", "a\n"},
		{"echo 100%%", "", "echo 100%", "100%\n"},
	} {
		mode := Spawn
		if !strings.Contains(strings.ReplaceAll(test.command, "%%", ""), "%") {
			mode = Batch
		}
		command, err := ParseCommand(test.command, mode)
		if err != nil {
			t.Fatal(err)
		}
		c := call{command: command, in: in, stdin: test.stdin}
		line, err := c.again()
		if err != nil || line != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.command, line, err, test.want)
		}
		if got, err := exec.Command("/bin/sh", "-c", line).CombinedOutput(); err != nil || string(got) != test.prints {
			t.Errorf("%s prints %q, %v; want %q", line, got, err, test.prints)
		}
	}
}

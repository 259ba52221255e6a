package translators_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// abandonDir has the temporary folders of TestAbandon's process.
const abandonDir = "XCHECK_TEST_ABANDON"

// TestAbandon: a program that abandons commands ends at once, and leaves no process of theirs
// and no file, whatever they do.
func TestAbandon(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(abandonDir); dir != "" {
		abandon(t, dir)
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestAbandon$")
	cmd.Env = append(os.Environ(), abandonDir+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("abandoned")) {
		t.Fatalf("%v\n%s", err, out)
	}
	for range 600 {
		files := must.Get(os.ReadDir(dir))
		var left []string
		names, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, name := range names {
			if text, _ := os.ReadFile(name); bytes.Contains(text, []byte(abandonDir+"="+dir)) {
				left = append(left, name)
			}
		}
		if len(files)+len(left) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("processes or files are left")
}

// abandon runs three commands, and ends the process when all run.
func abandon(t *testing.T, dir string) {
	translators.AdoptOrphans()
	r := must.Get(translators.NewRunner(3, dir))
	for i := range 3 {
		command := must.Get(translators.ParseCommand(fmt.Sprintf(`trap "" TERM; (setsid sleep 1000 &); touch $TMPDIR/ready%d; sleep 1000; : %%f`, i), translators.Spawn))
		tool := &translators.Tool{Name: fmt.Sprint(i), Command: command}
		go tool.Translate(context.Background(), r, ltl.NewStore().Prop("a"), 0)
	}
	for started := 0; started < 3; time.Sleep(10 * time.Millisecond) {
		started = 0
		filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error {
			if strings.HasPrefix(filepath.Base(path), "ready") {
				started++
			}
			return nil
		})
	}
	begin := time.Now()
	process.Abandon()
	fmt.Println("abandoned after", time.Since(begin))
	os.Exit(0)
}

package wholefile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// TestUnwritable: in a folder that is not writable, a new file is an error, and one that is there
// is overwritten.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write(t, file, "")
	if os.Geteuid() == 0 {
		// The superuser may write everywhere: for files, this thread is somebody else.
		const nobody = 65534
		must.Do(errors.Join(os.Chown(file, nobody, nobody), os.Chmod(filepath.Dir(dir), 0o755)))
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		unix.Setfsuid(nobody)
		defer unix.Setfsuid(0)
	} else {
		must.Do(os.Chmod(dir, 0o555))
		defer os.Chmod(dir, 0o755)
	}
	if _, err := Create(filepath.Join(dir, "new")); !errors.Is(err, unix.EACCES) {
		t.Errorf("a folder that is not writable: %v", err)
	}
	replace(t, file, "but the file is")
}

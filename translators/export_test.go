package translators

import "testing"

// NewTestRunner returns a Runner that is closed at the end of a test, and fails it
// if that goes wrong.
func NewTestRunner(t testing.TB, n int) *Runner {
	t.Helper()
	r, err := NewRunner(n, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

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

// Expansions returns the line of a command with the same value for all placeholders,
// and if it takes no shell the words and the names of files in it.
func Expansions(c *Command, value string) (line string, words []string) {
	give := func(byte) (string, error) { return value, nil }
	line, _ = c.expand(give)
	words, redirects, _, _ := c.argv(give)
	for _, r := range redirects {
		words = append(words, r.file)
	}
	return line, words
}

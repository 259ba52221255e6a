// Package must is for tests and examples, in which an error is a mistake of the author.
package must

// Get returns the value. It panics if there is an error.
func Get[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Package must stops a test or an example on an unexpected error.
package must

// Get returns the value. It panics if there is an error.
func Get[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

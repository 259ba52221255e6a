// Package must stops a test or an example on an unexpected error.
package must

// Get returns value. It panics if err is not nil.
func Get[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Do panics if err is not nil.
func Do(err error) { Get(0, err) }

// First returns value, without a second result. It panics if err is not nil.
func First[T, U any](value T, _ U, err error) T { return Get(value, err) }

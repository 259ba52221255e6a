package main

import (
	"fmt"
	"os"
	"strings"
)

// A formula, a word that satisfies it, and the exit status.
func Example() {
	s := run([]string{"eval", "G(req -> F ack)", "req&!ack; cycle{!req&ack}"}, strings.NewReader(""), os.Stdout, os.Stderr)
	fmt.Println("exit status", int(s))
	s = run([]string{"eval", "G(req -> F ack)", "cycle{req&!ack}"}, strings.NewReader(""), os.Stdout, os.Stderr)
	fmt.Println("exit status", int(s))
	// Output:
	// true
	// exit status 0
	// false
	// exit status 1
}

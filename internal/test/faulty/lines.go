package faulty

import (
	"bufio"
	"io"
	"strings"
)

// EachLine calls f for each line of r that is not blank, without the space around it, as
// soon as the line is there, until f or reading fails.
func EachLine(r io.Reader, f func(line string) error) error {
	for in := bufio.NewReader(r); ; {
		line, err := in.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			if err := f(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

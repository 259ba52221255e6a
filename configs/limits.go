package configs

import (
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	// maxFile is the size of the largest file that is read, in bytes.
	maxFile = 4 << 20
	// maxDepth is how deep arrays and tables may be nested, and how many parts a key may have.
	maxDepth = 100
)

// read returns the content of a file that is not too large.
func read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s: the configuration is larger than the limit of %d bytes", path, maxFile)
	}
	return data, err
}

// tooDeep returns where a text is nested deeper than maxDepth, or -1. The parser of TOML has no
// limit of its own: 100 KB of opening brackets took it 600 MB.
func tooDeep(text string) int {
	depth, parts := 0, 0
	for pos := 0; pos < len(text); {
		switch c := text[pos]; c {
		case '#':
			end := strings.IndexByte(text[pos:], '\n')
			if end < 0 {
				return -1
			}
			pos += end
			continue
		case '"', '\'':
			pos = walkString(text, pos, func(int, rune) {})
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(0, depth-1)
		case '.':
			parts++
		case '\n', '=', ',':
			parts = 0
		}
		if depth > maxDepth || parts >= maxDepth {
			return pos
		}
		pos++
	}
	return -1
}

package configs

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/triage"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/translators"
)

// maxToolMemory is what a translator may have unless told otherwise: more than most ever
// need, and not all of a machine.
const maxToolMemory = 4 << 30

// Default returns the defaults: 200 random formulas with seed 0, and no translators.
func Default() *Config {
	c := &Config{
		Formulas: Formulas{Random: defaultRandom(), Unasked: true},
		Checks: Checks{Words: 20, Exhaustive: -1, Prove: cross.ProveAuto, Properties: true, Reference: true, Products: cross.DefaultProducts(),
			GrindCalls: triage.DefaultCalls},
		Limits: Limits{
			Limits: translators.Limits{Timeout: translators.DefaultTimeout, MaxOutput: translators.DefaultMaxOutput, Memory: maxToolMemory},
			Check:  omega.Limits{}.WithDefaults(),
		},
	}
	c.Checks.Products.Number = -1
	return c
}

func defaultRandom() *Random {
	return &Random{
		Number:        200,
		Profile:       random.Default,
		RandomOptions: ltl.RandomOptions{Props: numbered(3), MinSize: 1, MaxSize: 12},
	}
}

// Load reads a file. The error comes from reading it, or is of type Errors.
func Load(path string) (*Config, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse reads the content of the file called name. Missing values come from Default. File
// names are relative to the folder of name. The error is of type Errors, and has all errors of
// the file.
func Parse(name string, data []byte) (*Config, error) {
	d, err := newDecoder(name, data)
	if err != nil {
		return nil, err
	}
	c := d.config()
	d.lines(c.Translators)
	// Wrong meanings are listed beside wrong types and ranges.
	for _, e := range check(c) {
		// What could not be read need not make sense.
		if !slices.ContainsFunc(d.errs, func(f *Error) bool { return f.path.within(e.path) }) {
			d.errs = append(d.errs, e)
		}
	}
	d.errs.position(name, d.places)
	if len(d.errs) > 0 {
		return nil, d.errs
	}
	return c, nil
}

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
			depth = max(0, depth-1) // the text need not be valid
		case '.': // of a key, or of a number, which ends before it has a hundred
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

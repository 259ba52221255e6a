package configs

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ParseDuration reads a positive duration in Go's syntax, such as 1m30s, or a number of
// seconds.
func ParseDuration(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return seconds(n)
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("expected a duration such as 90s or 1m30s, or a number of seconds, found %q", text)
	}
	if d <= 0 {
		return 0, errors.New("expected a positive duration")
	}
	return d, nil
}

func seconds(n float64) (time.Duration, error) {
	switch ns := n * float64(time.Second); {
	case math.IsNaN(ns) || ns < 1:
		return 0, errors.New("expected a positive duration")
	case ns >= math.MaxInt64:
		return 0, errors.New("duration too long")
	default:
		return time.Duration(ns), nil
	}
}

// ParseSizes reads a formula size, such as 8, or a range, such as 5..20 or ..20, which starts at 1.
func ParseSizes(text string) (low, high int, err error) {
	first, last, isRange := strings.Cut(text, "..")
	if !isRange {
		last = first
	} else if strings.TrimSpace(first) == "" {
		first = "1"
	}
	low, err1 := strconv.Atoi(strings.TrimSpace(first))
	high, err2 := strconv.Atoi(strings.TrimSpace(last))
	if errors.Join(err1, err2) != nil {
		return 0, 0, fmt.Errorf("expected a size, or a range of sizes such as 5..20, found %q", text)
	}
	return low, high, checkSizes(low, high)
}

// maxSize bounds the size of random formulas.
const maxSize = 10000

func checkSizes(low, high int) error {
	switch {
	case low < 1 || high > maxSize:
		return fmt.Errorf("expected sizes from 1 to %d", maxSize)
	case low > high:
		return fmt.Errorf("empty range %d..%d", low, high)
	}
	return nil
}

// units are the bytes of each unit of size.
var units = map[string]int64{
	"": 1, "B": 1,
	"kB": 1e3, "MB": 1e6, "GB": 1e9,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
}

// ParseBytes reads a positive number of bytes such as 64MiB.
func ParseBytes(text string) (int64, error) {
	text = strings.TrimSpace(text)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	unit, known := units[strings.TrimSpace(text[digits:])]
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	if err != nil || !known {
		return 0, fmt.Errorf("expected a number of bytes, or a size such as 500kB or 64MiB, found %q", text)
	}
	if n < 1 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("expected at least 1 byte, and less than %d", math.MaxInt64)
	}
	return n * unit, nil
}

// ParseProps reads a number of propositions, which are called p0, p1 and so on, or their names,
// such as a,b,c.
func ParseProps(text string) ([]string, error) {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		names := strings.Split(text, ",")
		for i, name := range names {
			if name == "" {
				return nil, errors.New("expected a number, or names such as a,b,c")
			}
			if slices.Contains(names[:i], name) {
				return nil, fmt.Errorf("duplicate proposition %q", name)
			}
		}
		return names, nil
	case n < 0 || n > 1000:
		return nil, errors.New("expected 0 to 1000 propositions")
	}
	return numbered(n), nil
}

package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/xcheck-ltl/xcheck/internal/wholefile"
)

// WritePlots writes the scatter plots of pairs to a folder, which is created if it is not there.
// The files are named after the measure and the translators.
func WritePlots(folder string, pairs []*Pair) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	used := map[string]bool{}
	for _, p := range pairs {
		// Names of translators may be whole commands.
		base := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
				return r
			}
			return '_'
		}, p.Measure+"-"+p.Row+"-"+p.Column)
		base = string([]rune(base)[:min(60, len([]rune(base)))])
		name := base
		for n := 2; used[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		used[name] = true
		if err := p.WritePlot(filepath.Join(folder, name+".svg")); err != nil {
			return err
		}
	}
	return nil
}

// WritePlot writes the scatter plot of a pair to a file.
func (p *Pair) WritePlot(name string) error { return wholefile.Write(name, p.Scatter().Write) }

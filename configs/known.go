package configs

import (
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Operators that a family of tools does not have.
var (
	// LTL2BA took its parser from Spin, and the others from LTL2BA.
	spinLess = ltl.Ops(ltl.OpXor, ltl.OpWeakUntil, ltl.OpStrongRelease)
	// Spin has X only if it was compiled with -DNXT, which distributions do not do.
	stutter = spinLess.With(ltl.OpNext)
	// LBT has U and V (R), but neither W nor M.
	lbtLess = ltl.PastOps.With(ltl.OpWeakUntil).With(ltl.OpStrongRelease)
	// Of all known tools only Spot's take PSL.
	ltlOnly = ltl.PastOps | ltl.PSLOps
)

// arguments are added to a command, by the mode.
type arguments map[translators.Mode]string

// Ways in which formulas are given.
var (
	spot = arguments{translators.Spawn: "-H %f", translators.Stream: "-H -F -", translators.Batch: "-H -F -"}
	spin = arguments{translators.Spawn: "-f %s"}
	tela = arguments{translators.Spawn: "-f %f"}
	last = arguments{translators.Spawn: "%f"}
	owl  = arguments{translators.Spawn: "-f %f", translators.Batch: ""}
)

// owlWords are the words of Owl's grammar (LTLLexer.g4). Names start with a small letter or _ there.
const owlWords = "tt true ff false NOT IMP BIIMP XOR xor AND OR"

// known are all known tools, those that translate formulas first. Where the facts come from:
//
//   - Spot's tools: manual pages of Spot 2.12 (2024). -F - reads formulas from
//     standard input, one a line. Its tools have no operators of the past.
//   - Spin: Spin's online manual, page ltl. LTL2BA, LTL3BA, LTL3DRA: their README files
//     (2007, 2012, 2013); all take one formula, with -f.
//   - LTL3TELA, which was LTL3HOA: its README (2018). It has Spot's parser.
//   - ltl2dstar: its documentation, versions 0.5.1 to 0.5.4 (2018). It has W, but no M, and
//     has to be told by --ltl2nba which translator to use.
//   - LBT: its page at the Helsinki University of Technology (2004). It answers one formula on
//     standard input, and ends.
//   - Modella, and which operators are rewritten for it and for ltl2dstar: the list
//     that ltlcross --list-shorthands prints.
//   - Owl 21.0 (2021): README_DISTRIBUTION and the help of its commands: without -f,
//     formulas are read from standard input, one a line. It is not said that each is
//     answered before the next is read; hence batch and not stream.
//   - Owl up to 20.06 and Rabinizer 4, which is its forerunner: doc/USAGE.md. An
//     argument that is no option is the formula. All of them have F G X U W R M,
//     -> <-> and xor (LTL_GRAMMAR.md, CHANGELOG.md). For names, Rabinizer 3.1 is like them.
//   - autfilt, dstar2tgba, Kofola, Seminator and ltl2dstar -B want the automaton as an argument:
//     autcross completes their commands. It gives all others the automaton on standard input.
//   - Rabinizer 3.1: its options, as the authors of Owl and of LTL3TELA use them in their
//     experiments.
var known = sync.OnceValue(func() []Shorthand {
	return bestModes(slices.Concat([]Shorthand{
		{Name: "ltl2tgba", Format: "hoa", Without: ltl.PastOps, VersionFlag: "--version", arguments: spot, Options: spotOptions},
		{Name: "ltl2ba", Format: "never", Without: spinLess, arguments: spin, Options: ltl2baOptions},
		{Name: "ltl3ba", Format: "never", Without: spinLess, VersionFlag: "-v", arguments: spin, Options: ltl3baOptions},
		{Name: "ltl3dra", Format: "auto", Without: spinLess, arguments: spin},
		{Name: "ltl3tela", Format: "hoa", Without: ltlOnly, arguments: tela},
		{Name: "ltl3hoa", Format: "hoa", Without: ltlOnly, arguments: tela},
		{
			Name: "ltl2dstar", Format: "auto", Without: ltl.PastOps, Example: "ltl2dstar --ltl2nba=spin:ltl2ba",
			arguments: arguments{translators.Spawn: "--output-format=hoa %[MW]L %O"}, automaton: "-B %H %O",
		},
		{
			Name: "ltldo", Format: "auto", Without: ltlOnly, VersionFlag: "--version", Example: "ltldo ltl3ba",
			arguments: arguments{translators.Spawn: "-f %f", translators.Batch: "-F -"},
		},
		{Name: "modella", Format: "lbtt", Without: ltl.PastOps, arguments: arguments{translators.Spawn: "%[MWei^]L %O"}},
		{Name: "lbt", Format: "lbtt", Without: lbtLess, arguments: arguments{translators.Spawn: "< %L"}},
		{Name: "spin", Format: "never", Without: stutter, VersionFlag: "-V", arguments: spin},
	}, each("ltl2nba ltl2ngba ltl2ldba ltl2ldgba ltl2dpa ltl2dra ltl2dgra ltl2dela",
		Shorthand{Name: "owl ", Format: "hoa", Without: ltlOnly, VersionFlag: "--version", arguments: owl, words: owlWords},
	), each("ltl2da ltl2na ltl2nba ltl2ngba ltl2ldba ltl2ldgba ltl2dpa ltl2dra ltl2dgra delag",
		Shorthand{Format: "hoa", Without: ltlOnly, VersionFlag: "--version", arguments: last, words: owlWords},
	), []Shorthand{
		{
			Name: "rabinizer3", Format: "auto", Without: ltlOnly, Example: "java -jar rabinizer3.1.jar", words: owlWords,
			arguments: arguments{translators.Spawn: "-silent -format=hoa -out=std %[ei^RWM]f"},
		},
		{
			Name: xcheckTranslate, Format: "hoa",
			arguments: arguments{translators.Spawn: "%f", translators.Stream: "-F -", translators.Batch: "-F -"},
		},
		{Name: "autfilt", automaton: "%H"},
		{Name: "dstar2tgba", automaton: "%H"},
		{Name: "kofola", automaton: "%H"},
		{Name: "seminator", automaton: "%H"},
	}))
})

// each returns a tool for each name. Its name is the name of s with this name appended.
func each(names string, s Shorthand) (list []Shorthand) {
	prefix := s.Name
	for _, name := range strings.Fields(names) {
		s.Name = prefix + name
		list = append(list, s)
	}
	return list
}

func bestModes(list []Shorthand) []Shorthand {
	for i := range list {
		for _, mode := range []translators.Mode{translators.Stream, translators.Batch} {
			if list[i].Has(mode) {
				list[i].Mode = mode
				break
			}
		}
	}
	return list
}

// shorthands are the known translators of formulas.
var shorthands = sync.OnceValue(func() []Shorthand {
	return slices.DeleteFunc(slices.Clone(known()), func(s Shorthand) bool { return len(s.arguments) == 0 })
})

// Options of known tools that keep the language: what they print differs, and must be equal. Left
// out are options that other ones need, choose another input or output format, approximate the
// language (-M and --cobuchi of ltl2tgba), or only limit what a tool may try.
var (
	// ltl2tgba --help and man spot-x, Spot 2.12.1. Compositional suspension is tried in its two
	// forms; degen-… belong to degeneralization, det-… to determinization.
	spotOptions = []string{
		"-B|-b|-G|-S|-S -G|-P|-p|--parity='{min,max} {odd,even}'|--colored-parity='{min,max} {odd,even}'",
		"-D|-a|--small",
		"--low|--medium|--high",
		"-C",
		"-U",
		"-x tls-impl={0,1,2,3}",
		"-x branch-post={0,1,2}",
		"-x comp-susp=1|-x comp-susp=1,early-susp=1",
		"-x exprop={0,1}",
		"-x ltl-split=0",
		"-x acd=0",
		"-x ba-simul={0,1,2,3}",
		"-x simul={0,1,2,3}|-x simul-method={1,2}",
		"-x dba-simul=1",
		"-x dpa-simul={0,1}",
		"-x degen-lcache={0,2,3}|-x degen-lowinit=1|-x degen-lskip=0|-x degen-order=1|-x degen-remscc=0|-x degen-reset=0",
		"-x det-scc=0|-x det-simul=0|-x det-stutter=0",
		"-x gen-reduce-parity=0",
		"-x gf-guarantee={0,1}",
		"-x merge-states-min={0,1}",
		"-x rde={0,1}",
		"-x relabel-bool={0,1}|-x relabel-overlap={0,1}",
		"-x scc-filter={0,1,2}",
		"-x tba-det=1",
		"-x wdba-minimize={0,1,2}",
	}
	// The help of ltl2ba.
	ltl2baOptions = []string{"-l", "-p", "-o", "-c", "-a"}
	// The help of ltl3ba 1.1.3. Automata of -H1 are alternating; -H2 and -H3 print HOA.
	ltl3baOptions = []string{"-H1|-H2|-H3", "-l", "-p", "-o", "-c", "-a", "-P", "-D", "-C", "-A", "-R", "-M{0,1}", "-S{0,1,2}", "-x"}
)

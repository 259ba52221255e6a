package configs

// Options of known tools that keep the language: what they print differs, and must be equal. Left
// out are options that other ones need, choose another input or output format, approximate the
// language (-M and --cobuchi of ltl2tgba), or only limit what a tool may try.
var (
	// ltl2tgba --help and man spot-x, Spot 2.12.1. Compositional suspension is tried in its two
	// forms; degen-… and det-… are those of degeneralization and determinization.
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

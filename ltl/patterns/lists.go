package patterns

import (
	_ "embed"
	"strings"
)

// foundText has a formula on each line, smallest first. A translator that others use failed on it,
// or a mutant of one did.
//
//go:embed found.ltl
var foundText string

// lists are published formulas, with the propositions of each renamed to p0, p1, …, or to i0, … and
// o0, …. Some formulas are in several lists.
var lists = []*Set{
	{
		Name: "dac", Also: []string{"dac-patterns", "spec-patterns"}, Source: dac,
		About: "specification patterns: absence, existence, universality, precedence, response, chains, each in five scopes",
		list:  dacList,
	},
	{
		Name: "eh", Also: []string{"eh-patterns"}, Source: eh,
		About: "formulas to measure optimisations on",
		list:  ehList,
	},
	{
		Name: "sb", Also: []string{"sb-patterns"}, Source: sb,
		About: "formulas to measure a translator on",
		list:  sbList,
	},
	{
		Name: "hkrss", Also: []string{"hkrss-patterns", "liberouter", "liberouter-patterns"}, Source: hol,
		About: "properties verified in the hardware project Liberouter",
		list:  hkrssList,
	},
	{
		Name: "p", Also: []string{"p-patterns", "beem", "beem-patterns"}, Source: pel,
		About: "properties of the models of BEEM",
		list:  beemList,
	},
	{
		Name: "sejk", Also: []string{"sejk-patterns"}, Source: sej,
		About: "formulas in which F, G and X are nested",
		list:  sejkList,
	},
	{
		Name: "schuppan-biere", Source: sch,
		About: "properties with and without operators of the past, from appendix B",
		list:  schuppanBiereList,
	},
	{
		Name: "lily", Also: []string{"lily-patterns", "jb-patterns"}, Source: jb,
		About: "specifications of controllers, from the tool Lily 1.0.2",
		list:  lilyList,
	},
	{
		Name: "found", Source: "xcheck: docs/found.md, 2026",
		About: "formulas on which translators have failed, smallest first: a first test of a new one",
		list:  strings.Split(strings.TrimSpace(foundText), "\n"),
	},
}

var dacList = []string{
	// Absence: globally, before, after, between, after until. Each group has these five.
	"G!p0",
	"Fp0 -> (!p1 U p0)",
	"G(p0 -> G!p1)",
	"G((p0 & !p1 & Fp1) -> (!p2 U p1))",
	"G((p0 & !p1) -> (!p2 W p1))",
	// Existence.
	"Fp0",
	"!p0 W (!p0 & p1)",
	"G!p0 | F(p0 & Fp1)",
	"G((p0 & !p1) -> (!p1 W (!p1 & p2)))",
	"G((p0 & !p1) -> (!p1 U (!p1 & p2)))",
	// Existence at most twice.
	"!p0 W (p0 W (!p0 W (p0 W G!p0)))",
	"Fp0 -> ((!p0 & !p1) U (p0 | ((!p0 & p1) U (p0 | ((!p0 & !p1) U (p0 | ((!p0 & p1) U (p0 | (!p1 U p0)))))))))",
	"Fp0 -> (!p0 U (p0 & (!p1 W (p1 W (!p1 W (p1 W G!p1))))))",
	"G((p0 & Fp1) -> ((!p1 & !p2) U (p1 | ((!p1 & p2) U (p1 | ((!p1 & !p2) U (p1 | ((!p1 & p2) U (p1 | (!p2 U p1))))))))))",
	"G(p0 -> ((!p1 & !p2) U (p2 | ((p1 & !p2) U (p2 | ((!p1 & !p2) U (p2 | ((p1 & !p2) U (p2 | (!p1 W p2) | Gp1)))))))))",
	// Universality.
	"Gp0",
	"Fp0 -> (p1 U p0)",
	"G(p0 -> Gp1)",
	"G((p0 & !p1 & Fp1) -> (p2 U p1))",
	"G((p0 & !p1) -> (p2 W p1))",
	// Precedence.
	"!p0 W p1",
	"Fp0 -> (!p1 U (p0 | p2))",
	"G!p0 | F(p0 & (!p1 W p2))",
	"G((p0 & !p1 & Fp1) -> (!p2 U (p1 | p3)))",
	"G((p0 & !p1) -> (!p2 W (p1 | p3)))",
	// Response.
	"G(p0 -> Fp1)",
	"Fp0 -> ((p1 -> (!p0 U (!p0 & p2))) U p0)",
	"G(p0 -> G(p1 -> Fp2))",
	"G((p0 & !p1 & Fp1) -> ((p2 -> (!p1 U (!p1 & p3))) U p1))",
	"G((p0 & !p1) -> ((p2 -> (!p1 U (!p1 & p3))) W p1))",
	// Precedence chain: two causes, one effect.
	"Fp0 -> (!p0 U (!p0 & p1 & X(!p0 U p2)))",
	"Fp0 -> (!p1 U (p0 | (!p1 & p2 & X(!p1 U p3))))",
	"G!p0 | (!p0 U ((p0 & Fp1) -> (!p1 U (!p1 & p2 & X(!p1 U p3)))))",
	"G((p0 & Fp1) -> (!p2 U (p1 | (!p2 & p3 & X(!p2 U p4)))))",
	"G(p0 -> (Fp1 -> (!p1 U (p2 | (!p1 & p3 & X(!p1 U p4))))))",
	// Precedence chain: one cause, two effects.
	"F(p0 & XFp1) -> (!p0 U p2)",
	"Fp0 -> (!(!p0 & p1 & X(!p0 U (!p0 & p2))) U (p0 | p3))",
	"G!p0 | (!p0 U (p0 & (F(p1 & XFp2) -> (!p1 U p3))))",
	"G((p0 & Fp1) -> (!(!p1 & p2 & X(!p1 U (!p1 & p3))) U (p1 | p4)))",
	"G(p0 -> ((!(!p1 & p2 & X(!p1 U (!p1 & p3))) U (p1 | p4)) | G!(p2 & XFp3)))",
	// Response chain: two stimuli, one response.
	"G((p0 & XFp1) -> XF(p1 & Fp2))",
	"Fp0 -> (((p1 & X(!p0 U p2)) -> X(!p0 U (p2 & Fp3))) U p0)",
	"G(p0 -> G((p1 & XFp2) -> X(!p2 U (p2 & Fp3))))",
	"G((p0 & Fp1) -> (((p2 & X(!p1 U p3)) -> X(!p1 U (p3 & Fp4))) U p1))",
	"G(p0 -> (((p1 & X(!p2 U p3)) -> X(!p2 U (p3 & Fp4))) U (p2 | G((p1 & X(!p2 U p3)) -> X(!p2 U (p3 & Fp4))))))",
	// Response chain: one stimulus, two responses.
	"G(p0 -> F(p1 & XFp2))",
	"Fp0 -> ((p1 -> (!p0 U (!p0 & p2 & X(!p0 U p3)))) U p0)",
	"G(p0 -> G(p1 -> (p2 & XFp3)))",
	"G((p0 & Fp1) -> ((p2 -> (!p1 U (!p1 & p3 & X(!p1 U p4)))) U p1))",
	"G(p0 -> ((p1 -> (!p2 U (!p2 & p3 & X(!p2 U p4)))) U (p2 | G(p1 -> (p3 & XFp4)))))",
	// Constrained chain: one stimulus, two responses, and something absent between.
	"G(p0 -> F(p1 & !p2 & X(!p2 U p3)))",
	"Fp0 -> ((p1 -> (!p0 U (!p0 & p2 & !p3 & X((!p0 & !p3) U p4)))) U p0)",
	"G(p0 -> G(p1 -> (p2 & !p3 & X(!p3 U p4))))",
	"G((p0 & Fp1) -> ((p2 -> (!p1 U (!p1 & p3 & !p4 & X((!p1 & !p4) U p5)))) U p1))",
	"G(p0 -> ((p1 -> (!p2 U (!p2 & p3 & !p4 & X((!p2 & !p4) U p5)))) U (p2 | G(p1 -> (p3 & !p4 & X(!p4 U p5))))))",
}

var ehList = []string{
	"p0 U (p1 & Gp2)",
	"p0 U (p1 & X(p2 U p3))",
	"p0 U (p1 & X(p2 & F(p3 & XF(p4 & XF(p5 & XFp6)))))",
	"F(p0 & XGp1)",
	"F(p0 & X(p1 & XFp2))",
	"F(p0 & X(p1 U p2))",
	"FGp0 | GFp1",
	"G(p0 -> (p1 U p2))",
	"G(p0 & XF(p1 & XF(p2 & XFp3)))",
	"GFp0 & GFp1 & GFp2 & GFp3 & GFp4",
	"(p0 U (p1 U p2)) | (p1 U (p2 U p0)) | (p2 U (p0 U p1))",
	"G(p0 -> (p1 U (Gp2 | Gp3)))",
}

var sbList = []string{
	"p0 U p1",
	"p0 U (p1 U p2)",
	"!(p0 U (p1 U p2))",
	"GFp0 -> GFp1",
	"Fp0 U Gp1",
	"Gp0 U p1",
	"!(Fp0 <-> Fp1)",
	"!(GFp0 -> GFp1)",
	"!(GFp0 <-> GFp1)",
	"p0 R (p0 | p1)",
	"(Xp0 U Xp1) | !X(p0 U p1)",
	"(Xp0 U p1) | !X(p0 U (p0 & p1))",
	"G(p0 -> Fp1) & ((Xp0 U p1) | !X(p0 U (p0 & p1)))",
	"G(p0 -> Fp1) & ((Xp0 U Xp1) | !X(p0 U p1))",
	"G(p0 -> Fp1)",
	"!G(p0 -> X(p1 R p2))",
	"!(FGp0 | FGp1)",
	"G(Fp0 & Fp1)",
	"Fp0 & F!p0",
	"(p0 & Xp1) R X(((p2 U p3) R p0) U (p2 R p0))",
	"Gp2 | Gp0 | (G(p0 | GFp1) & G(p2 | GF!p1))",
	"Gp0 | Gp2 | (G(p0 | FGp1) & G(p2 | FG!p1))",
	"!(Gp2 | Gp0 | (G(p0 | GFp1) & G(p2 | GF!p1)))",
	"!(Gp0 | Gp2 | (G(p0 | FGp1) & G(p2 | FG!p1)))",
	"G(p0 | XGp1) & G(p2 | XG!p1)",
	"G(p0 | (Xp1 & X!p1))",
	"p0 | (p1 U p0)",
}

var hkrssList = []string{
	"G(Fp0 & F!p0)",
	"GFp0 & GF!p0",
	"GF(!(p1 <-> Xp1) | !(p0 <-> Xp0))",
	"GF(!(p1 <-> Xp1) | !(p0 <-> Xp0) | !(p2 <-> Xp2) | !(p3 <-> Xp3))",
	"G!p0",
	"G((p0 -> F!p0) & (!p0 -> Fp0))",
	"G(p0 -> F(p0 & p1))",
	"G(p0 -> F((!p0 & p1 & p2 & p3) -> Fp4))",
	"G(p0 -> F!p1)",
	"G(p0 -> Fp1)",
	"G(p0 -> F(p1 -> Fp2))",
	"G(p0 -> F((p1 & p2) -> Fp3))",
	"G((p0 -> Fp1) & (p2 -> Fp3) & (p4 -> Fp5) & (p6 -> Fp7))",
	"G(!p0 & !p1)",
	"G!(p0 & p1)",
	"G(p0 -> p1)",
	"G((p0 -> !p1) & (p1 -> !p0))",
	"G(!p0 -> (p1 <-> !p2))",
	"G((!p0 & (p1 | p2 | p3)) -> p4)",
	"G((p0 & p1) -> (p2 | !(p3 & p4)))",
	"G((!p0 & p1 & !p2 & !p3 & !p4) -> F(!p5 & !p6 & !p7 & !p8))",
	"G((p0 & p1 & !p2 & !p3 & !p4) -> F(p5 & !p6 & !p7 & !p8))",
	"G(!p0 -> !(p1 & p2 & p3 & p4 & p5))",
	"G(!p0 -> ((p1 & p2 & p3 & p4) -> !p5))",
	"G((p0 & p1) -> (p2 | p3 | !(p4 & p5)))",
	"G((!p0 & (p1 | p2 | p3 | p4)) -> (!p5 <-> p6))",
	"G((p0 & p1) -> (p2 | p3 | p4 | !(p5 & p6)))",
	"G((p0 & p1) -> (p2 | p3 | p4 | p5 | !(p6 & p7)))",
	"G((p0 & p1 & !p2 & Xp2) -> X(p3 | X(!p1 | p3)))",
	"G((p0 & p1 & !p2 & Xp2) -> X(X!p1 | (p2 U (!p2 U (p2 U (!p1 | p3))))))",
	"G(p0 & p1 & !p2 & Xp2) -> X(X!p1 | (p2 U (!p2 U (p2 U (!p1 | p3)))))",
	"G(p0 -> (p1 U (!p1 U (!p2 | p3))))",
	"G(p0 -> (p1 U (!p1 U (p2 | p3))))",
	"G((!p0 & p1) -> Xp2)",
	"G(p0 -> X(p0 | p1))",
	"G((!(p1 <-> Xp1) | !(p0 <-> Xp0) | !(p2 <-> Xp2) | !(p3 <-> Xp3)) -> (X!p4 & X(!(!(p1 <-> Xp1) | !(p0 <-> Xp0) | !(p2 <-> Xp2) | !(p3 <-> Xp3)) U p4)))",
	"G((p0 & !p1 & Xp1 & Xp0) -> (p2 -> Xp3))",
	"G(p0 -> X(!p0 U p1))",
	"G((!p0 & Xp0) -> X((p0 U p1) | Gp0))",
	"G((!p0 & Xp0) -> X(p0 U (p0 & !p1 & X(p0 & p1))))",
	"G((!p0 & Xp0) -> X(p0 U (p0 & !p1 & X(p0 & p1 & (p0 U (p0 & !p1 & X(p0 & p1)))))))",
	"G((p0 & X!p0) -> X(!p0 U (!p0 & !p1 & X(!p0 & p1 & (!p0 U (!p0 & !p1 & X(!p0 & p1)))))))",
	"G((p0 & X!p0) -> X(!p0 U (!p0 & !p1 & X(!p0 & p1 & (!p0 U (!p0 & !p1 & X(!p0 & p1 & (!p0 U (!p0 & !p1 & X(!p0 & p1))))))))))",
	"G((!p0 & Xp0) -> X(!(!p0 & Xp0) U (!p1 & Xp1)))",
	"G(!p0 | X(!p0 | X(!p0 | X(!p0 | X(!p0 | X(!p0 | X(!p0 | X(!p0 | X(!p0 | X(!p0 | X(!p0 | X!p0)))))))))))",
	"G((Xp0 -> p0) -> (p1 <-> Xp1))",
	"G((Xp0 -> p0) -> ((p1 -> Xp1) & (!p1 -> X!p1)))",
	"!p0 U G!((p1 & p2) | (p3 & p4) | (p2 & p3) | (p2 & p4) | (p1 & p4) | (p1 & p3))",
	"!p0 U p1",
	"(p0 U p1) | Gp0",
	"p0 & XG!p0",
	"XG(p0 -> (G!p1 | (!Xp1 U p2)))",
	"XG((p0 & !p1) -> (G!p1 | (!p1 U p2)))",
	"XG((p0 & p1) -> ((p1 U p2) | Gp1))",
	"Xp0 & G((!p0 & Xp0) -> XXp0)",
}

var beemList = []string{
	"G(p0 -> Fp1)",
	"(GFp1 & GFp0) -> GFp2",
	"G(p0 -> (p1 & (p2 U p3)))",
	"F(p0 | p1)",
	"GF(p0 | p1)",
	"(p0 U p1) -> ((p2 U p3) | Gp2)",
	"G(p0 -> (!p1 U (p1 U (!p1 & (p2 R !p1)))))",
	"G(p0 -> (p1 R !p2))",
	"G(!p0 -> Fp0)",
	"G(p0 -> F(p1 | p2))",
	"!(!(p0 | p1) U p2) & G(p3 -> !(!(p0 | p1) U p2))",
	"G!p0 -> G!p1",
	"G(p0 -> (G!p1 | (!p2 U p1)))",
	"G(p0 -> (p1 R (p1 | !p2)))",
	"G((p0 & p1) -> (!p1 R (p0 | !p1)))",
	"G(p0 -> F(p1 & p2))",
	"G(p0 -> (!p1 U (p1 U (p1 & p2))))",
	"G(p0 -> (!p1 U (p1 U (!p1 U (p1 U (p1 & p2))))))",
	"GFp0 -> GFp1",
	"GF(p0 | p1) & GF(p1 | p2)",
}

var sejkList = []string{
	"GF(Fp0 | Gp1 | FG(p0 | Xp1))",
	"FG(Gp0 | F!p1 | GF(p0 & Xp1))",
	"GF(Fp0 | GXp1 | FG(p0 | XXp1))",
}

// Those that can be read without doubt. Package bench says which three have other parentheses than
// in print, and why.
var schuppanBiereList = []string{
	"!(FGp0 -> !(p1 S p2))",                                            // 1394-3 and 1394-4-2, 0
	"G(p0 -> Y(H(p1)))",                                                // abp4, L
	"!FG(p0 -> (O(p1) -> O(p2)))",                                      // brp, not L
	"!(FG(p0 -> (O(p1) -> O(p2))) & GFp0 & GFp1)",                      // brp, not L, nv
	"!G(p0 -> (p0 T (!p0 T !p1)))",                                     // dme, not L
	"!(G(p0 -> (p0 T (!p0 T !p1))) & GFp0)",                            // dme, not L, nv
	"!(G!p0 & GF(p1 & (p1 S p2)) & GF((p1 & (p1 S p2)) -> (p3 S p4)))", // prod-cons, 0
	"!(G(p0 -> (p0 S (p1 S (p2 S (p3 S p4))))) & GFp0)",                // prod-cons, 1
	"G(p0 -> Fp1)",                                                     // prod-cons, 3
}

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

// practiceText has a formula on each line, smallest first.
//
//go:embed practice.ltl
var practiceText string

// lists are published formulas, with the propositions of each renamed to p0, p1, …, or to i0, … and
// o0, …. Some formulas are in several lists.
var lists = []*Set{
	{Name: "dac", Also: []string{"dac-patterns", "spec-patterns"}, Source: dac, About: "specification patterns: absence, existence, universality, precedence, response, chains, each in five scopes", list: dacList},
	{Name: "eh", Also: []string{"eh-patterns"}, Source: eh, About: "formulas to measure optimisations on", list: ehList},
	{Name: "sb", Also: []string{"sb-patterns"}, Source: sb, About: "formulas to measure a translator on", list: sbList},
	{Name: "hkrss", Also: []string{"hkrss-patterns", "liberouter", "liberouter-patterns"}, Source: hol, About: "properties verified in the hardware project Liberouter", list: hkrssList},
	{Name: "p", Also: []string{"p-patterns", "beem", "beem-patterns"}, Source: pel, About: "properties of the models of BEEM", list: beemList},
	{Name: "sejk", Also: []string{"sejk-patterns"}, Source: sej, About: "formulas in which F, G and X are nested", list: sejkList},
	{Name: "schuppan-biere", Source: sch, About: "properties with and without operators of the past, from appendix B", list: schuppanBiereList},
	{Name: "lily", Also: []string{"lily-patterns", "jb-patterns"}, Source: jb, About: "specifications of controllers, from the tool Lily 1.0.2", list: lilyList},
	{Name: "found", Source: "xcheck: docs/found.md, 2026", About: "formulas on which translators have failed, smallest first: a first test of a new one", list: strings.Split(strings.TrimSpace(foundText), "\n")},
	{Name: "practice", Source: syn, About: "specifications of arbiters, buses, buffers, games, robots and smart homes, with 5 to 18 propositions", list: strings.Split(strings.TrimSpace(practiceText), "\n")},
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

// lilyList are specifications of controllers: the inputs are i0, i1, …, the outputs o0, o1, ….
var lilyList = []string{
	// A traffic light for pedestrians.
	"G(i2 -> (X(o0 & X(o0 & Xo0)) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i2 -> (X(o0 | X(o0 | Xo0)) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i0 -> Xi1) -> G(i2 -> (X(o0 | X(o0 | Xo0)) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i0 -> X(i1 | Xi1)) -> G(i2 -> (X(o0 | X(o0 | Xo0)) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i0 -> X(i1 | Xi1)) -> G(i2 -> (X(i0 | o0 | X(i0 | o0 | X(i0 | o0))) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i0 -> X(i1 | X(i1 | Xi1))) -> G(i2 -> (X(i0 | o0 | X(i0 | o0 | X(i0 | o0))) & (o0 -> X!o0) & (i0 -> X(!o0 U i1))))",
	"G(i0 -> X(i1 | Xi1)) -> G(i0 -> (X(!o0 U i1) & (o0 -> X!o0) & (i2 -> (i0 | o0 | X(i0 | o0 | X(i0 | o0 | X(i0 | o0)))))))",
	// Combinations of GF, F and G.
	"GFi0 -> GFo0",
	"GFi0 -> (!o0 & G(!o0 -> ((!o0 U i0) & (i0 -> Fo0))) & GFo0)",
	"(GFi1 | Fi0) -> (GFo1 | Go0)",
	"!(G(i1 -> Fo0) & G(i0 -> Fo1))",
	"G!o1 | G(i1 -> Fo0) | G(i0 -> Fo1)",
	"Gi0 -> (Fo0 & (G!i0 -> F!o0))",
	// Arbiters.
	"G!(o0 & o1) & (GFi0 -> GFo0) & (GFi1 -> GFo1)",
	"G(i0 -> (!(o0 & o1) & Fo0 & (i1 -> Fo1))) & ((!o0 U i0) | G!o0) & ((!o1 U i1) | G!o1)",
	"G(i0 -> (!(o0 & o1) & !(o0 & o2) & !(o1 & o2) & Fo0 & (i1 -> Fo1) & (i2 -> Fo2))) & ((!o0 U i0) | G!o0) & ((!o1 U i1) | G!o1) & ((!o2 U i2) | G!o2)",
	"G(!(o0 & o1) & !(o1 & o2) & !(o0 & o2)) & (GFi0 -> GFo0) & (GFi1 -> GFo1) & GFo2",
	"G(!(o0 & o1) & !(o0 & o2) & !(o0 & o3) & !(o1 & o2) & !(o1 & o3) & !(o2 & o3)) & (GFi0 -> GFo0) & (GFi1 -> GFo1) & (GFi2 -> GFo2) & GFo3",
	// Others.
	"GFi1 -> G(o1 -> (!(o0 & o1) & (o1 U i1) & (o0 -> (o0 U i1)) & (i0 -> Fo0) & Fo1))",
	"(!i1 & G((!i1 & !o2) -> X!i1) & G(i1 -> F!i1) & G(o2 -> Xi1)) -> G((o1 & X!o1) -> (o2 & (o0 | o1) & ((o0 & X!o0) -> o2) & ((!o0 & (!i0 | !i1)) -> Xo0) & ((!o1 & (i0 | !i1)) -> Xo1) & (i0 -> F!o0) & F!o1))",
	"(G(!i0 | !i1) & G(!i0 | !i2) & G(!i0 | !i3) & G(!i1 | !i2) & G(!i1 | !i3) & G(!i2 | !i3)) -> G((!o0 | !o1) & (!o0 | !o2) & (!o0 | !o3) & (!o1 | !o2) & (!o1 | !o3) & (!o2 | !o3) & G(i0 -> (Xo0 | XXo0 | XXXo0)) & G(i1 -> (Xo1 | XXo1 | XXXo1)) & G(i2 -> (Xo2 | XXo2 | XXXo2)) & G(i3 -> (Xo3 | XXo3 | XXXo3)))",
	"(!i0 & !i1 & !i2 & G!(i0 & i1) & GF!i2 & G((!i2 & o0) -> X!i2) & G(i2 -> X(!i2 | X(!i2 | X(!i2 | X!i2))))) -> G(!(i2 & Xo0) & (i1 -> F!o0) & (i0 -> Fo0))",
	"(G((i0 & Xo0) -> Xi0) & GF!i0) -> GX(!i0 & X!o0)",
}

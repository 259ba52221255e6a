package ltl

import "context"

// A RuleForTest is a rule to be used by itself.
type RuleForTest struct {
	Name, Equation, Condition string

	rule *rule
}

// RulesForTest returns all rules.
func RulesForTest() []RuleForTest {
	var list []RuleForTest
	for _, r := range rules().all {
		shown := RuleForTest{Name: r.name, Equation: r.text[0].String() + " = " + r.text[1].String(), rule: r}
		if r.text[2] != nil {
			shown.Condition = r.text[2].String()
		}
		list = append(list, shown)
	}
	return list
}

// Apply rewrites f at its top by this rule alone, once; nil if it does not apply.
func (t RuleForTest) Apply(s *Store, f *Formula) *Formula {
	var instance func(p *pattern, bound []*Formula) *Formula
	instance = func(p *pattern, bound []*Formula) *Formula {
		switch {
		case p.op == OpProp:
			return bound[p.slot]
		case p.left == nil:
			return s.make(node{op: p.op})
		case p.right == nil:
			return s.Unary(p.op, instance(p.left, bound))
		}
		return s.Binary(p.op, instance(p.left, bound), instance(p.right, bound))
	}
	try := func(parts ...*Formula) *Formula {
		m := &match{s: s, implied: s.Implications(context.Background(), 1<<20), premise: t.rule.premise}
		g := &goal{t.rule.left, parts[0], nil}
		if len(parts) == 2 {
			g = &goal{t.rule.left.left, parts[0], &goal{t.rule.left.right, parts[1], nil}}
		}
		if !m.solve(g) {
			return nil
		}
		return instance(t.rule.right, m.bound[:])
	}
	if f.op != OpAnd && f.op != OpOr {
		return try(f)
	}
	if f.op != t.rule.left.op {
		return nil
	}
	operands := f.operands()
	for i, one := range operands {
		for j, other := range operands {
			if i == j {
				continue
			}
			if g := try(other, one); g != nil {
				for k, rest := range operands {
					if k != i && k != j {
						g = s.Binary(f.op, g, rest)
					}
				}
				return g
			}
		}
		if left, right := t.rule.left.left, t.rule.left.right; left.op == OpProp && right.op == one.op {
			if g := try(s.without(f.op, operands, i), one); g != nil {
				return g
			}
		}
	}
	return nil
}

// ImpliesForTest reports whether f => g is known.
func (s *Store) ImpliesForTest(f, g *Formula) bool {
	return s.Implications(context.Background(), 1<<30).Holds(f, g)
}

// NotForTest returns the negation that conditions are decided with.
func (s *Store) NotForTest(f *Formula) *Formula {
	return s.Implications(context.Background(), 0).not(f)
}

// BulkForTest returns the number by which steps of Shrink go down.
func (s *Store) BulkForTest(f *Formula) int {
	sh := &shrinking{s: s, bulk: map[*Formula]int{}}
	return sh.bulkOf(f)
}

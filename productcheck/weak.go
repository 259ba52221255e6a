package productcheck

// IsWeak reports whether both sides are known to be weak: whether within each
// strongly connected component all edges carry the same marks (as of an explicit
// automaton is known). Then the product is, as each of its components is within
// one of either side. It takes time linear in the sides.
func (p *Product) IsWeak() bool {
	for _, s := range []*side{p.left, p.right} {
		if w, ok := s.src.(interface{ IsWeak() bool }); !ok || !w.IsWeak() {
			return false
		}
	}
	return true
}

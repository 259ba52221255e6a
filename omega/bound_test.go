package omega

// Bound reports whether the alphabet is bound to a budget.
func (a *Alphabet) Bound() bool { return a.bound.Binding != nil }

package ltl

// TextSize returns the size of a formula in Spot's syntax, or the length of a text that is none.
func TextSize(text string) int {
	f, err := NewStore().Parse(text, Spot)
	if err != nil {
		return len(text)
	}
	return f.Size()
}

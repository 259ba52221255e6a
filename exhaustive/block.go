package exhaustive

import "math/bits"

// A column has a bit for each word of a block.
type column = uint64

// rows is how many words a column has, and rowBits how many bits their numbers take.
const (
	rows    = 64
	rowBits = 6
)

const all = ^column(0)

// A shape is the shape of words: how many letters are before the cycle, and in it.
type shape struct{ props, prefix, cycle int }

func (s shape) size() int { return s.prefix + s.cycle }

// bits is how many bits tell the words of the shape apart.
func (s shape) bits() int { return s.props * s.size() }

// blocks is how many blocks have all words of the shape, which may take at most 62 bits.
func (s shape) blocks() int { return 1 << max(0, s.bits()-rowBits) }

// next returns the position after p. After the last comes the first of the cycle.
func (s shape) next(p int) int {
	if p+1 == s.size() {
		return s.prefix
	}
	return p + 1
}

// A block is up to 64 words of a shape. If the shape has fewer, they come several times.
type block struct {
	shape
	number int
}

// patterns are the low bits of 64 numbers in a row.
var patterns = [rowBits]column{
	0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
}

// place returns which bit of the number of a word says whether a proposition is true at a position.
// The first letter has the highest bits, and so has the first proposition in it. For two letters
// over p and q, word 6 = 0110 begins with !p&q and continues with p&!q.
func (s shape) place(pos, prop int) int { return s.bits() - 1 - pos*s.props - prop }

// prop returns in which words a proposition is true at a position.
func (b block) prop(pos, prop int) column {
	i := b.place(pos, prop)
	if i < rowBits { // the row; block.number has the higher bits
		return patterns[i]
	}
	if b.number>>(i-rowBits)&1 != 0 {
		return all
	}
	return 0
}

func (b block) word(row int) *Word {
	w := &Word{Prefix: b.prefix}
	for pos := range b.size() {
		letter := make([]bool, b.props)
		for i := range letter {
			letter[i] = b.prop(pos, i)>>row&1 != 0
		}
		w.Letters = append(w.Letters, letter)
	}
	return w
}

// A Word is a lasso. Each letter has the truth of the propositions. The cycle starts after Prefix
// letters.
type Word struct {
	Letters [][]bool
	Prefix  int
}

// Words returns how many different words there are up to a size over a number of propositions:
// words that are the same infinite sequence of letters count once. It returns -1 if there are
// 2^62 or more.
//
// Each such sequence is u; cycle{v} for one v that is not a power of a shorter word, and the
// shortest u. The last letters of u and v differ, or else the cycle could start earlier. Over one
// proposition there are six up to size 2:
//
//	cycle{a}   cycle{!a}   a; cycle{!a}   !a; cycle{a}   cycle{a; !a}   cycle{!a; a}
func Words(props, size int) int {
	if props < 0 || size < 1 {
		return 0
	}
	if props*size+bits.Len(uint(size)) > 60 {
		return -1
	}
	letters := 1 << props
	sum := 0
	primitive := make([]int, size+1) // by their length
	for m := 1; m <= size; m++ {
		primitive[m] = power(letters, m)
		for d := 1; d < m; d++ { // powers of shorter words
			if m%d == 0 {
				primitive[m] -= primitive[d]
			}
		}
		sum += primitive[m]
		for l := 1; l+m <= size; l++ {
			sum += primitive[m] * power(letters, l-1) * (letters - 1) // the last letters of u and v differ
		}
	}
	return sum
}

func power(x, n int) int {
	y := 1
	for range n {
		y *= x
	}
	return y
}

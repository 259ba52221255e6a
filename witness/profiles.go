package witness

import (
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/intern"
)

// profiles are the transition profiles of loops, by increasing length. Each stands once, for the
// shortest loop that has it, and for the lightest of these.
//
// Take one state with the loops [a] 0 {0} and [!a] 0. The loop a has the profile 0 -{0}-> 0, and !a
// has 0 -> 0. The four loops of two letters have these profiles again. So no loop of three letters is
// tried.
type profiles struct {
	sides []*side
	width int        // words of a profile
	pages [][]uint64 // of paged profiles each, which stay where they are
	paged int
	info  []item // origin is the profile before the last letter
	start []int  // by length less one: the first profile

	index  intern.Index
	hashes []uint32
}

func newProfiles(sides []*side) *profiles {
	last := sides[len(sides)-1]
	p := &profiles{sides: sides, width: last.rowsAt + last.states*last.words}
	p.paged = 1 + pageWords/(p.width+1)
	return p
}

// pageWords is about how many words a page has.
const pageWords = 1 << 12

func (p *profiles) profile(i int) []uint64 {
	page := p.pages[i/p.paged]
	i %= p.paged
	return page[i*p.width : (i+1)*p.width]
}

// identity returns the profile of the empty word.
func (p *profiles) identity() []uint64 {
	id := make([]uint64, p.width)
	for _, s := range p.sides {
		for q := range s.states {
			b := q * len(s.sets) // the set of number 0 is empty
			bitset.Add(s.rows(id)[q*s.words:], b)
		}
	}
	return id
}

// extend sets to to the profile of a loop after one more letter. It reports
// whether it may be of use, which it is not if a side that shall accept has no
// run left. It fails if count does, which is told how many words it has looked at.
func (p *profiles) extend(to, from []uint64, letter int, count func(looked int) error) (useful bool, err error) {
	at, looked := 0, 0
	for _, s := range p.sides {
		some := !s.accept
		for range s.states {
			row := to[at : at+s.words]
			looked += 1 + s.extend(row, from[at:at+s.words], letter)
			some = some || slices.ContainsFunc(row, func(x uint64) bool { return x != 0 })
			at += s.words
			if looked > 1<<18 {
				if err := count(looked); err != nil {
					return false, err
				}
				looked = 0
			}
		}
		if !some {
			return false, count(looked)
		}
	}
	return true, count(looked)
}

// add adds a profile, or notes that it can be had with less weight, if it is of
// the last length.
func (p *profiles) add(profile []uint64, it item) {
	h := hash(profile)
	i, at := p.index.First(uint64(h))
	for ; i >= 0; i, at = p.index.Next(at) {
		if p.hashes[i] == h && slices.Equal(p.profile(int(i)), profile) {
			if int(i) >= p.start[len(p.start)-1] && it.weight < p.info[i].weight {
				p.info[i] = it
			}
			return
		}
	}
	if len(p.info)%p.paged == 0 {
		p.pages = append(p.pages, make([]uint64, 0, p.paged*p.width))
	}
	last := len(p.pages) - 1
	p.pages[last] = append(p.pages[last], profile...)
	p.info = append(p.info, it)
	p.hashes = append(p.hashes, h)
	p.index.Add(at, int32(len(p.info)-1), func(i int32) uint64 { return uint64(p.hashes[i]) })
}

func hash(words []uint64) uint32 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, x := range words {
		hi, lo := bits.Mul64(h^x, 0xd6e8feb86659fd93)
		h = hi ^ lo + 0x9e3779b97f4a7c15
	}
	return uint32(h ^ h>>32)
}

// complete reports whether no loop was found of the last length: there are none
// that are longer, either.
func (p *profiles) complete() bool { return p.start[len(p.start)-1] == len(p.info) }

func (p *profiles) memory() int64 {
	return int64(8*len(p.pages)*p.paged*p.width+12*cap(p.info)+4*cap(p.hashes)) + p.index.Memory()
}

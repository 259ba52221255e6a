package intern

// An Index finds the numbers of keys that its owner stores: a hash table with open addressing and
// linear probing, at most half full. It starts with 64 slots, and grows to 256 when the 32nd key is
// added. Keys with the hashes 5, 7 and 69 are in the slots 5, 7 and 6, as 69 mod 64 is 5 too. A
// look-up goes through the numbers of all keys that may be equal to a key:
//
//	i, at := x.First(h)
//	for i >= 0 && keys[i] != key {
//		i, at = x.Next(at)
//	}
//	if i < 0 { // it is new
//		i = int32(len(keys))
//		keys = append(keys, key)
//		x.Add(at, i, rehash)
//	}
type Index struct {
	slots []int32 // number plus one, or 0
}

const (
	least = 64      // slots, a power of two
	large = 1 << 16 // slots from which on memory matters more than the time to grow
)

// First returns the first number that a key with the given hash may have, and its place. The
// number is negative if no key may have the hash.
func (x *Index) First(hash uint64) (number int32, at uint64) {
	if len(x.slots) == 0 {
		x.slots = make([]int32, least)
	}
	at = hash & uint64(len(x.slots)-1)
	return x.slots[at] - 1, at
}

// Next returns the number in the place that follows, and that place.
func (x *Index) Next(at uint64) (int32, uint64) {
	at = (at + 1) & uint64(len(x.slots)-1)
	return x.slots[at] - 1, at
}

// Add enters the next number, at the place where the search for its key ended. When the table
// grows, it asks for the hashes of all numbers so far.
func (x *Index) Add(at uint64, number int32, hash func(number int32) uint64) {
	x.slots[at] = number + 1
	if 2*int(number+1) < len(x.slots) {
		return
	}
	times := 4
	if len(x.slots) >= large {
		times = 2
	}
	x.slots = make([]int32, times*len(x.slots))
	mask := uint64(len(x.slots) - 1)
	for i := range number + 1 {
		at := hash(i) & mask
		for x.slots[at] != 0 {
			at = (at + 1) & mask
		}
		x.slots[at] = i + 1
	}
}

// Memory returns the number of bytes that the index takes.
func (x *Index) Memory() int64 { return int64(4 * cap(x.slots)) }

package report

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A digest has the parts of all cases of a run that a page needs. Its size is bounded.
type digest struct {
	failing []failingFormula // the first ones
	more    int              // failing formulas that are not kept
	plain   *Comparison
	sample  inputSample
}

const (
	// digestFailing bounds the list of failing formulas.
	digestFailing = 1000
	// digestText is how much is kept of a formula that is one of a list.
	digestText = 500
)

// A failingFormula is a formula on which some translator fails.
type failingFormula struct {
	Index    int
	Formula  string
	Seed     *uint64
	Failures []outcome.Failure
}

func newDigest() *digest {
	plain := NewComparison(DefaultMeasures()...)
	return &digest{plain: plain, sample: inputSample{measures: plain.measures}}
}

func (d *digest) add(c *outcome.Case) error {
	if c == nil || c.Error != "" {
		return nil
	}
	if failures := c.Failures(); len(failures) > 0 {
		if len(d.failing) < digestFailing {
			d.failing = append(d.failing, failingFormula{c.Index, strings.Clone(line(c.Title(), digestText)), c.Seed, failures})
		} else {
			d.more++
		}
	}
	d.sample.add(c)
	return d.plain.Case(c)
}

// numbers lists the inputs on which a failure was met, by their numbers in the list of failing ones: "formulas 4, 7, 12".
// It is "" if the list does not have all, or if it has others: of failures of the translator in the same category.
func (d *digest) numbers(f *failure) string {
	var list []string
	for _, x := range d.failing {
		if slices.ContainsFunc(x.Failures, func(y outcome.Failure) bool {
			return y.Class.Category() == f.Class.Category() && slices.Contains(y.Translators, f.Translators[0])
		}) {
			list = append(list, strconv.Itoa(x.Index))
		}
	}
	if len(list) < 2 || len(list) != f.Formulas || d.more > 0 { // one formula is shown anyway
		return ""
	}
	return plural.Word(f.noun) + " " + shortList(list)
}

// An inputSample has the values of all translators on some inputs, for scatter plots of any two. It
// keeps the inputs with the least hashes, so it does not depend on the order of the cases. For each
// translator and measure it also keeps the inputs with the largest values, which stand out in a
// plot.
type inputSample struct {
	measures []quantity
	tools    []string
	inputs   []*sampled // by their hashes
	largest  [][]*sampled
	all      int
}

// A sampled input has the values of all measures for each translator, or NaN without a known value.
type sampled struct {
	text   string
	hash   uint64
	values []float64
}

const (
	// sampleInputs is the maximum number of inputs, and sampleValues of inputs times translators:
	// 6 translators have 4000 inputs, and 12 have 2000.
	sampleInputs, sampleValues = 4000, 24000
	// sampleLargest is how many of the largest are kept for each translator and measure, and
	// sampleText is how many bytes are kept of each text.
	sampleLargest, sampleText = 3, 100
)

func (s *inputSample) most() int {
	return min(sampleInputs, sampleValues/max(1, len(s.tools)))
}

func (s *inputSample) add(c *outcome.Case) {
	for _, p := range outcome.BothPolarities() {
		x := sampled{}
		made := 0
		for i := range c.Results {
			r := &c.Results[i]
			if r.Polarity != p || r.Status != outcome.OK {
				continue
			}
			made++
			// A translator may come later than others; those before it have no values on this input then.
			place := s.place(r.Translator) * len(s.measures)
			for len(x.values) < place+len(s.measures) {
				x.values = append(x.values, math.NaN())
			}
			for k, m := range s.measures {
				x.values[place+k] = m.of(r)
			}
		}
		if made == 0 {
			continue
		}
		s.all++
		text := input(c.Title(), p)
		h := fnv.New64a()
		h.Write([]byte(text))
		x.hash = mixed(h.Sum64())
		s.keep(&x, text)
	}
}

// mixed spreads the bits of a hash. The FNV hashes of short texts differ little in their first
// bits.
func mixed(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	return h ^ h>>33
}

func (s *inputSample) place(tool string) int {
	i := slices.Index(s.tools, tool)
	if i < 0 {
		i = len(s.tools)
		s.tools = append(s.tools, tool)
		s.largest = append(s.largest, make([][]*sampled, len(s.measures))...)
	}
	return i
}

func (s *inputSample) keep(x *sampled, text string) {
	named := func() { // most inputs are not kept, and need no text
		if x.text == "" {
			x.text = strings.Clone(line(text, sampleText))
		}
	}
	for i, v := range x.values {
		list := s.largest[i]
		if !(v > 0) || len(list) == sampleLargest && v <= list[len(list)-1].values[i] { // false for NaN, too
			continue
		}
		named()
		at := slices.IndexFunc(list, func(y *sampled) bool { return v > y.values[i] })
		if at < 0 {
			at = len(list)
		}
		list = slices.Insert(list, at, x)
		s.largest[i] = list[:min(len(list), sampleLargest)]
	}
	// The least hashes of all inputs are a random sample, whatever the order of the inputs.
	at, _ := slices.BinarySearchFunc(s.inputs, x, compareHashes)
	if at < s.most() {
		named()
		s.inputs = slices.Insert(s.inputs, at, x)
	}
	// There is room for fewer inputs when a translator is new.
	if n := s.most(); len(s.inputs) > n {
		clear(s.inputs[n:]) // so that the memory can be freed
		s.inputs = s.inputs[:n]
	}
}

func compareHashes(x, y *sampled) int {
	return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.text, y.text))
}

func (s *inputSample) list() []*sampled {
	list := slices.Clone(s.inputs)
	for _, x := range slices.Concat(s.largest...) {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, compareHashes)
	return list
}

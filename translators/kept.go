package translators

import (
	"slices"
	"strings"
)

// A combination is a tool with some of its options.
type combination struct {
	tool    *Tool // without the options
	options string
	calls   int // of late, or 0 in a key
}

const (
	// maxKept is with how many combinations of its options a tool has processes that are kept alive. The processes
	// that were asked longest ago end first.
	maxKept = 8
	// soon is how many calls of late a combination needs for a process to be kept alive. A formula makes
	// two, and where there are many combinations, the next formula has another one.
	soon = 3
)

func (t *Tool) combination() combination {
	return combination{tool: t.original(), options: strings.Join(t.Drawn, "\x00")}
}

// use takes note that a combination is asked. It returns how often that was of late, and the pool
// that has to end for it, nil if there is none. The caller holds r.mu.
func (r *Runner) use(c combination) (calls int, old *pool) {
	list := r.kept[c.tool]
	now := c
	if i := slices.IndexFunc(list, func(x combination) bool { return x.options == c.options }); i >= 0 {
		now = list[i]
		list = slices.Delete(list, i, i+1)
	}
	now.calls++
	list = append(list, now)
	if len(list) > maxKept {
		least := list[0]
		least.calls = 0
		old = r.pools[least]
		delete(r.pools, least)
		list = list[1:]
	}
	r.kept[c.tool] = list
	return now.calls, old
}

// retire ends the processes of a pool: those that are idle now, and others after their answers.
func (p *pool) retire() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.retired = nil, true
	p.mu.Unlock()
	for _, s := range idle {
		s.close(nil)
	}
}

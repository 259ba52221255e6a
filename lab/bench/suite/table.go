package suite

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A Row adds up the results of a tool.
type Row struct {
	Tool     string `json:"tool" table:"tool"`                   // name of the tool
	Problems int    `json:"problems" table:"problems"`           // number of problems
	Solved   int    `json:"solved" table:"solved"`               // number of solved problems
	Timeouts int    `json:"timeouts" table:"timeouts"`           // number of problems that hit the time limit
	Memory   int    `json:"out_of_memory" table:"out of memory"` // number of problems that hit the memory limit
	Failed   int    `json:"failed" table:"failed"`               // number of problems on which the tool failed otherwise
	Wrong    int    `json:"wrong" table:"wrong"`                 // number of solved problems with a wrong answer
	// time of all problems in seconds, unsolved ones included
	Seconds float64 `json:"seconds" table:"seconds,1"`
	// median number of states over the problems that all tools with states solved; 0 if there are
	// none
	States int `json:"states" table:"median states,positive"`
	// mean time of a problem in seconds, an unsolved one counting twice the limit
	PAR2  float64   `json:"par2" table:"PAR-2,3"`
	Times []float64 `json:"times"` // times of the solved problems in seconds, sorted
}

// Rows returns a row for each tool, in the order in which they come. The limit is the time limit of
// a problem.
func Rows(results []Result, limit time.Duration) []Row {
	var rows []Row
	states := map[string]map[string]int{} // by tool and problem
	for _, r := range results {
		i := slices.IndexFunc(rows, func(row Row) bool { return row.Tool == r.Tool })
		if i < 0 {
			i = len(rows)
			rows = append(rows, Row{Tool: r.Tool, Times: []float64{}})
		}
		rows[i].add(r, limit)
		if r.States > 0 {
			if states[r.Tool] == nil {
				states[r.Tool] = map[string]int{}
			}
			states[r.Tool][r.Problem] = r.States
		}
	}
	for i := range rows {
		row := &rows[i]
		row.PAR2 /= float64(row.Problems)
		slices.Sort(row.Times)
		// Tools solve different problems: medians are over those that all of them solved.
		var list []int
		for problem, n := range states[row.Tool] {
			if everywhere(states, problem) {
				list = append(list, n)
			}
		}
		if len(list) > 0 {
			slices.Sort(list)
			row.States = list[(len(list)-1)/2] // the lower one of two in the middle
		}
	}
	return rows
}

// everywhere reports whether all tools that have states at all have some for a problem.
func everywhere(states map[string]map[string]int, problem string) bool {
	for _, of := range states {
		if of[problem] == 0 {
			return false
		}
	}
	return true
}

// add adds a result. With a limit of 10 s, two solved problems of 1 s and 3 s and an unsolved one
// make a PAR-2 of 8 s.
func (row *Row) add(r Result, limit time.Duration) {
	row.Problems++
	row.Seconds += r.Seconds
	switch r.Status {
	case Solved:
		row.Solved++
		row.PAR2 += r.Seconds
		row.Times = append(row.Times, r.Seconds)
		if r.Wrong {
			row.Wrong++
		}
		return
	case Timeout: // what is not solved counts twice the limit below
		row.Timeouts++
	case Memory:
		row.Memory++
	case Failed:
		row.Failed++
	}
	row.PAR2 += 2 * limit.Seconds()
}

// The size of a plot, in characters.
const plotWidth, plotHeight = 64, 14

// Plot returns a cactus plot as text. Each tool has a letter. A letter in the column of a number of
// problems and the row of a time says that the tool solves so many, each within that time. The axis
// of times is logarithmic, from a millisecond to the limit. Where several tools meet, the plot
// shows *.
func Plot(rows []Row, limit time.Duration) string {
	var grid [plotHeight][plotWidth]byte
	for i := range grid {
		for j := range grid[i] {
			grid[i][j] = ' '
		}
	}
	problems := 1
	for _, row := range rows {
		problems = max(problems, row.Problems)
	}
	for i, row := range rows {
		letter := byte('a' + i%26)
		for column := range plotWidth {
			n := (column + 1) * problems / plotWidth // so many are solved in this column
			if n < 1 || n > len(row.Times) {
				continue
			}
			switch at := &grid[level(row.Times[n-1], limit)][column]; *at {
			case ' ':
				*at = letter
			default:
				*at = '*'
			}
		}
	}
	var b strings.Builder
	for i := plotHeight - 1; i >= 0; i-- {
		label := ""
		if i == 0 || i == plotHeight-1 || i == plotHeight/2 {
			label = fmt.Sprintf("%.3g s", levelTime(i, limit))
		}
		fmt.Fprintf(&b, "%8s |%s\n", label, strings.TrimRight(string(grid[i][:]), " "))
	}
	fmt.Fprintf(&b, "%8s +%s\n%8s  1%*d problems\n", "", strings.Repeat("-", plotWidth), "", plotWidth-1, problems)
	for i, row := range rows {
		fmt.Fprintf(&b, "%8s  %c %s\n", "", 'a'+i%26, row.Tool)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// shortest is the time at the bottom of a plot.
const shortest = time.Millisecond

// levelTime is the time at the upper end of row i of a plot, in seconds.
func levelTime(i int, limit time.Duration) float64 {
	span := max(1, limit.Seconds()/shortest.Seconds())
	return shortest.Seconds() * math.Pow(span, float64(i)/(plotHeight-1))
}

// level returns the lowest row of a plot whose time is not exceeded.
func level(seconds float64, limit time.Duration) int {
	i := 0
	for i < plotHeight-1 && seconds > levelTime(i, limit) {
		i++
	}
	return i
}

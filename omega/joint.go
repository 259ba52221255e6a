package omega

// JointMarks are the marks of a product of two automata: those of the left one, then those of the
// right one, then perhaps some of its own.
type JointMarks struct {
	*MarkTable
	left, right *MarkTable
	shift       int                // added to the right side's marks
	known       map[[2]Marks]Marks // by the marks of both sides; nil if Inline
}

// NewJointMarks returns the marks of the product of two automata, with so many of its own.
func NewJointMarks(left, right Source, own int) *JointMarks {
	left, right = OrEmpty(left), OrEmpty(right)
	shift := left.Acceptance().Sets
	j := &JointMarks{NewMarkTable(shift + right.Acceptance().Sets + own), left.Marks(), right.Marks(), shift, nil}
	if !j.Inline() {
		j.known = make(map[[2]Marks]Marks)
	}
	return j
}

// Join returns the product's marks for l on the left and r on the right.
func (j *JointMarks) Join(l, r Marks) Marks {
	if j.known == nil {
		return l | r<<j.shift
	}
	return j.wide([2]Marks{l, r})
}

func (j *JointMarks) wide(k [2]Marks) Marks {
	m, ok := j.known[k]
	if !ok {
		list := j.left.AppendTo(nil, k[0])
		for _, i := range j.right.AppendTo(nil, k[1]) {
			list = append(list, i+j.shift)
		}
		m = j.Of(list...)
		j.known[k] = m
	}
	return m
}

// Memory returns the number of bytes that the tables take.
func (j *JointMarks) Memory() int64 { return int64(64*len(j.known)) + j.MarkTable.Memory() }

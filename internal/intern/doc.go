// Package intern numbers keys from 0 in the order in which they are first met, so that equal keys
// have equal numbers: states that are sets, pairs or rankings become small integers.
//
// There are three tables. [Lists] numbers lists of integers, [Words] numbers single integers, and
// an [Index] is the hash table below both, for an owner that stores its keys itself. All need no
// initialization, use no memory but their slices, and take amortized constant time for a key and
// time linear in its length.
//
//	var sets intern.Lists[int32]
//	sets.Number([]int32{2, 5})   // 0, true: it is new
//	sets.Number([]int32{7})      // 1, true
//	sets.Number([]int32{2, 5})   // 0, false
//	sets.At(1)                   // [7]
package intern

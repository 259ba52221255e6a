package translators

import (
	"regexp"
	"slices"
	"strings"
)

// likelyLines returns what a program of an unknown kind says: the first line that looks
// like an error message, or else the first, and the last that means something. Progress,
// warnings and excerpts with a caret below are left out, unless there is nothing else.
func likelyLines(text string) []failure {
	lines := meaningful(text)
	if len(lines) == 0 {
		return nil
	}
	first := 0
	for _, re := range []*regexp.Regexp{complaint(), addressed()} {
		if i := slices.IndexFunc(lines, func(f failure) bool { return re.MatchString(f.message) }); i >= 0 {
			first = i
			break
		}
	}
	last := len(lines) - 1
	if first == last {
		return lines[last:]
	}
	message := lines[first]
	if strings.HasSuffix(message.message, ":") {
		message.message += " " + lines[first+1].message
	}
	return []failure{message, lines[last]}
}

// complaints returns the first and the last line of a text that look like error messages.
func complaints(text string) []failure {
	list := slices.DeleteFunc(meaningful(text), func(f failure) bool { return !complaint().MatchString(f.message) })
	if len(list) > 2 {
		list = []failure{list[0], list[len(list)-1]}
	}
	return list
}

// meaningful returns the lines of a text that may say what went wrong.
func meaningful(text string) []failure {
	var all, most, best []failure
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || line == gap || strings.Trim(line, "-=*#~_^|. ") == "" {
			continue
		}
		f := failure{message: line, quoting: true}
		all = append(all, f)
		if i+1 < len(lines) && caret().MatchString(lines[i+1]) || checker().MatchString(line) || traceLine().MatchString(lines[i]) {
			continue
		}
		most = append(most, f)
		if !warning().MatchString(line) && !chatter().MatchString(line) {
			best = append(best, f)
		}
	}
	for _, list := range [][]failure{best, most} {
		if len(list) > 0 {
			return list
		}
	}
	return all
}

var (
	// caret is below an excerpt from the input: the line above it is one.
	caret = expression(`^[ \t|.~-]*\^[ \t^~-]*$`)
	// checker starts the lines of valgrind and its like.
	checker = expression(`^==\d+==`)
	// traceLine is part of a stack trace of some kind.
	traceLine = expression(`^\s+at |^\s*#\d+\s|^\s+from `)

	warning = expression(`(?i)^(?:[\w./+-]+: )?(?:[^\s:]+:[\d:]+ ?)?(?:\[?warn(?:ing)?\b|note:|info:|debug:|use of uninitialized|deep recursion|deprecat)`)
	// chatter is what programs print whatever happens: hints, progress.
	chatter = expression(`(?i)^(?:usage:|hint:|help:|try ['\x60"]|for more info|see (?:also|the|http)|please (?:report|see)|bye|\[\s*\d+\s*/\s*\d+\s*\]|\(core dumped\))` +
		`|\b\d+(?:\.\d+)? ?%(?:\s|$)|\.\.\. ?(?:done|ok)\.?$`)

	// complaint has a word that error messages have.
	complaint = expression(`(?i)\b(?:error|fatal|fail(?:ed|ure|s)?|exception|abort(?:ed|ing)?|assert(?:ion)?|panic|cannot|can.?t|could ?n.?t|could not|unable|invalid|` +
		`illegal|unexpected|expected|unknown|unsupported|not (?:supported|found|implemented|permitted|allowed)|undefined|unbound|missing|no such|denied|` +
		`corrupt(?:ed)?|internal|out of|overflow|underflow|exceed(?:ed|s)?|too (?:many|large|long|deep|big)|bad|syntax|killed|segmentation|bug)\b`)
	// addressed starts with the name of the program, as error messages do.
	addressed = expression(`^[A-Za-z][\w./+-]*: `)
)

package translators

import (
	"strings"
	"unicode/utf8"
)

// maxFunction is how much of a function's name is kept, in bytes.
const maxFunction = 60

// generated are the parts of names that compilers make up: numbers of closures, hashes,
// names of clones.
var generated = expression(`\[[0-9a-f]{8,}\]|::h[0-9a-f]{16}\b|/0x[0-9a-f]+|\+0x[0-9a-f]+|\$+\d+|@\w+$|\[(?:clone|abi)[^\]]*\]` +
	`|\.(?:constprop|isra|part|cold|lto_priv|llvm)\b(?:\.\d+)*|#\d+\b|/\d+$|:\d+|\(\d+ levels\)|\b0x[0-9a-f]+\b|\b\d+\b`)

// numbered are the names of functions without a name.
var numbered = expression(`\b(func|gowrap|fun|lambda|anon|closure)[_-]?\d+(?:\.\d+)*`)

// outermost are names of what calls the program's first function.
var outermost = map[string]bool{"<module>": true, "<main>": true, "<top (required)>": true, "_start": true, "start_thread": true, "?": true,
	"??": true, "???": true, "<unknown>": true, "<unknown module>": true, "<null>": true, "__libc_start_main": true, "__libc_start_call_main": true,
	"__libc_start_main_impl": true, "(file)": true, "(below": true, "clone": true, "<anonymous>": true}

// function returns the name of a function without arguments, template arguments,
// numbers and hashes, or "" if it is not one of the program's:
//
//	int ltl::parser<T>::parse(const string&) [with T = int] = ltl::parser::parse
//	github.com/me/tool.(*parser).parse.func1               = tool.(*parser).parse.func
//	java.base/java.util.ArrayList.get                       = ArrayList.get
//	block in translate                                      = translate
func function(name string) string {
	name = strings.TrimSpace(start(name, maxPatternText))
	if outermost[name] {
		return ""
	}
	name, _, _ = strings.Cut(name, " [with ")
	name, _, _ = strings.Cut(name, " [as ")
	name = generated().ReplaceAllString(name, "")
	name = unqualified(name)
	name = numbered().ReplaceAllString(name, "$1")
	name = generated().ReplaceAllString(name, "")
	if i := strings.LastIndexByte(name, '/'); i >= 0 && i+1 < len(name) {
		name = name[i+1:]
	}
	name = strings.Join(strings.Fields(name), " ")
	if outermost[name] || !strings.ContainsFunc(name, letter) {
		return ""
	}
	return strings.TrimSpace(start(name, maxFunction))
}

// unqualified returns the name in a function's description: without the type that it
// returns, arguments, and what stands in angle or square brackets.
func unqualified(text string) string {
	text = strings.ReplaceAll(text, "(anonymous namespace)", "<anonymous>") // its ( begins no arguments
	// The brackets of operator(), operator[] and operator<< belong to the name. The rest is arguments.
	if m := operator().FindStringIndex(text); m != nil && m[0] > 0 {
		return unqualified(text[:m[0]]) + text[m[0]:m[1]]
	}
	var b strings.Builder
	depth := 0 // of angle and square brackets, whose content is left out
	for i, r := range text {
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		switch {
		case r == '(' && depth == 0 && strings.HasPrefix(text[i:], "(*"):
			// Go's receiver: main.(*tool).parse
			end := strings.IndexByte(text[i:], ')')
			if end > 0 && i+end+1 < len(text) && text[i+end+1] == '.' {
				b.WriteRune(r)
				continue
			}
			return lastName(b.String())
		case r == '(' && depth == 0:
			// Arguments follow, unless the name is still to come.
			if b.Len() > 0 {
				return lastName(b.String())
			}
		case (r == '<' || r == '[') && (depth > 0 || letter(before) || digit(before) || before == ':' && r == '<' && i > 2 && !strings.HasPrefix(text[i:], "<anonymous>") && !strings.HasPrefix(text[i:], "<lambda")):
			// Arguments of a template or a generic function: f<T>, f[T], and f::<T> in Rust. But
			// tool::<anonymous>::f and tool::<lambda(int)> are names, and a bracket with no name before it is part of one.
			depth++
		case (r == '>' || r == ']') && depth > 0 && before != '-': // not the > of ->
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return lastName(b.String())
}

// operator is the name of an operator of C++.
var operator = expression(`\boperator(?:\(\)|\[\]| ?[<>=!+*/%&|^~,-]+)`)

// lastName returns the last word of a description that is a name.
func lastName(text string) string {
	words := strings.Fields(text)
	for len(words) > 1 && (words[len(words)-1] == "const" || strings.HasPrefix(words[len(words)-1], "&")) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return ""
	}
	name := strings.Trim(words[len(words)-1], "*&,;")
	if strings.HasSuffix(text, ".") || name == "" {
		return strings.Trim(text, " .*&,;")
	}
	// Packages of Java and the like: the class and the method are enough.
	return packages().ReplaceAllString(name, "$1")
}

// packages matches the package of a name in Java and C#, where names of classes start with
// a capital.
var packages = expression(`^(?:[\w.]+/)?(?:[a-z_]\w*\.)+([A-Z])`)

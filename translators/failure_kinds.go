package translators

// A failureKind describes how the programs of a language, or the failures of a runtime, look on
// standard error. Each has samples in testdata/failures.
type failureKind struct {
	name string
	hint string // a text without this has none of the kind
	// head matches the message, in groups whose names start with msg (the text), type (of
	// an exception: it precedes the text), static (text from the program's source), func
	// and file (where it happened).
	head   string
	prefix string // of the message
	// frame matches a line of the stack trace that follows, with the lines that belong to
	// it; the group func is the function.
	frame   string
	runtime string // frames that match are not the program's own
	below   bool   // the message is below the trace, the innermost function just above it
	traced  bool   // only what has a trace is a message
	weak    bool   // it counts only if nothing else is known
}

// failureKinds is the table of failures. Where two overlap, the first counts. The failures of other
// runtimes are told apart by their first and last lines, as TestSamples shows.
var failureKinds = []failureKind{
	{
		// Traceback (most recent call last):
		//   File "tool.py", line 5, in parse
		//     raise ValueError("bad operator")
		// ValueError: bad operator
		name: "python", hint: `File "`, below: true,
		frame: `^ *File "[^"\n]*", line \d+(?:, in (?P<func>.+))?\n(?: {4,}.*\n| +\[Previous line repeated .*\n)*`,
		head:  `^(?:__main__\.)?(?P<msg>[A-Za-z_][\w.]*(?::.*)?)\n`,
	},
	{
		// Exception in thread "main" java.lang.IllegalStateException: no operand
		// 	at Tool.translate(Tool.java:14)
		// Caused by: java.io.IOException: closed
		// 	at Tool.parse(Tool.java:5)
		// 	... 1 more
		name: "java", hint: "",
		head:    `^[ \t]*(?:Exception in thread "[^"\n]*" |Caused by: |Suppressed: )(?P<msg>[A-Za-z_][\w.$]*(?::.*)?)$`,
		frame:   javaFrame,
		runtime: javaRuntime,
	},
	{
		// java.lang.IllegalStateException: no operand
		// 	at Tool.translate(Tool.java:14)
		name: "java logged", hint: "\tat ", traced: true,
		head:    `^.*?(?P<msg>(?:[a-z_][\w$]*\.)+[A-Z][\w$]*(?:: .*)?)$`,
		frame:   javaFrame,
		runtime: javaRuntime,
	},
	{
		// tool.rb:3:in `parse': bad operator (ArgumentError)
		// 	from tool.rb:7:in `translate'
		name: "ruby", hint: ":in ",
		head:  "^(?:\\S+: )?[^\\s:]+:\\d+:in [`'](?P<func>[^'\\n]*)': (?P<msg>.*) \\((?P<type>[A-Z][\\w:]*)\\)$",
		frame: "^\\t+(?:\\d+: )?from [^\\n]*?:\\d+:in [`'](?P<func>[^'\\n]*)'\\n(?:\\s+\\.\\.\\. \\d+ levels\\.\\.\\.\\n)?",
	},
	{
		// Fatal error: exception Failure("bad operator")
		// Raised at Stdlib.failwith in file "stdlib.ml", line 29, characters 17-33
		// Called from Tool.translate in file "tool.ml", line 10, characters 38-53
		name: "ocaml", hint: "Fatal error: exception ",
		head:    `^Fatal error: exception (?P<msg>.*)$`,
		frame:   `^(?:Raised|Re-raised|Called)(?: by primitive operation)?(?: at| from) (?:(?P<func>\S+)(?: \(inlined\))? in )?file .*\n`,
		runtime: `^(?:Raised|Called from|Re-raised).* Stdlib\.(?:failwith|invalid_arg) `,
	},
	{
		// escript: exception error: no match of right hand side value {error,x}
		//   in function  tool:parse/2 (tool.erl, line 3)
		//   in call from tool:translate/2 (tool.erl, line 6)
		name: "erlang", hint: "exception ",
		head:  `^(?:escript: |\*\* )exception (?P<type>error|exit|throw): (?P<msg>.*(?:\n {8,}.*)*)$`,
		frame: `^\s+in (?:function|call from|operator)\s+(?P<func>\S+).*\n(?:\s+called as .*\n)?`,
	},
	{
		// panic: bad operator
		//
		// goroutine 1 [running]:
		// main.(*tool).parse(0xc000012345, {0x7ffe1d865ab8, 0x1a})
		// 	/home/me/tool.go:16 +0x16e
		name: "go", hint: ": ",
		head:    `^\t*(?P<msg>(?:panic|fatal error): .*?)(?: \[recovered.*\])?$`,
		frame:   goFrame,
		runtime: `^(?:runtime|internal/[^(\n]*|sync|sync/atomic|panic)[.(]`,
	},
	{
		// thread 'main' panicked at src/main.rs:7:36:
		// bad operator
		// stack backtrace:
		//    2: tool::parser::Parser::parse
		//              at ./src/main.rs:7:36
		// Before Rust 1.73: thread 'main' panicked at 'bad operator', src/main.rs:7:36
		name: "rust", hint: "panicked at ", prefix: "panicked: ",
		head: `^thread '[^'\n]*' (?:\(\d+\) )?panicked at ` +
			`(?:'(?P<msg>[^\n]*(?:\n.*){0,9}?)', (?P<file>[^\s:]+):\d+:\d+|(?P<file2>.*?):\d+:\d+:\n(?P<msg2>.*))$`,
		frame:   `^ +\d+: +(?:0x[0-9a-f]+ - )?(?P<func>.+)\n(?: +at .*\n)?`,
		runtime: `: +(?:0x[0-9a-f]+ - )?<*(?:std|core|alloc|__rustc|backtrace)\b|rust_begin_unwind|__rust_`,
	},
	{
		// terminate called after throwing an instance of 'std::out_of_range'
		//   what():  vector::_M_range_check
		name: "c++", hint: "terminat",
		head: `^(?:terminate called after throwing an instance of '(?P<type>.*)'(?:\n\s*what\(\):(?P<msg>.*))?` +
			`|(?P<msg2>terminate called (?:without an active exception|recursively))` +
			`|libc\+\+abi.*: terminating (?:due to|with) (?:uncaught exception of type )?(?P<msg3>.*))$`,
	},
	{
		// tool: parser.cc:16: int parse(const char *): Assertion `n > 0' failed.
		// Assertion failed: (n > 0), function parse, file parser.c, line 16.
		// Assertion failed: n > 0 (parser.c: parse: 16)
		// Assertion failed: n > 0, file parser.c, line 16
		name: "assertion", hint: "ssertion ", prefix: "assertion failed: ",
		head: "^(?:\\S+: )?(?P<file>[^\\s:]+):\\d+: (?:(?P<func>.*): )?Assertion [`'](?P<static>.*)' failed\\.?$" +
			`|^Assertion failed: (?:\((?P<static2>.*)\), function (?P<func2>[^,]+), file (?P<file2>[^,]+), line \d+.*` +
			`|(?P<static3>.*) \((?P<file3>[^:\n]+): (?P<func3>[^:\n]+): \d+\)` +
			`|(?P<static4>.*), file (?P<file4>[^,\n]+), line \d+.*)$`,
	},
	{
		// ==5925==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x606000000054
		// READ of size 4 at 0x606000000054 thread T0
		//     #0 0x562c4b7214e3 in use(int*, int) /home/me/tool.cc:22
		name: "sanitizer", hint: "Sanitizer: ",
		head:    `^(?:==\d+==)?(?:ERROR|WARNING): (?P<type>\w+Sanitizer): (?P<msg>.*?)(?: on (?:unknown )?address .*| \(pid=\d+\)| in thread .*)?$`,
		frame:   sanitizerFrame,
		runtime: sanitizerRuntime,
	},
	{
		// tool.cc:23:67: runtime error: signed integer overflow: 2147483647 + 1 cannot be …
		//     #0 0x55d25934c4cc in add(int, int) /home/me/tool.cc:23
		name: "ubsan", hint: ": runtime error: ",
		head:    `^(?P<file>[^\s:]+):\d+(?::\d+)?: (?P<msg>runtime error: .*)$`,
		frame:   sanitizerFrame,
		runtime: sanitizerRuntime,
	},
	{
		// ==7266== Invalid read of size 4
		// ==7266==    at 0x10A3A8: use(int*, int) (tool.cc:22)
		// ==7266==    by 0x10A52C: translate (tool.cc:31)
		name: "valgrind", hint: "==    at 0x", prefix: "valgrind: ", traced: true,
		head:    `^==\d+== (?P<msg>[A-Z\d].*)(?:\n==\d+== {1,2}[A-Z].*|\nLocks held.*)?\n==\d+==    at `,
		frame:   `^(?:==\d+==    (?:at|by) )?0x[0-9A-Fa-f]+: (?P<func>.*?) \((?:in )?[^()\n]*\)\n`,
		runtime: `: (?:malloc|calloc|realloc|free|operator (?:new|delete)[^\n]*|(?:__)?(?:mem|str)\w+) \(in `,
	},
	{
		// *** stack smashing detected ***: terminated
		// *** Error in `./tool': double free or corruption (out): 0x0000000001c2b010 ***
		// free(): double free detected in tcache 2
		name: "libc", hint: "",
		head: "^(?:\\*\\*\\* Error in .*?': (?P<msg>.*?)(?:: 0x[0-9a-f]+)? \\*\\*\\*|\\*\\*\\* (?P<msg2>.*?) \\*\\*\\*(?:: .*)?" +
			`|(?P<msg3>(?:malloc|free|realloc|calloc|munmap_chunk|malloc_consolidate|unlink_chunk|aligned_alloc)\(\): .*` +
			`|double free or corruption.*|corrupted (?:size|double-linked|unsorted).*|Fatal glibc error: .*|pure virtual method called))$`,
	},
	{
		// bad operator at tool.pl line 5.
		// 	Tool::parse("Ga", "x") called at tool.pl line 8
		name: "perl", hint: " line ", prefix: "Perl: ",
		head:  `^(?P<msg>\S.*?) at \S+ line \d+(?:, <[^>\n]*> (?:line|chunk) \d+)?\.?$`,
		frame: `^\t(?P<func>[\w:]+)(?:\(.*\))? called at .*\n`,
	},
	{
		// An exception without a trace: pkg.ParseError: bad operator
		name: "exception", hint: ": ", weak: true,
		head: `^(?:Uncaught |Unhandled exception: )?(?P<msg>(?:[A-Za-z_]\w*(?:\.|::))*[A-Z]\w*(?:Error|Exception|Fault|Failure|Interrupt)(?: \[\w+\])?: .*)$`,
	},
}

const (
	javaFrame   = `^\s+at (?P<func>[^\s(]+)\((?:[^()\n]*:\d+|[^()\s]+\.\w+|Native Method|Unknown Source|<[^>\n]*>)\).*\n(?:\s+\.\.\. \d+ .*\n)?`
	javaRuntime = `at (?:java\.base/)?(?:jdk\.internal\.|sun\.reflect\.|java\.lang\.reflect\.|java\.lang\.invoke\.)`
	goFrame     = `^(?P<func>[^\s(][^\n]*)\([^\n]*\)\n\t[^\n]*:\d+[^\n]*\n`

	sanitizerFrame = `^ +#\d+ (?:0x[0-9a-f]+ )?(?:in )?(?P<func>.*?)(?: (?:\S*/\S*|\S+:\d+(?::\d+)?|\(\S+\+0x[0-9a-f]+\)|<null>))*\n`
	// Functions of the C library are where programs notice what they did wrong.
	sanitizerRuntime = `(?: in|#\d+) (?:__interceptor_\w+|__(?:a|ub|t|m|l)san\w*|operator (?:new|delete)|(?:m|c|re)alloc\b|free\b|(?:__)?(?:mem|str)(?:cpy|set|move|len|cmp|cat|chr|dup|n\w+)\b|__libc_\w+|_start\b|__GI_\w+|raise\b|abort\b)`
)

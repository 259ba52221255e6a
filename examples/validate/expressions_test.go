package validate

import (
	"regexp"
	"strings"

	"github.com/rhysd/actionlint"
)

// goesOn reports whether a job or a step is run, if something before it has failed or not.
func (a *actions) goesOn(condition *actionlint.String, values map[string]string, failed bool) bool {
	if condition == nil {
		return !failed
	}
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(condition.Value, "${{"), "}}"))
	e := &expression{actions: a, text: text, values: values, failed: failed}
	yes := truth(e.parse())
	return yes && (e.asked || !failed) // success() if it does not ask
}

var expressions = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

// expand puts the values of expressions in their places.
func (a *actions) expand(text string, values map[string]string) string {
	return expressions.ReplaceAllStringFunc(text, func(x string) string {
		e := &expression{actions: a, text: expressions.FindStringSubmatch(x)[1], values: values}
		return e.parse()
	})
}

// An expression is evaluated to a string; "" and "false" are false.
type expression struct {
	*actions
	text   string
	values map[string]string // of names with dots
	failed bool              // a step before it has failed
	asked  bool              // it asks whether one has
}

func truth(value string) bool { return value != "" && value != "false" }

func (e *expression) parse() string {
	e.t.Helper()
	tree, err := actionlint.NewExprParser().Parse(actionlint.NewExprLexer(e.text + "}}"))
	if err != nil {
		e.t.Fatalf("%s: %v", e.text, err)
	}
	return e.value(tree)
}

func (e *expression) value(n actionlint.ExprNode) string {
	e.t.Helper()
	boolean := map[bool]string{false: "false", true: "true"}
	switch n := n.(type) {
	case *actionlint.StringNode:
		return n.Value
	case *actionlint.BoolNode:
		return boolean[n.Value]
	case *actionlint.NotOpNode:
		return boolean[!truth(e.value(n.Operand))]
	case *actionlint.CompareOpNode:
		same := e.value(n.Left) == e.value(n.Right)
		switch n.Kind {
		case actionlint.CompareOpNodeKindEq:
			return boolean[same]
		case actionlint.CompareOpNodeKindNotEq:
			return boolean[!same]
		}
	case *actionlint.LogicalOpNode:
		left := e.value(n.Left)
		if right := e.value(n.Right); truth(left) == (n.Kind == actionlint.LogicalOpNodeKindAnd) {
			return right
		}
		return left
	case *actionlint.FuncCallNode:
		switch strings.ToLower(n.Callee) {
		case "always":
			e.asked = true
			return "true"
		case "cancelled":
			e.asked = true
			return "false"
		case "failure":
			e.asked = true
			return boolean[e.failed]
		case "fromjson":
			return e.value(n.Args[0]) // whoever uses it reads the JSON
		}
	case *actionlint.ObjectDerefNode:
		name := dotted(n)
		for known, value := range e.values {
			if strings.EqualFold(known, name) {
				return value
			}
		}
		if strings.HasPrefix(name, "steps.") {
			return "" // the step was not run; actionlint knows its name
		}
	}
	e.t.Fatalf("%s: what does it say?", e.text)
	return ""
}

// dotted returns the name that selectors spell.
func dotted(n actionlint.ExprNode) string {
	switch n := n.(type) {
	case *actionlint.VariableNode:
		return n.Name
	case *actionlint.ObjectDerefNode:
		return dotted(n.Receiver) + "." + n.Property
	}
	return "?"
}

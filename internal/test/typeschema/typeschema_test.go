package typeschema

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

type inner struct {
	A string `json:"a"`
}

type optional struct {
	N uint64 `json:"n"`
}

type outer struct {
	inner
	*optional
	Kind   kind            `json:"kind"`
	Next   *outer          `json:"next"`
	Maybe  *int            `json:"maybe,omitempty"`
	List   []inner         `json:"list"`
	Counts map[string]int  `json:"counts,omitempty"`
	At     time.Time       `json:"at,omitzero"`
	Any    json.RawMessage `json:"any"`
	Hidden int             `json:"-"`
}

type kind string

// A described has the results of
// [kind].
//
// The rest is not for users.
type described struct {
	A int `json:"a"` // number of [kind]s
	// name of the
	// other
	B string `json:"b"`
	C int    `json:"c"`
}

// TestComments: comments become sentences, and what has no comment is found.
func TestComments(t *testing.T) {
	b := &Builder{Comments: NewComments("github.com/xcheck-ltl/xcheck", "../../..")}
	got, err := json.Marshal(b.Struct(reflect.TypeFor[described]()))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"description":"The results of kind.","properties":{"a":{"description":"Number of kinds.","type":"integer"},` +
		`"b":{"description":"Name of the other.","type":"string"},"c":{"description":"","type":"integer"}},"required":["a","b","c"],"type":"object"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(b.Undescribed) != 1 || b.Undescribed[0] != "typeschema.described.C" {
		t.Errorf("without a comment: %v", b.Undescribed)
	}
}

// TestStruct: each way in which a field can be written has its schema.
func TestStruct(t *testing.T) {
	b := &Builder{Enums: map[reflect.Type][]string{reflect.TypeFor[kind](): {"x", "y"}}}
	got, err := json.Marshal(b.Struct(reflect.TypeFor[outer]()))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"properties":{"a":{"type":"string"},"any":{},"at":{"format":"date-time","type":"string"},` +
		`"counts":{"additionalProperties":{"type":"integer"},"type":"object"},"kind":{"enum":["x","y"],"type":"string"},` +
		`"list":{"items":{"$ref":"#/$defs/typeschema.inner"},"type":"array"},"maybe":{"type":"integer"},"n":{"minimum":0,"type":"integer"},` +
		`"next":{"anyOf":[{"$ref":"#/$defs/typeschema.outer"},{"type":"null"}]}},"required":["a","kind","next","list","any"],"type":"object"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(b.Defs) != 2 {
		t.Errorf("defined: %v", b.Defs)
	}
	closed := Close(Object{"anyOf": []any{Object{"properties": Object{}}}}).(Object)
	if closed["anyOf"].([]any)[0].(Object)["additionalProperties"] != false {
		t.Errorf("closed: %v", closed)
	}
}

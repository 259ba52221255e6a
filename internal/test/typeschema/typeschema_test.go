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

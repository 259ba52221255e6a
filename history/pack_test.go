package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestDictionary: what was packed needs the very same dictionary for ever.
func TestDictionary(t *testing.T) {
	const want = "4c202a74fe48c0498d92a9d525651cfb67c019e4ca942765e803de5474a76b50"
	if sum := sha256.Sum256(dictionary1); hex.EncodeToString(sum[:]) != want {
		t.Errorf("dictionary1.json has changed: files that were written with it can't be read any more")
	}
}

// TestPack: what is stored of a case is all of it, whatever its fields hold.
func TestPack(t *testing.T) {
	number, seed := campaign.Seeded(t, 200, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	for range number {
		c := new(outcome.Case)
		fill(r, reflect.ValueOf(c).Elem(), 0)
		document, err := pack(c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpack(document)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := text(t, c), text(t, got); a != b {
			t.Fatalf("packed:\n%s\nunpacked:\n%s", a, b)
		}
	}
}

// fill sets all exported fields to random values: also to none, where that is possible.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		if r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(r, v.Field(i), depth)
			}
		}
	case reflect.Slice:
		if r.IntN(5) == 0 {
			return // null
		}
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
		for i := range v.Len() {
			fill(r, v.Index(i), depth+1)
		}
	case reflect.String:
		runes := make([]rune, r.IntN(12))
		for i := range runes {
			runes[i] = []rune("abU&!<->\"\\\n\t\x00é∞\u2028\ufffd😀")[r.IntN(18)]
		}
		v.SetString(string(runes))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(r.Int64() >> r.IntN(64) * int64(1-2*r.IntN(2)))
	case reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float64:
		v.SetFloat(r.ExpFloat64() * float64(int64(1)<<r.IntN(62)))
	default:
		panic(fmt.Sprintf("a case has a field of kind %s: expected a way to fill it", v.Kind()))
	}
}

func text(t testing.TB, value any) string {
	t.Helper()
	line, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// FuzzUnpack: damaged cases are errors, and what can be read can be packed again.
func FuzzUnpack(f *testing.F) {
	document, err := pack(sample(3))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(document)
	f.Add(document[:len(document)/2])
	f.Add([]byte{})
	f.Add([]byte{packed1})
	f.Add(append([]byte{packed1 + 1}, document[1:]...))
	f.Fuzz(func(t *testing.T, document []byte) {
		c, err := unpack(document)
		if err != nil {
			return
		}
		again, err := pack(c)
		if err != nil {
			t.Fatal(err)
		}
		d, err := unpack(again)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := text(t, c), text(t, d); !bytes.Equal([]byte(a), []byte(b)) {
			t.Errorf("%s, packed again: %s", a, b)
		}
	})
}

// TestUnpackDamaged: a bit that has changed is an error or another case, and one that is cut
// off is an error.
func TestUnpackDamaged(t *testing.T) {
	document, err := pack(sample(3))
	if err != nil {
		t.Fatal(err)
	}
	for i := range document {
		if _, err := unpack(document[:i]); err == nil {
			t.Errorf("the first %d of %d bytes can be read", i, len(document))
		}
		damaged := bytes.Clone(document)
		damaged[i] ^= 0x10
		unpack(damaged) // does not panic
	}
}

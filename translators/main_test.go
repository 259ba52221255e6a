package translators_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
)

// TestMain lets more tests run at a time than there are cores: most wait for what they have
// started.
func TestMain(m *testing.M) {
	flag.Set("test.parallel", fmt.Sprint(8*runtime.GOMAXPROCS(0)))
	os.Exit(m.Run())
}

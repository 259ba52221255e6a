package translators_test
import ("testing";"time";"github.com/xcheck-ltl/xcheck/translators";"context";"strings";"github.com/xcheck-ltl/xcheck/ltl")
func TestZZ(t *testing.T){
 r:=runner(t,2)
 for _,c:=range []string{"rm %O; mkdir %O # %f","rm %O; mkfifo %O # %f","env -i setsid sleep 987.77 & echo %f"} {
  p,_:=translators.ParseCommand(c); s:=time.Now()
  ctx,cancel:=context.WithTimeout(context.Background(),3*time.Second)
  done:=make(chan bool)
  go func(){ o,err:=r.Run(ctx,p,formula("a"),translators.Limits{Timeout:time.Second},nil); t.Log(c,o.Status,o.Detail,err,time.Since(s)); close(done)}()
  select{case <-done: case <-time.After(5*time.Second): t.Log(c,"HANGS")}
  cancel()
 }
 p,_:=translators.ParseCommand("echo %f")
 o,err:=r.Run(context.Background(),p,func(ltl.Syntax)(string,error){return strings.Repeat("a",200000),nil},translators.Limits{},nil); t.Log(o.Status,err)
 t.Log(alive("987.77"))
}

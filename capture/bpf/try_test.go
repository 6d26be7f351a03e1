package bpf
import ("testing";"fmt")
func TestTry(t *testing.T) {
 fmt.Println(Compiler())
 for _, f := range []string{"port 53","udp port 53 and host 1.2.3.4","host foo", PortsFilter([]uint16{6969},[]uint16{27500},1)} {
  p, err := Compile(f, 1, 0)
  if err != nil { fmt.Println(err); if e, ok := err.(*Error); ok {fmt.Println(e.Excerpt())}; continue }
  toks, _ := lex(f)
  c, err := compileOurselves(f, toks, 1, 0)
  fmt.Println(f, len(p.code), len(c), err)
  if f == "port 53" { fmt.Println(p); fmt.Println(&Program{code:c}) }
 }
}

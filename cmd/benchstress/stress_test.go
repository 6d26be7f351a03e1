package main
import ("testing";"github.com/gamedissect/gamedissect/decode";"github.com/gamedissect/gamedissect/layers";"net/netip";"fmt";"bytes")
type k struct{a,b netip.AddrPort}
func TestStress(t *testing.T) {
	for _, lossy := range []bool{false,true} {
	stressSeed = 17
	all, file, _ := generateTold(t, 50, lossy, 20e6)
	for from, m := range all.lost { for to, l := range m { if fmt.Sprint(from)=="10.2.0.47:1028" { t.Log("lost", from, to, l) } } }
	raws := 0; n := 0
	e := decode.New(decode.Options{Protocols: layers.All(),
		Message: func(m *decode.Message){ if n < 3 && m.Name=="MsgGetWorld" && (m.Src.Port()==20055||m.Dst.Port()==20055) {n++; t.Log(m.Frame, m.Src, m.Dst, m.Name)}
		 if m.Name=="ServerHello" && lossy && m.Dst.String()=="10.2.0.47:1027" {t.Log("hello")} },
		Raw: func(p *decode.Place, _ wireDirection, b []byte){ raws += len(b) },
		Finding: func(f *decode.Finding){ if f.Src.Port()==20055||f.Dst.Port()==20055 || f.Src.Port()==5155 {t.Log(f.Frame, f.Src, f.Dst, f.Text)}} })
	feed(t, e, bytes.NewBuffer(file.Bytes())); e.Close()
	t.Log("lossy", lossy, "said", all.bytes, "raw", raws)
	}
}

package print

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func (p *Printer) hasFinding(n *wire.Node) bool {
	for i := range p.findings {
		if f := &p.findings[i]; !n.Inside && f.Off < int(n.Off+n.Size) && f.Off >= int(n.Off) {
			return true
		}
	}
	return false
}

// appendFindingsIn appends the findings whose first byte is one of the node's bytes.
func (p *Printer) appendFindingsIn(dst []byte, n *wire.Node) []byte {
	for i := range p.findings {
		f := &p.findings[i]
		if !p.shown[i] && f.Off < int(n.Off+n.Size) && f.Off >= int(n.Off) {
			p.shown[i] = true
			dst = p.appendFinding(dst, f)
		}
	}
	return dst
}

func (p *Printer) appendFinding(dst []byte, f *wire.Finding) []byte {
	if p.Finding != nil {
		return p.Finding(dst, p.indent(0), f)
	}
	dst = p.appendIndent(dst, 0)
	colour := p.Style.ForSeverity(f.Rule.Severity)
	dst = append(dst, colour...)
	dst = AppendFinding(dst, f.Rule, 1, f.Text)
	if colour != "" {
		dst = append(dst, p.Style.Reset...)
	}
	return append(dst, '\n')
}

// AppendFinding appends a finding for people: "! tribes.key error: the text". If there are several findings of the
// rule, their number follows the severity, such as " x3".
func AppendFinding(dst []byte, rule *wire.Rule, times int, text string) []byte {
	dst = append(append(dst, "! "...), rule.ID...)
	dst = append(append(dst, ' '), rule.Severity.String()...)
	if times > 1 {
		dst = strconv.AppendInt(append(dst, " x"...), int64(times), 10)
	}
	return append(append(dst, ": "...), text...)
}

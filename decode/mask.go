package decode

import "slices"

// mask hides the secrets of the message at hand. The findings are those of what was sent.
func (e *Engine) mask() {
	m := &e.message
	part := m.Layer.Part()
	m.made = true // by the search for secrets
	findings := slices.Clone(m.Findings)
	if part.MaskSecrets(m.Layer, m.Protocol, m.tree) {
		m.Data, m.Findings, m.made = part.Contents, findings, false
	}
}

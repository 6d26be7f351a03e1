package view

import (
	"bytes"

	"github.com/gamedissect/gamedissect/decode/wire/privacy"
)

type secretsRequest struct {
	MS *int `json:"ms"`
}

type secretsAnswer struct {
	Found bool `json:"found"`
	Done  bool `json:"done"`
}

// secrets reports whether any message read so far has a password or a token. If secrets are masked, they cannot be
// found, so it reports true.
func (x *rows) secrets(q *secretsRequest) (*secretsAnswer, error) {
	for l := newLimit(q.MS); !x.secret && !x.maskSecrets && x.searched < x.len() && !l.over(); x.searched++ {
		r := x.row(x.searched)
		if !x.kinds[r.kind].secrets {
			continue
		}
		m, err := x.message(x.searched)
		if err != nil {
			return nil, err
		}
		b := m.Layer.Core()
		masked := privacy.Masked(b, m.Protocol, m.Tree())
		x.secret = masked != nil && !bytes.Equal(masked, b.Decoded())
	}
	found := x.secret || x.maskSecrets
	return &secretsAnswer{Found: found, Done: found || x.searched == x.len()}, nil
}

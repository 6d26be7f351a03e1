package anonymize

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
)

// A secret is the master key.
type secret []byte

func (s secret) derive(purpose string) []byte {
	h := hmac.New(sha256.New, s)
	h.Write([]byte("gamedissect anonymize " + purpose))
	return h.Sum(nil)
}

func (s secret) block(purpose string) cipher.Block {
	b, err := aes.NewCipher(s.derive(purpose)[:aes.BlockSize])
	if err != nil {
		panic(err) // the size of the key is valid for AES
	}
	return b
}

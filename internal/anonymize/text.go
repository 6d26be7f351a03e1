package anonymize

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"unicode/utf8"
)

// texts maps texts to other texts. Each character stays in its class, so a text keeps its length and stays valid or
// invalid UTF-8. Two different names never become equal.
type texts struct {
	block  cipher.Block
	opaque cipher.Block
}

func newTexts(s secret) *texts {
	return &texts{block: s.block("text"), opaque: s.block("bytes")}
}

// An alphabet is a class of characters. A character is mapped to a character of the same class.
type alphabet struct{ first, last rune }

// Outside ASCII, the characters of a class have the same length in UTF-8. Control characters are unchanged.
var alphabets = []alphabet{
	{'A', 'Z'}, {'a', 'z'}, {'0', '9'},
	{0xa1, 0x24f}, {0x250, 0x7ff}, {0x800, 0xd7ff}, {0xe000, 0xfffd}, {0x10000, 0x10ffff},
}

// punctuation is a class that is not a range. It excludes the space and the characters . / : @ " \, which have a
// meaning for programs and are unchanged.
const punctuation = "!#$%&'()*+,-;<=>?[]^_`{|}~"

var punctuated = func() (at [128]int8) {
	for i := range at {
		at[i] = -1
	}
	for i := range len(punctuation) {
		at[punctuation[i]] = int8(i)
	}
	return at
}()

// nonUTF8 replaces bytes above 0x7f in a text that is not UTF-8. The replacements never occur in UTF-8.
var nonUTF8 = alphabet{0xf8, 0xff}

// shift returns the character that follows r by a number of steps in the same class.
func shift(r rune, steps uint64) rune {
	if r < 128 && punctuated[r] >= 0 {
		n := uint64(len(punctuation))
		return rune(punctuation[(uint64(punctuated[r])+steps%n)%n])
	}
	for _, a := range alphabets {
		if a.first <= r && r <= a.last {
			return a.shift(r, steps)
		}
	}
	return r
}

func (a alphabet) shift(r rune, steps uint64) rune {
	n := uint64(a.last-a.first) + 1
	return a.first + rune((uint64(r-a.first)+steps%n)%n)
}

// runes maps characters in place. It shifts each character by a keyed hash of the characters before it, and then by a
// keyed hash of the characters after it.
func (t *texts) runes(r []rune) {
	t.pass(r, 0, len(r), 1)
	t.pass(r, len(r)-1, -1, -1)
}

func (t *texts) pass(r []rune, from, to, step int) {
	var state [aes.BlockSize]byte
	binary.LittleEndian.PutUint32(state[:], uint32(len(r)))
	state[4] = byte(step)
	t.block.Encrypt(state[:], state[:])
	for i := from; i != to; i += step {
		old := r[i]
		r[i] = shift(old, binary.LittleEndian.Uint64(state[8:]))
		state[0] ^= byte(old)
		state[1] ^= byte(old >> 8)
		state[2] ^= byte(old >> 16)
		t.block.Encrypt(state[:], state[:])
	}
}

func (t *texts) text(b []byte) {
	if !utf8.Valid(b) {
		t.bytewise(b)
		return
	}
	r := []rune(string(b))
	t.runes(r)
	copy(b, string(r))
}

// bytewise maps a text in an unknown encoding. Outside ASCII, different bytes may become equal, because only a few byte
// values keep the text from becoming UTF-8.
func (t *texts) bytewise(b []byte) {
	sum := t.sum(b)
	r := make([]rune, len(b))
	for i, x := range b {
		r[i] = rune(x)
		if x >= utf8.RuneSelf {
			r[i] = nonUTF8.shift(nonUTF8.first, uint64(x)+uint64(sum[i%len(sum)]))
		}
	}
	// Only ASCII is passed to runes, which would treat 0xf8 and above as letters of Latin-1.
	ascii := make([]rune, 0, len(r))
	for i := range r {
		if b[i] < utf8.RuneSelf {
			ascii = append(ascii, r[i])
		}
	}
	t.runes(ascii)
	for i := range b {
		if b[i] < utf8.RuneSelf {
			r[i], ascii = ascii[0], ascii[1:]
		}
		b[i] = byte(r[i])
	}
}

// sum returns a keyed hash: the last block of a cipher chain that begins with the length.
func (t *texts) sum(b []byte) (state [aes.BlockSize]byte) {
	binary.LittleEndian.PutUint64(state[:], uint64(len(b)))
	t.opaque.Encrypt(state[:], state[:])
	for len(b) > 0 {
		n := min(len(b), len(state))
		for i := range n {
			state[i] ^= b[i]
		}
		t.opaque.Encrypt(state[:], state[:])
		b = b[n:]
	}
	return state
}

// bytes replaces bytes of unknown content in place. Zeros stay zeros, because programs treat them as the ends of texts,
// and other bytes do not become zeros.
func (t *texts) bytes(b []byte) {
	if isText(b) {
		t.text(b)
		return
	}
	seed := t.sum(b)
	stream := cipher.NewCTR(t.opaque, seed[:])
	noise := make([]byte, len(b))
	stream.XORKeyStream(noise, noise)
	for i := range b {
		if b[i] != 0 {
			b[i] = 1 + noise[i]%255
		}
	}
}

// isText reports whether bytes are lines of ASCII text.
func isText(b []byte) bool {
	for _, x := range b {
		if x >= 0x7f || x < ' ' && x != '\n' && x != '\r' && x != '\t' {
			return false
		}
	}
	return true
}

// words maps words in bytes of unknown content in place. A word consists of two or more letters or, if lettersOnly is
// false, of two or more printable characters.
func (t *texts) words(b []byte, lettersOnly bool) {
	for i := 0; i < len(b); {
		n, _ := wordAt(b[i:], lettersOnly)
		if n > 1 {
			t.text(b[i : i+n])
		}
		i += max(n, 1)
	}
}

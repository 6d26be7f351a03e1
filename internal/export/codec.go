package export

import (
	"sync"

	klauspost "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// codec compresses what tables hold, one page at a time.
var codec = &zstd.Codec{Level: zstd.SpeedDefault}

// closely compresses floats. They are mostly random numbers, of which no more than four bytes repeat, where a server
// tells one player after another of the same move: only the best level looks for so little.
var closely = &closeCodec{Codec: codec, encoder: sync.OnceValues(func() (*klauspost.Encoder, error) {
	return klauspost.NewWriter(nil, klauspost.WithEncoderLevel(klauspost.SpeedBestCompression),
		klauspost.WithEncoderConcurrency(1), klauspost.WithEncoderCRC(false), klauspost.WithZeroFrames(true))
})}

// A closeCodec has one encoder, whose tables take 35 MB: that of the package makes several.
type closeCodec struct {
	*zstd.Codec
	encoder func() (*klauspost.Encoder, error)
}

// smallPage is how many bytes are not worth those tables.
const smallPage = 16 << 10

// Encode implements compress.Codec.
func (c *closeCodec) Encode(dst, src []byte) ([]byte, error) {
	if len(src) < smallPage {
		return c.Codec.Encode(dst, src)
	}
	e, err := c.encoder()
	if err != nil {
		return nil, err
	}
	return e.EncodeAll(src, dst[:0]), nil
}

package export

import (
	"sync"

	klauspost "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// codec compresses the pages of tables.
var codec = &zstd.Codec{Level: zstd.SpeedDefault}

// closely compresses floats with the best level. Floats are mostly random, but if a server sends the same move to
// several players, the four bytes of a float repeat. Only the best level finds such short matches.
var closely = &closeCodec{Codec: codec, encoder: sync.OnceValues(func() (*klauspost.Encoder, error) {
	return klauspost.NewWriter(nil, klauspost.WithEncoderLevel(klauspost.SpeedBestCompression),
		klauspost.WithEncoderConcurrency(1), klauspost.WithEncoderCRC(false), klauspost.WithZeroFrames(true))
})}

// A closeCodec has a single encoder, whose tables take 35 MB. A zstd.Codec would make several encoders.
type closeCodec struct {
	*zstd.Codec
	encoder func() (*klauspost.Encoder, error)
}

// smallPage is a page size in bytes. A smaller page is not worth the encoder's tables.
const smallPage = 16 << 10

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

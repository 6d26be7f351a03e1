package view

// Tank is where a tank was, and how it moved.
type Tank struct {
	Who    string    `json:"who"`
	Times  []float64 `json:"times"`
	Rows   []int     `json:"rows"`
	X      []float32 `json:"x"`
	Y      []float32 `json:"y"`
	Z      []float32 `json:"z"`
	VX     []float32 `json:"vx"` // units a second
	VY     []float32 `json:"vy"`
	VZ     []float32 `json:"vz"`
	Angle  []float32 `json:"angle"`  // radians
	Spin   []float32 `json:"spin"`   // radians a second
	Status []uint16  `json:"status"` // bits of the message: 1 alive, 2 paused, 4 exploding, 64 falling
}

// Shot is one that was fired; with the number of an earlier one, a missile that turned.
type Shot struct {
	Who      string  `json:"who"`
	Shot     int     `json:"shot"`
	Time     float64 `json:"time"`
	Lifetime float32 `json:"lifetime,omitempty"`
	X        float32 `json:"x"`
	Y        float32 `json:"y"`
	Z        float32 `json:"z"`
	VX       float32 `json:"vx"`
	VY       float32 `json:"vy"`
	VZ       float32 `json:"vz"`
	Row      int     `json:"row"`
}

// ShotEnd is the end of a shot before its time.
type ShotEnd struct {
	Who  string  `json:"who"`
	Shot int     `json:"shot"`
	Time float64 `json:"time"`
	Row  int     `json:"row"`
}

// Death is one of a player.
type Death struct {
	Who  string  `json:"who"`
	By   string  `json:"by,omitempty"`
	Time float64 `json:"time"`
	Row  int     `json:"row"`
}

// Flag is how a flag stands until the next entry with its number. The place of one in the air is where it will land.
type Flag struct {
	Flag   int     `json:"flag"`
	Name   string  `json:"name"`
	Status string  `json:"status"`
	Who    string  `json:"who,omitempty"` // carries it
	Time   float64 `json:"time"`
	X      float32 `json:"x"`
	Y      float32 `json:"y"`
	Z      float32 `json:"z"`
	Row    int     `json:"row"`
}

// Player is who is there, and for whom.
type Player struct {
	Who  string  `json:"who"`
	Team string  `json:"team,omitempty"`
	Time float64 `json:"time"`
	Row  int     `json:"row"`
}

type pathsAnswer struct {
	Done    bool      `json:"done"`
	Next    int       `json:"next"`
	Tanks   []*Tank   `json:"tanks"`
	Shots   []Shot    `json:"shots"`
	Ends    []ShotEnd `json:"ends"`
	Deaths  []Death   `json:"deaths"`
	Flags   []Flag    `json:"flags"`
	Players []Player  `json:"players"`
	Size    float32   `json:"size,omitempty"` // of the world, in units

	tanks map[string]*Tank
	flags map[int]Flag
}

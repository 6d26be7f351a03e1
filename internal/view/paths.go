package view

// A Tank has the positions and movements of a tank.
type Tank struct {
	Who    string    `json:"who"`
	Times  []float64 `json:"times"`
	Rows   []int     `json:"rows"`
	X      []float32 `json:"x"`
	Y      []float32 `json:"y"`
	Z      []float32 `json:"z"`
	VX     []float32 `json:"vx"` // units per second
	VY     []float32 `json:"vy"`
	VZ     []float32 `json:"vz"`
	Angle  []float32 `json:"angle"`  // radians
	Spin   []float32 `json:"spin"`   // radians per second
	Status []uint16  `json:"status"` // as in the message; the bits are 1 alive, 2 paused, 4 exploding, 64 falling
}

// A Shot is a shot fired. If an earlier shot has the same number, the Shot is a guided missile that turned.
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

// A ShotEnd is the early end of a shot.
type ShotEnd struct {
	Who  string  `json:"who"`
	Shot int     `json:"shot"`
	Time float64 `json:"time"`
	Row  int     `json:"row"`
}

// Death is the death of a player.
type Death struct {
	Who  string  `json:"who"`
	By   string  `json:"by,omitempty"`
	Time float64 `json:"time"`
	Row  int     `json:"row"`
}

// A Flag is the state of a flag, valid until the next Flag with the same number. The position of a flag in the air is
// the place where the flag will land.
type Flag struct {
	Flag   int     `json:"flag"`
	Name   string  `json:"name"`
	Status string  `json:"status"`
	Who    string  `json:"who,omitempty"` // the player who carries the flag
	Time   float64 `json:"time"`
	X      float32 `json:"x"`
	Y      float32 `json:"y"`
	Z      float32 `json:"z"`
	Row    int     `json:"row"`
}

// A Player has a player's name and team, and the message that reported them.
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
	Size    float32   `json:"size,omitempty"` // edge length of the world in units

	tanks map[string]*Tank
	flags map[int]Flag
}

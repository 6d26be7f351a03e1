package bzflag

// A Death describes how a player dies.
type Death struct {
	Victim, Killer string // names for use in sentences
	Own            bool   // victim and killer are the same player
	ByPlayer       bool   // the killer is another player, and has not left
	ByServer       bool
	Cause          Cause
	Weapon         string // kind of shot
}

// Cause is the cause of a player's death.
type Cause uint8

// The causes.
const (
	OtherCause Cause = iota
	Shot
	RunOver
	Captured // the team's flag was captured
	Genocide
	SelfDestruct
	Drowned
	Touched // a deadly object, such as an obstacle
)

// PlainShot is the Weapon if the killer's flag, if any, does not change the kind of shot.
const PlainShot = "a shot"

// column returns the column of KillsTable that counts the cause.
func (c Cause) column() string {
	switch c {
	case Shot:
		return "by shot"
	case RunOver:
		return "run over"
	}
	return "other"
}

func (d *Death) sentence() string {
	switch {
	case d.Cause == SelfDestruct:
		return d.Victim + " self-destructs"
	case d.Cause == Drowned:
		return d.Victim + " drowns"
	case d.Cause == Touched:
		return d.Victim + " touches a deadly object"
	case d.Cause == Captured:
		return d.Victim + " dies as a flag is captured"
	case d.Cause == Genocide && d.ByPlayer:
		return d.Killer + " kills " + d.Victim + " with Genocide"
	case d.Cause == RunOver && d.ByPlayer:
		return d.Killer + " runs over " + d.Victim
	case d.Cause == RunOver:
		return d.Victim + " is run over"
	case d.Cause == Shot && d.Own:
		return d.Victim + " is killed by an own shot"
	case d.Cause == Shot && (d.ByPlayer || d.ByServer):
		return d.Killer + " kills " + d.Victim + " with " + d.Weapon
	case d.Cause == Shot:
		return d.Victim + " is killed by " + d.Weapon + " from a player who has left"
	case d.ByPlayer || d.ByServer:
		return d.Killer + " kills " + d.Victim
	}
	return d.Victim + " dies"
}

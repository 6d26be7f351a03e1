package bzflag

import "github.com/gamedissect/gamedissect/decode/wire"

// TeamNames are the names of teams by number. Version 1.07 has the first five teams and NoTeam. Later versions added
// the other teams.
var TeamNames = wire.Symbols{
	{Value: 0, Name: "Rogue"}, {Value: 1, Name: "Red"}, {Value: 2, Name: "Green"}, {Value: 3, Name: "Blue"},
	{Value: 4, Name: "Purple"}, {Value: 5, Name: "Observer"}, {Value: 6, Name: "Rabbit"}, {Value: 7, Name: "Hunter"},
	{Value: -1, Name: "NoTeam"}, {Value: -2, Name: "Automatic"},
}

// Names of values with the same numbers in all versions.
var (
	FlagStatusNames = wire.Names("NoExist", "OnGround", "OnTank", "InAir", "Coming", "Going")
	EnduranceNames  = wire.Names("Normal", "Unstable", "Sticky") // how long a tank keeps a flag
	EndReasonNames  = wire.Names("HitObstacle", "HitTank")       // reason why a shot ended
)

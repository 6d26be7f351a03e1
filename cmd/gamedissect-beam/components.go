package main

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"

	"github.com/gamedissect/gamedissect/cmd/gamedissect-beam/split"
)

// uniteFn merges the sketches of a sensor's files.
type uniteFn struct{}

// CreateAccumulator returns an empty sketch.
func (*uniteFn) CreateAccumulator() split.Sketch { return split.Sketch{} }

// AddInput adds the sketch of a file.
func (*uniteFn) AddInput(all, one split.Sketch) split.Sketch {
	all.Merge(&one)
	return all
}

// MergeAccumulators adds the components of several files.
func (*uniteFn) MergeAccumulators(a, b split.Sketch) split.Sketch {
	a.Merge(&b)
	return a
}

// A Shard is the work of one engine: the packets of some components of a sensor, and some packets that belong to no
// component.
type Shard struct {
	Key    string
	Sensor string
	Number int    // index among the sensor's shards
	Files  []File // files that have packets of the shard, sorted by path

	// First, Last and Newest refer to all packets of the sensor. Every engine gets these times, so the engines together
	// find what a single engine would find in all packets.
	First, Last Tick
	Newest      int64
}

// A Tick is the place and time of a packet that an engine skips.
type Tick struct {
	Path   string
	Number int64
	Time   int64
}

// Routes map each packet of a sensor to its shard.
type Routes struct {
	Components split.Sketch
	Shards     []int32 // by component; packets of no component belong to File.Owner
}

// planFn makes the shards of a sensor.
type planFn struct {
	ShardPackets int64
}

// ProcessElement emits the shards, and the routes by sensor.
func (f *planFn) ProcessElement(
	sensor string, sketches func(*split.Sketch) bool, all func(*File) bool,
	shard func(Shard), routes func(string, Routes),
) error {
	var to Routes
	if !sketches(&to.Components) {
		return nil // no file has packets
	}
	p := plan{parts: to.Components.Parts()}
	for file := (File{}); all(&file); file = (File{}) {
		if file.Packets > 0 {
			p.add(file)
		}
	}
	slices.SortFunc(p.files, func(a, b planned) int { return cmp.Compare(a.Path, b.Path) })
	to.Shards = p.spread(f.ShardPackets)
	for _, s := range p.shards(sensor, to.Shards) {
		shard(s)
	}
	routes(sensor, to)
	return nil
}

// plan is the work on a sensor's files.
type plan struct {
	parts *split.Parts
	files []planned // sorted by path
}

// planned is a file and the components that may have packets in it. The components take less memory than the hosts in
// the file.
type planned struct {
	File
	components []int32
}

// add adds a file.
func (p *plan) add(f File) {
	components := p.parts.Seen(&split.Sketch{Seen: f.Seen, Everybody: f.Everybody})
	f.Seen = nil
	p.files = append(p.files, planned{f, components})
}

// spread returns the shard of each component. A shard has at most maxPackets packets, unless it is a single component.
// spread orders components by their first file, so a shard reads few files even if the archive is long.
func (p *plan) spread(maxPackets int64) (shards []int32) {
	packets := p.parts.Packets()
	first := make([]int64, len(packets)) // time of the first file that has packets of a component
	for c := range first {
		first[c] = math.MaxInt64
	}
	for i := range p.files {
		for _, c := range p.files[i].components {
			first[c] = min(first[c], p.files[i].First)
		}
	}
	order := make([]int, 0, len(packets))
	for c := 1; c < len(packets); c++ {
		order = append(order, c)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(first[a], first[b]) })
	shards = make([]int32, len(packets))
	at, count := int32(0), int64(0)
	for _, c := range order {
		if count > 0 && count+packets[c] > maxPackets {
			at, count = at+1, 0
		}
		shards[c] = at
		count += packets[c]
	}
	return shards
}

// shards makes the shards with their files, and assigns an owner to each file.
func (p *plan) shards(sensor string, of []int32) []Shard {
	count := slices.Max(of) + 1
	list := make([]Shard, count)
	first, last, newest := p.clock()
	for n := range list {
		list[n] = Shard{
			Key: shardKey(sensor, n), Sensor: sensor, Number: n, First: first, Last: last, Newest: newest,
		}
	}
	for i := range p.files {
		f := &p.files[i]
		numbers := make([]int32, 0, len(f.components))
		for _, c := range f.components {
			numbers = append(numbers, of[c])
		}
		slices.Sort(numbers)
		numbers = slices.Compact(numbers)
		if len(numbers) == 0 {
			numbers = append(numbers, int32(i)%count) // the file has no game, so any shard may count its packets
		}
		f.Owner = numbers[i%len(numbers)]
		for _, n := range numbers {
			list[n].Files = append(list[n].Files, f.File)
		}
	}
	return slices.DeleteFunc(list, func(s Shard) bool { return len(s.Files) == 0 })
}

// clock returns the first packet, the last packet, and the latest time.
func (p *plan) clock() (first, last Tick, newest int64) {
	newest = math.MinInt64
	for _, f := range p.files {
		if first.Path == "" || f.First < first.Time {
			first = Tick{f.Path, 1, f.First}
		}
		if last.Path == "" || f.Last >= last.Time {
			last = Tick{f.Path, f.Packets, f.Last}
		}
		newest = max(newest, f.Newest)
	}
	return first, last, newest
}

// fileName converts a sensor's name to a file name.
func fileName(sensor string) string {
	if sensor == "" {
		return "all"
	}
	return url.PathEscape(sensor)
}

func shardKey(sensor string, number int) string {
	return fmt.Sprintf("%s-%05d", fileName(sensor), number)
}

package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestLayoutOfSequence checks that seven columns fit next to the details in 1400 pixels, and that a finding's box lies
// in the visible part.
func TestLayoutOfSequence(t *testing.T) {
	b := at(t, small, "sequence")
	if wide := js[int](b, `import("gamedissect/arrows").then(({ layoutOf }) =>
		layoutOf(Array.from({ length: 7 }, (_, end) => ({ end })), 885).width)`); wide > 885 {
		t.Errorf("seven columns are %d pixels wide", wide)
	}
	box := js[[]float64](b, `import("gamedissect/arrows").then(({ layoutOf, onScreen, shapes }) => {
		const layout = layoutOf(Array.from({ length: 7 }, (_, end) => ({ end })), 885);
		const line = { count: 1, finding: true, from_end: 6, severity: "note", summary: "x".repeat(40) };
		const box = shapes(line, layout, onScreen, { visible: [92, 885] }).find((e) => e.localName === "rect");
		return ["x", "width"].map((name) => Number(box.getAttribute(name)));
	})`)
	b.do(chromedp.EmulateViewport(500, 800))
	b.until("an address that keeps its port", `/^127….*:5154$/.test(document.querySelector(".diagram .head .end").textContent)`)
	if box[0] < 92 || box[0]+box[1] > 885 || box[1] < 41*6 {
		t.Errorf("the box of a finding is at %v", box)
	}
}

// TestOwnDeath checks that a player who destroys himself has a death but no kill.
func TestOwnDeath(t *testing.T) {
	b := at(t, small, "timeline")
	got := js[string](b, `import("gamedissect/lanes").then(({ Lanes }) => {
		const event = (time, who, whom) => ({ time, server: "s", event: "kill", who, whom, text: "" });
		const life = (who) => ({ kind: "player", server: "s", who, from: 0, to: 9 });
		const lanes = new Lanes({ lives: [life("a"), life("b")], kinds: { kill: 3 },
			events: [event(1, "a", "b"), event(2, "a", "a"), event(3, "(nobody)", "b")] }, { off: new Set(), folded: new Set() });
		return JSON.stringify([[...lanes.kinds], lanes.rows.map(({ who, marks }) => who + ": " + marks.map(({ kind }) => kind))]);
	})`)
	if want := `[[["kill",1],["death",3]],[": ","a: kill,death","b: death,death"]]`; got != want {
		t.Errorf("kinds and marks are %s, not %s", got, want)
	}
}

// TestWithinWalls checks that a shot ends at the walls, and that the name plates of tanks do not overlap.
func TestWithinWalls(t *testing.T) {
	b := at(t, small, "world")
	got := js[string](b, `import("gamedissect/paths").then(({ Paths }) => {
		const paths = new Paths();
		const shot = { who: "a", shot: 1, time: 0, lifetime: 9, x: 0, y: 0, z: 0, vx: 100, vy: 0, vz: 0 };
		paths.add({ size: 400, tanks: [], ends: [], deaths: [], flags: [], players: [], shots: [shot] });
		return [1, 3].map((time) => paths.flying(time).length).join();
	})`)
	if got != "1,0" {
		t.Errorf("shots within and beyond the walls: %s", got)
	}
	if over := js[int](b, `import("gamedissect/arena").then(({ freePlace }) => {
		const plates = [];
		for (let n = 0; n < 12; n++) {
			const y = freePlace(plates, 10, 60, 40);
			plates.push({ left: 10, right: 60, top: y - 15, bottom: y });
		}
		return plates.filter((a) => a.top < 0 || plates.some((b) => a !== b && a.top < b.bottom && b.top < a.bottom)).length;
	})`); over > 0 {
		t.Errorf("%d plates are covered or off the picture", over)
	}
}

// TestSlowestFirst checks which series are drawn: the greatest for times, and the most frequent for counts.
func TestSlowestFirst(t *testing.T) {
	b := at(t, small, "statistics")
	got := js[string](b, `import("gamedissect/measures").then(({ picked }) => {
		const series = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ who: "p" + n, max: n, count: 9 - n }));
		return ["s", ""].map((unit) => [...picked({ key: unit, unit, series }, new Map())].join(" ")).join("; ");
	})`)
	if want := "p8 p7 p6 p5 p4 p3; p1 p2 p3 p4 p5 p6"; got != want {
		t.Errorf("%s are drawn, not %s", got, want)
	}
}

// TestCrowds checks that the number of players over time follows their joins and leaves.
func TestCrowds(t *testing.T) {
	b := at(t, small, "statistics")
	got := js[string](b, `import("gamedissect/measures").then(({ crowds }) => {
		const life = (from, to, ended) => ({ kind: "player", server: "s", who: from, from, to, ended });
		const [{ max, line }] = crowds([life(1, 5, true), life(2, 9, false), life(6, 9, false)]);
		return JSON.stringify([max, line.times, line.values]);
	})`)
	if want := `[2,[0,1,2,5,6],[0,1,2,1,2]]`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

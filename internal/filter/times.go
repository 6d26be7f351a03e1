package filter

import (
	"strings"
	"time"
)

// Layouts of dates and times in a filter. The seconds may have a fraction.
var (
	dayLayouts = []string{"2006-01-02", "Jan 2, 2006", "Jan 2 2006", "January 2, 2006", "2 Jan 2006"}
	clocks     = []string{"", " 15:04", " 15:04:05", "T15:04", "T15:04:05"}
)

// zones are the time zones for which Wireshark has names, in seconds east of Greenwich. Filters may also use offsets
// such as +02:00.
var zones = map[string]int{
	"UTC": 0, "GMT": 0, "UT": 0, "Z": 0,
	"EST": -5 * 3600, "EDT": -4 * 3600, "CST": -6 * 3600, "CDT": -5 * 3600,
	"MST": -7 * 3600, "MDT": -6 * 3600, "PST": -8 * 3600, "PDT": -7 * 3600,
}

// ParseTime parses a time, such as "2026-11-20 09:16:03.25", "Nov 20, 2026 09:16:03 EST" or "2026-11-20T09:16+02:00".
// It returns nanoseconds since 1970. A time without a zone is local time.
func ParseTime(s string, here *time.Location) (at int64, ok bool) {
	s = strings.TrimSpace(s)
	if len(s) < len("2006-01-02") || !strings.ContainsAny(s, "- ") { // the usual case: not a time
		return 0, false
	}
	s, zone, name := cutZone(s)
	if zone == nil {
		zone = here
	}
	for _, day := range dayLayouts {
		for _, clock := range clocks {
			t, err := time.ParseInLocation(day+clock, s, zone)
			if err != nil || !fitsInt64(t) {
				continue
			}
			local, _ := t.Zone()
			return t.UnixNano(), name == "" || name == local // any other zone name is unknown
		}
	}
	return 0, false
}

// fitsInt64 reports whether the time fits in an int64 of nanoseconds since 1970.
func fitsInt64(t time.Time) bool { return t.Year() > 1677 && t.Year() < 2262 }

// cutZone cuts the zone from the end of a time. zone is nil if the time has no zone, or if name is not one of
// Wireshark's names.
func cutZone(s string) (rest string, zone *time.Location, name string) {
	if !strings.Contains(s, ":") { // a date without a time has no zone
		return s, nil, ""
	}
	at := strings.LastIndexAny(s, " 0123456789") + 1 // start of a zone name that consists of letters
	if name = s[at:]; name != "" {
		if east, ok := zoneByName(name); ok {
			zone = time.FixedZone(name, east)
		}
		return strings.TrimSpace(s[:at]), zone, name
	}
	for _, layout := range []string{"-07:00", "-0700", "-07"} {
		from := len(s) - len(layout)
		if from <= strings.IndexByte(s, ':') {
			continue
		}
		if t, err := time.Parse(layout, s[from:]); err == nil {
			return strings.TrimSpace(s[:from]), t.Location(), ""
		}
	}
	return s, nil, ""
}

// zoneByName returns the offset of a zone in seconds east of Greenwich. It also accepts the military letters A to Z.
func zoneByName(name string) (east int, ok bool) {
	if east, ok = zones[name]; ok || len(name) != 1 {
		return east, ok
	}
	const eastward, westward = "ABCDEFGHIKLM", "NOPQRSTUVWXY"
	if i := strings.Index(eastward, name); i >= 0 {
		return (i + 1) * 3600, true
	}
	i := strings.Index(westward, name)
	return -(i + 1) * 3600, i >= 0
}

// playback.js is the clock of a playback. The clock runs at several speeds, and starts over at its end.

// Clock sends the event "time" when the time changes, and "change" when anything else changes.
export class Clock extends EventTarget {
	time = 0;
	from = 0;
	to = 0;
	speed = 1;
	playing = false;
	#frame = 0;
	#last = 0;

	// between sets the range to play. It keeps the current time if that time is inside the range.
	between(from, to) {
		[this.from, this.to] = [from, Math.max(to, from)];
		this.dispatchEvent(new Event("change"));
		this.go(this.time);
	}

	// go sets the time. Times outside the range are moved to its start or end.
	go(time) {
		this.time = Math.min(Math.max(time, this.from), this.to);
		this.dispatchEvent(new Event("time"));
	}

	play(on) {
		if (on === this.playing) {
			return;
		}
		this.playing = on;
		if (on && this.time >= this.to) {
			this.go(this.from);
		}
		this.#last = performance.now();
		cancelAnimationFrame(this.#frame);
		if (on) {
			this.#frame = requestAnimationFrame((now) => this.#tick(now));
		}
		this.dispatchEvent(new Event("change"));
	}

	run(speed) {
		this.speed = speed;
		this.dispatchEvent(new Event("change"));
	}

	#tick(now) {
		if (!this.playing) {
			return;
		}
		const passed = Math.min(Math.max(now - this.#last, 0), 250) / 1000; // limited, because a browser suspends a page in the background
		this.#last = now;
		const time = this.time + passed * this.speed;
		this.go(time >= this.to ? this.from : time);
		this.#frame = requestAnimationFrame((now) => this.#tick(now));
	}
}

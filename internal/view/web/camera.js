// camera.js computes the visible part of a world. y points up in the world and down in the picture.

export class Camera {
	x = 0;
	y = 0;
	scale = 1; // pixels per unit
	fitted = true;
	width = 1;
	height = 1;
	bounds = [-400, -400, 400, 400];

	// resize changes the size and keeps the centre.
	resize(width, height) {
		[this.width, this.height] = [Math.max(width, 1), Math.max(height, 1)];
		if (this.fitted) {
			this.fit();
		}
	}

	// fit shows the whole world.
	fit() {
		const [left, low, right, high] = this.bounds;
		[this.x, this.y] = [(left + right) / 2, (low + high) / 2];
		this.scale = this.#least();
		this.fitted = true;
	}

	#least() {
		const [left, low, right, high] = this.bounds;
		return Math.min(this.width / (right - left || 1), this.height / (high - low || 1)) * 0.97;
	}

	// zoom changes the scale by a factor and keeps a point of the picture in place.
	zoom(by, px = this.width / 2, py = this.height / 2) {
		const [wx, wy] = this.world(px, py);
		const least = this.#least();
		this.scale = Math.min(Math.max(this.scale * by, least / 4), Math.max(least * 60, 20));
		this.x = wx - (px - this.width / 2) / this.scale;
		this.y = wy + (py - this.height / 2) / this.scale;
		this.fitted = false;
	}

	// pan moves the picture by pixels.
	pan(dx, dy) {
		this.x -= dx / this.scale;
		this.y += dy / this.scale;
		this.fitted = false;
	}

	centre(x, y) {
		[this.x, this.y] = [x, y];
		this.fitted = false;
	}

	// picture converts a position in the world to the picture; world is the inverse.
	picture(x, y) {
		return [(x - this.x) * this.scale + this.width / 2, (this.y - y) * this.scale + this.height / 2];
	}

	world(px, py) {
		return [(px - this.width / 2) / this.scale + this.x, this.y - (py - this.height / 2) / this.scale];
	}
}

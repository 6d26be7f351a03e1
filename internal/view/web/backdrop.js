// backdrop.js paints the ground of a world: the engine's map, or a grid if no world was downloaded.

const spare = 0.25; // margin painted beyond each edge, as a fraction of the picture's size: small movements need no new painting

const mostPixels = 16e6;

export class Backdrop {
	#image = null;
	#box = null; // viewBox of the image: the world's coordinates, y downwards
	#layer = document.createElement("canvas");
	#painted = null; // the camera at the time of painting
	#later = 0;
	#wanted = 0; // the scale of the next painting
	#again;

	// again is called when a sharper picture is ready.
	constructor(again) {
		this.#again = again;
	}

	// show loads the engine's picture as an image, because scripts do not run in images. If svg is "", a grid is shown
	// instead. show returns the world's bounds, or null.
	async show(svg) {
		this.#painted = this.#image = null;
		const box = svg.match(/^<svg [^>]*viewBox="([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+)"/)?.slice(1).map(Number);
		if (!box) {
			return null;
		}
		const image = new Image();
		const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
		image.src = url;
		try {
			await image.decode();
			[this.#image, this.#box] = [image, box];
		} finally {
			URL.revokeObjectURL(url);
		}
		return [box[0], -box[1] - box[3], box[0] + box[2], -box[1]];
	}

	// draw paints the ground in the camera's view.
	draw(pen, camera, style) {
		if (!this.#image) {
			grid(pen, camera, style);
			return;
		}
		const seen = this.#painted;
		if (!seen || !this.#covers(camera)) {
			this.#paint(camera);
		} else if (seen.scale !== camera.scale && this.#wanted !== camera.scale) {
			this.#wanted = camera.scale;
			clearTimeout(this.#later); // stretch the old picture until the user stops zooming
			this.#later = setTimeout(() => {
				this.#painted = null;
				this.#again();
			}, 120);
		}
		const { x, y, scale, width, height } = this.#painted;
		const by = camera.scale / scale;
		const [px, py] = camera.picture(x, y);
		pen.drawImage(this.#layer, px - width / 2 * by, py - height / 2 * by, width * by, height * by);
	}

	// covers reports whether the painted area contains the camera's view.
	#covers(camera) {
		const { x, y, scale, width, height, ratio } = this.#painted;
		const by = camera.scale / scale;
		return ratio === devicePixelRatio && by > 0.5 && by < 4 &&
			Math.abs(x - camera.x) * camera.scale <= (width * by - camera.width) / 2 + 1 &&
			Math.abs(y - camera.y) * camera.scale <= (height * by - camera.height) / 2 + 1;
	}

	#paint({ x, y, scale, width, height }) {
		const seen = { x, y, scale, width: width * (1 + 2 * spare), height: height * (1 + 2 * spare), ratio: devicePixelRatio };
		seen.sharp = Math.min(seen.ratio, Math.sqrt(mostPixels / (seen.width * seen.height)));
		this.#painted = seen;
		this.#wanted = scale;
		this.#layer.width = Math.ceil(seen.width * seen.sharp);
		this.#layer.height = Math.ceil(seen.height * seen.sharp);
		const pen = this.#layer.getContext("2d");
		pen.scale(seen.sharp, seen.sharp);
		const [left, top, wide, high] = this.#box;
		// Only the visible part is drawn, because a close view of the whole map would be huge.
		const from = [Math.max(left, x - seen.width / 2 / scale), Math.max(top, -y - seen.height / 2 / scale)];
		const to = [Math.min(left + wide, x + seen.width / 2 / scale), Math.min(top + high, -y + seen.height / 2 / scale)];
		if (to[0] <= from[0] || to[1] <= from[1]) {
			return;
		}
		const place = [(from[0] - x) * scale + seen.width / 2, (from[1] + y) * scale + seen.height / 2,
			(to[0] - from[0]) * scale, (to[1] - from[1]) * scale];
		pen.fillStyle = "#e9e7e1"; // the map's margin and scale need a light ground
		pen.fillRect(...place);
		const [sx, sy] = [this.#image.naturalWidth / wide, this.#image.naturalHeight / high];
		pen.drawImage(this.#image, (from[0] - left) * sx, (from[1] - top) * sy, (to[0] - from[0]) * sx, (to[1] - from[1]) * sy,
			...place);
	}
}

// grid draws a line about every 100 units, and the edge of the world.
function grid(pen, camera, style) {
	const [left, low, right, high] = camera.bounds;
	const step = 100 * 10 ** Math.max(0, Math.ceil(Math.log10((right - left) / 4000)));
	pen.strokeStyle = style.getPropertyValue("--line");
	pen.lineWidth = 1;
	pen.beginPath();
	for (let x = Math.ceil(left / step) * step; x <= right; x += step) {
		pen.moveTo(...camera.picture(x, low));
		pen.lineTo(...camera.picture(x, high));
	}
	for (let y = Math.ceil(low / step) * step; y <= high; y += step) {
		pen.moveTo(...camera.picture(left, y));
		pen.lineTo(...camera.picture(right, y));
	}
	pen.stroke();
	pen.strokeStyle = style.getPropertyValue("--dim");
	const [px, py] = camera.picture(left, high);
	pen.strokeRect(px, py, (right - left) * camera.scale, (high - low) * camera.scale);
}

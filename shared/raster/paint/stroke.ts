// Lines to shapes: both sides of a line as one outline, round where it bends sharply.

import type { Coverage } from './coverage.ts';
import { eachDash } from './dashes.ts';
import { isOutside, OUTSIDE_PIXELS } from './outside.ts';

/** Of narrower lines neither the roundness of a bend nor that of an end is seen. */
const LEAST_ROUND_PIXELS = 1.2;
/** Cosine of the bend up to which both sides simply meet: there that is as good as round. */
const GENTLE = 0.7;
/** Sine and cosine of 45°: what is round has a point so often. */
const SINE = Math.SQRT1_2;

/** Adds a line of the given width to a shape. Parts far outside the tile are left out. */
export function addStroke(
  shape: Coverage,
  path: Float32Array,
  widthPixels: number,
  dashPixels: readonly number[],
  roundCaps: boolean,
): void {
  const half = Math.max(widthPixels, 0.5) / 2;
  const outline = new Outline(shape, half);
  if (dashPixels.length < 2 || dashPixels.every((length) => length <= 0)) {
    outline.add(path, roundCaps);
    return;
  }
  eachDash(path, dashPixels, half + OUTSIDE_PIXELS, (dash) => outline.add(dash, false));
}

/**
 * The outline of lines of one width. Right and left are as one goes along the line; edges run forward
 * on the right and back on the left, two a segment where the line bends gently.
 */
class Outline {
  readonly #shape: Coverage;
  readonly #half: number;
  readonly #isRound: boolean;
  /** From the line to its right side, along the segment at hand. */
  #acrossX = 0;
  #acrossY = 0;
  /** How far each side has come. */
  #rightX = 0;
  #rightY = 0;
  #leftX = 0;
  #leftY = 0;

  constructor(shape: Coverage, half: number) {
    this.#shape = shape;
    this.#half = half;
    this.#isRound = 2 * half > LEAST_ROUND_PIXELS;
  }

  add(path: ArrayLike<number>, roundCaps: boolean): void {
    const half = this.#half;
    const last = path.length - 2;
    let isOpen = false;
    let lengthBefore = 0;
    for (let i = 0; i < last; i += 2) {
      const x0 = path[i]!;
      const y0 = path[i + 1]!;
      const x1 = path[i + 2]!;
      const y1 = path[i + 3]!;
      const length = Math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2);
      if (length === 0) continue;
      if (isOutside(x0, y0, x1, y1, half + OUTSIDE_PIXELS)) {
        if (isOpen) this.#end(x0, y0, false);
        isOpen = false;
        continue;
      }
      const acrossX = (-(y1 - y0) / length) * half;
      const acrossY = ((x1 - x0) / length) * half;
      if (isOpen) this.#turn(x0, y0, acrossX, acrossY, Math.min(length, lengthBefore));
      this.#acrossX = acrossX;
      this.#acrossY = acrossY;
      if (!isOpen) this.#begin(x0, y0, roundCaps && i === 0);
      isOpen = true;
      lengthBefore = length;
    }
    if (isOpen) this.#end(path[last]!, path[last + 1]!, roundCaps);
  }

  #begin(x: number, y: number, isRound: boolean): void {
    const acrossX = this.#acrossX;
    const acrossY = this.#acrossY;
    this.#rightX = x - acrossX;
    this.#rightY = y - acrossY;
    this.#leftX = this.#rightX;
    this.#leftY = this.#rightY;
    if (isRound) this.#halfDisc(x, y, -acrossX, -acrossY);
    this.#rightTo(x + acrossX, y + acrossY);
  }

  #end(x: number, y: number, isRound: boolean): void {
    this.#sidesTo(x, y, this.#acrossX, this.#acrossY);
    if (isRound) this.#halfDisc(x, y, this.#acrossX, this.#acrossY);
    this.#rightTo(this.#leftX, this.#leftY);
  }

  /** Round a corner. @param shorter length of the shorter of both segments */
  #turn(x: number, y: number, toX: number, toY: number, shorter: number): void {
    const fromX = this.#acrossX;
    const fromY = this.#acrossY;
    const square = this.#half * this.#half;
    const cosine = (fromX * toX + fromY * toY) / square;
    // On the inner side both segments must be long enough to meet.
    if (cosine > GENTLE && 4 * square * (1 - cosine) <= shorter * shorter * (1 + cosine)) {
      const share = 1 / (1 + cosine);
      this.#sidesTo(x, y, (fromX + toX) * share, (fromY + toY) * share);
      return;
    }
    this.#sidesTo(x, y, fromX, fromY);
    const points = this.#isRound ? pointsWithin(cosine) : 0;
    // Around the outer side, and by way of the corner itself on the inner.
    if (fromX * toY - fromY * toX < 0) {
      this.#arc(x, y, fromX, fromY, points);
      this.#rightTo(x + toX, y + toY);
      this.#leftTo(x, y);
      this.#leftTo(x - toX, y - toY);
    } else {
      let awayX = -fromX;
      let awayY = -fromY;
      for (let i = 0; i < points; i++) {
        [awayX, awayY] = [(awayX - awayY) * SINE, (awayX + awayY) * SINE];
        this.#leftTo(x + awayX, y + awayY);
      }
      this.#leftTo(x - toX, y - toY);
      this.#rightTo(x, y);
      this.#rightTo(x + toX, y + toY);
    }
  }

  #halfDisc(x: number, y: number, awayX: number, awayY: number): void {
    if (this.#isRound) this.#arc(x, y, awayX, awayY, 3);
  }

  /** The right side around a corner, from one side of it on. */
  #arc(x: number, y: number, fromX: number, fromY: number, points: number): void {
    let awayX = fromX;
    let awayY = fromY;
    for (let i = 0; i < points; i++) {
      [awayX, awayY] = [(awayX + awayY) * SINE, (awayY - awayX) * SINE];
      this.#rightTo(x + awayX, y + awayY);
    }
  }

  #sidesTo(x: number, y: number, acrossX: number, acrossY: number): void {
    this.#rightTo(x + acrossX, y + acrossY);
    this.#leftTo(x - acrossX, y - acrossY);
  }

  #rightTo(x: number, y: number): void {
    this.#shape.addEdge(this.#rightX, this.#rightY, x, y);
    this.#rightX = x;
    this.#rightY = y;
  }

  #leftTo(x: number, y: number): void {
    this.#shape.addEdge(x, y, this.#leftX, this.#leftY);
    this.#leftX = x;
    this.#leftY = y;
  }
}

/** How many points at steps of 45° lie within an angle. */
const pointsWithin = (cosine: number): number =>
  cosine >= SINE ? 0 : cosine >= 0 ? 1 : cosine >= -SINE ? 2 : 3;

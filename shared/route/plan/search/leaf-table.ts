// The leaves (free blocks) that a search has reached, by level, x and y. Each property is a typed
// array.

import { type Point, unitVector } from '../geometry/plane.ts';

/** States of the lateral clearance around a leaf. `UNTESTED`: not computed yet. */
export const UNTESTED = 0;
/** All of the leaf and the clearance around it are free. */
export const ROOMY = 1;
/** The centre is far enough from every unsafe edge, or its distance is not known. */
export const TIGHT = 2;
/** The centre is too near to an unsafe edge. */
export const CRAMPED = 3;

const FIRST_CAPACITY = 2048;

export class LeafTable {
  count = 0;
  level = new Uint8Array(FIRST_CAPACITY);
  x = new Int32Array(FIRST_CAPACITY);
  y = new Int32Array(FIRST_CAPACITY);
  /** Least cost from the start found so far. */
  cost = new Float64Array(FIRST_CAPACITY);
  parent = new Int32Array(FIRST_CAPACITY);
  closed = new Uint8Array(FIRST_CAPACITY);
  room = new Uint8Array(FIRST_CAPACITY);
  /** Lower bound of the distance from the centre to an unsafe edge, in cells; 0 if not known. */
  away = new Float64Array(FIRST_CAPACITY);
  /** Offset, in cells, of the place that paths use instead of the centre; 0 if not moved. */
  movedX = new Float64Array(FIRST_CAPACITY);
  movedY = new Float64Array(FIRST_CAPACITY);
  /** Unit vectors of the places that paths use: x, y, z. */
  vector = new Float64Array(3 * FIRST_CAPACITY);
  #slots = new Int32Array(2 * FIRST_CAPACITY).fill(-1);

  /** The index of a leaf, which is added if it is absent. */
  numberOf(level: number, x: number, y: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(level, x, y) & mask;
    for (;;) {
      const i = this.#slots[slot]!;
      if (i < 0) return this.#add(level, x, y, slot);
      if (this.x[i] === x && this.y[i] === y && this.level[i] === level) return i;
      slot = (slot + 1) & mask;
    }
  }

  /** The place where a path passes through a leaf: the centre, or the place set by `move`. */
  centerX(i: number): number {
    return (this.x[i]! + 0.5) * (1 << this.level[i]!) + this.movedX[i]!;
  }

  centerY(i: number): number {
    return (this.y[i]! + 0.5) * (1 << this.level[i]!) + this.movedY[i]!;
  }

  /** Sets the place that paths use instead of the centre. It must be inside the leaf. */
  move(i: number, { x, y }: Point): void {
    this.movedX[i] = x - this.centerX(i) + this.movedX[i]!;
    this.movedY[i] = y - this.centerY(i) + this.movedY[i]!;
    this.vector.set(unitVector({ x, y }), 3 * i);
  }

  isMoved(i: number): boolean {
    return this.movedX[i] !== 0 || this.movedY[i] !== 0;
  }

  #add(level: number, x: number, y: number, slot: number): number {
    if (this.count === this.level.length) {
      this.#grow();
      return this.numberOf(level, x, y);
    }
    const i = this.count++;
    this.#slots[slot] = i;
    this.level[i] = level;
    this.x[i] = x;
    this.y[i] = y;
    this.cost[i] = Number.POSITIVE_INFINITY;
    this.parent[i] = -1;
    const size = 1 << level;
    const vector = unitVector({ x: (x + 0.5) * size, y: (y + 0.5) * size });
    this.vector[3 * i] = vector[0];
    this.vector[3 * i + 1] = vector[1];
    this.vector[3 * i + 2] = vector[2];
    return i;
  }

  #grow(): void {
    const capacity = this.level.length * 2;
    this.level = copied(this.level, new Uint8Array(capacity));
    this.x = copied(this.x, new Int32Array(capacity));
    this.y = copied(this.y, new Int32Array(capacity));
    this.cost = copied(this.cost, new Float64Array(capacity));
    this.parent = copied(this.parent, new Int32Array(capacity));
    this.closed = copied(this.closed, new Uint8Array(capacity));
    this.room = copied(this.room, new Uint8Array(capacity));
    this.away = copied(this.away, new Float64Array(capacity));
    this.movedX = copied(this.movedX, new Float64Array(capacity));
    this.movedY = copied(this.movedY, new Float64Array(capacity));
    this.vector = copied(this.vector, new Float64Array(3 * capacity));
    this.#slots = new Int32Array(2 * capacity).fill(-1);
    const mask = 2 * capacity - 1;
    for (let i = 0; i < this.count; i++) {
      let slot = hash(this.level[i]!, this.x[i]!, this.y[i]!) & mask;
      while (this.#slots[slot]! >= 0) slot = (slot + 1) & mask;
      this.#slots[slot] = i;
    }
  }
}

function copied<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

function hash(level: number, x: number, y: number): number {
  let bits = Math.imul(x, 0x9e3779b1) ^ Math.imul(y + level * 0x85eb, 0x85ebca6b);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x2c1b3c6d);
  return (bits ^ (bits >>> 13)) >>> 0;
}

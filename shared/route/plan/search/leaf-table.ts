// A hash table of the leaves (free blocks) that a search has reached. The key is level, x and y. A
// leaf is 2^level cells wide. Each property is a typed array with one entry per leaf.

import { type Point, unitVector } from '../geometry/plane.ts';

// Values of `clearanceState`: whether the lateral clearance around a leaf is free.
/** Not computed yet. */
export const UNTESTED = 0;
/** All of the leaf and the clearance around it are free. */
export const ALL_CLEAR = 1;
/** The centre is far enough from every unsafe edge, or its distance is not known. */
export const PARTLY_CLEAR = 2;
/** The centre is too near to an unsafe edge. */
export const NOT_CLEAR = 3;

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
  clearanceState = new Uint8Array(FIRST_CAPACITY);
  /** Lower bound of the distance from the leaf's point to an unsafe edge, in cells; 0: not known. */
  edgeDistance = new Float64Array(FIRST_CAPACITY);
  /** Offset of the leaf's point from the centre, in cells. */
  movedX = new Float64Array(FIRST_CAPACITY);
  movedY = new Float64Array(FIRST_CAPACITY);
  /** Unit vectors of the leaves' points: x, y, z. */
  vector = new Float64Array(3 * FIRST_CAPACITY);
  #slots = new Int32Array(2 * FIRST_CAPACITY).fill(-1);

  /** Returns the index of a leaf. Adds the leaf if it is absent. */
  indexOf(level: number, x: number, y: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(level, x, y) & mask;
    for (;;) {
      const i = this.#slots[slot]!;
      if (i < 0) return this.#add(level, x, y, slot);
      if (this.x[i] === x && this.y[i] === y && this.level[i] === level) return i;
      slot = (slot + 1) & mask;
    }
  }

  /** The leaf's point, where paths pass through the leaf: the centre, or the point set by `move`. */
  pointX(i: number): number {
    return (this.x[i]! + 0.5) * (1 << this.level[i]!) + this.movedX[i]!;
  }

  pointY(i: number): number {
    return (this.y[i]! + 0.5) * (1 << this.level[i]!) + this.movedY[i]!;
  }

  /** Sets the leaf's point. It must be inside the leaf. */
  move(i: number, { x, y }: Point): void {
    this.movedX[i] = x - this.pointX(i) + this.movedX[i]!;
    this.movedY[i] = y - this.pointY(i) + this.movedY[i]!;
    this.vector.set(unitVector({ x, y }), 3 * i);
  }

  isMoved(i: number): boolean {
    return this.movedX[i] !== 0 || this.movedY[i] !== 0;
  }

  #add(level: number, x: number, y: number, slot: number): number {
    if (this.count === this.level.length) {
      this.#grow();
      return this.indexOf(level, x, y);
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
    this.level = copyInto(this.level, new Uint8Array(capacity));
    this.x = copyInto(this.x, new Int32Array(capacity));
    this.y = copyInto(this.y, new Int32Array(capacity));
    this.cost = copyInto(this.cost, new Float64Array(capacity));
    this.parent = copyInto(this.parent, new Int32Array(capacity));
    this.closed = copyInto(this.closed, new Uint8Array(capacity));
    this.clearanceState = copyInto(this.clearanceState, new Uint8Array(capacity));
    this.edgeDistance = copyInto(this.edgeDistance, new Float64Array(capacity));
    this.movedX = copyInto(this.movedX, new Float64Array(capacity));
    this.movedY = copyInto(this.movedY, new Float64Array(capacity));
    this.vector = copyInto(this.vector, new Float64Array(3 * capacity));
    this.#slots = new Int32Array(2 * capacity).fill(-1);
    const mask = 2 * capacity - 1;
    for (let i = 0; i < this.count; i++) {
      let slot = hash(this.level[i]!, this.x[i]!, this.y[i]!) & mask;
      while (this.#slots[slot]! >= 0) slot = (slot + 1) & mask;
      this.#slots[slot] = i;
    }
  }
}

function copyInto<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

function hash(level: number, x: number, y: number): number {
  let bits = Math.imul(x, 0x9e3779b1) ^ Math.imul(y + level * 0x85eb, 0x85ebca6b);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x2c1b3c6d);
  return (bits ^ (bits >>> 13)) >>> 0;
}

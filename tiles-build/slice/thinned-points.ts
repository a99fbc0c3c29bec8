// Soundings where they would crowd: of each small square the shoalest stays, which errs to the side
// of safety.

import type { Flat } from '../../shared/geo/clip-box.ts';
import type { Drawable } from '../portray/features/drawable.ts';
import type { TilePart } from './territory.ts';

/** Side of the square, in tile units: 16 pixels. */
const SQUARE_UNITS = 128;

interface Candidate {
  readonly part: TilePart;
  readonly drawable: Drawable;
  readonly id: number;
  readonly at: Flat;
}

export class ThinnedPoints {
  readonly active: boolean;
  readonly #best = new Map<string, Candidate>();

  /** @param active whether to thin at all: not at the zooms a chart was compiled for */
  constructor(active: boolean) {
    this.active = active;
  }

  offer(key: number, part: TilePart, drawable: Drawable, id: number, at: Flat): void {
    const square = `${key}/${Math.floor(at[0]! / SQUARE_UNITS)}/${Math.floor(at[1]! / SQUARE_UNITS)}`;
    const best = this.#best.get(square);
    if (best === undefined || drawable.thinBy! < best.drawable.thinBy!) {
      this.#best.set(square, { part, drawable, id, at });
    }
  }

  kept(): Iterable<Candidate> {
    return this.#best.values();
  }
}

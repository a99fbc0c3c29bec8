// References of floors. Charts that are shown side by side have one reference, so that no chart looks
// empty next to its neighbour only because its scale is larger.

import { TIER_ZOOMS } from '../../shared/chart/band-for-zoom.ts';
import { type Box, boundsOf, type Flat } from '../../shared/geo/clip-box.ts';
import { BoxGrid } from './box-grid.ts';
import { type Coverage, DEGREE, FULL_CIRCLE } from './coverage.ts';
import { isEnlargedAt, scaleZoomOf, soundingsZoomOf, zoomsOfBand } from './rank.ts';

/** Neighbours whose scales differ by more zooms keep their own references: 2.5 is about six times. */
const MAX_ZOOMS_APART = 2.5;

/** The zooms from which floors of objects count (generalise/floors.ts). */
export interface Reference {
  /** Zoom of the smallest compilation scale among the charts shown side by side. */
  readonly scaleZoom: number;
  /** The first zoom at which SCAMIN shows soundings of any of these charts. */
  readonly soundingsZoom: number;
}

/** By tier; `undefined` if the tier does not show the cell. */
export type References = readonly (Reference | undefined)[];

/** The ground that a cell shows at a tier. */
interface TierGround {
  readonly tier: number;
  readonly rings: readonly Flat[];
}

interface Shown extends Reference {
  readonly at: number;
  readonly box: Box;
  readonly isEnlarged: boolean;
}

/** Collects the cells that each tier shows, then links neighbours. */
export class ReferenceZooms {
  readonly #names = new Map<string, number>();
  readonly #shown: Shown[][] = TIER_ZOOMS.map(() => []);

  add(cell: Coverage, faces: readonly TierGround[]): void {
    const at = this.#names.size;
    this.#names.set(cell.name, at);
    faces.forEach(({ tier, rings }, i) => {
      if (rings.length === 0) return;
      const isEnlarged = isEnlargedAt(tier, cell);
      this.#shown[i]!.push({ at, box: boundsOf(rings), isEnlarged, ...ownReference(cell, tier) });
    });
  }

  /** The references of each cell by name. */
  finish(): ReadonlyMap<string, References> {
    const tiers = this.#shown.map(linked);
    return new Map(
      [...this.#names].map(([name, at]) => [name, tiers.map((found) => found.get(at))] as const),
    );
  }
}

/**
 * At the zooms of its own band a chart replaces coarser ones, so nothing that they showed may be
 * missing: the reference is then not above the first zoom of the band. Band 1 replaces no chart.
 */
function ownReference(cell: Coverage, tier: number): Reference {
  const { band, minZoom } = zoomsOfBand(cell.usageBand);
  const most = band > 1 && minZoom <= tier ? minZoom : Number.POSITIVE_INFINITY;
  return {
    scaleZoom: Math.min(scaleZoomOf(cell), most),
    soundingsZoom: Math.min(soundingsZoomOf(cell), most),
  };
}

/** The least zooms of the charts linked with each chart, by its index. */
function linked(shown: readonly Shown[]): ReadonlyMap<number, Reference> {
  const parents = shown.map((_, i) => i);
  const rootOf = (i: number): number => {
    let root = i;
    while (parents[root] !== root) root = parents[root]!;
    parents[i] = root;
    return root;
  };
  const near = neighbours(shown);
  shown.forEach((one, i) => {
    for (const other of near(one.box)) {
      const apart = Math.abs(shown[other]!.scaleZoom - one.scaleZoom);
      const isAlike = one.isEnlarged === shown[other]!.isEnlarged && apart <= MAX_ZOOMS_APART;
      if (isAlike) parents[rootOf(i)] = rootOf(other);
    }
  });
  const least = new Map<number, Reference>();
  shown.forEach((one, i) => {
    const known = least.get(rootOf(i)) ?? one;
    least.set(rootOf(i), {
      scaleZoom: Math.min(known.scaleZoom, one.scaleZoom),
      soundingsZoom: Math.min(known.soundingsZoom, one.soundingsZoom),
    });
  });
  return new Map(shown.map(({ at }, i) => [at, least.get(rootOf(i))!]));
}

/** Finds the charts whose boxes meet a box, also across 180°, as indices. */
function neighbours(shown: readonly Shown[]): (box: Box) => readonly number[] {
  const grid = new BoxGrid(
    shown.map(({ box }, i) => ({ box, i })),
    2 * DEGREE,
  );
  return ({ left, right, ...box }) =>
    [-FULL_CIRCLE, 0, FULL_CIRCLE].flatMap((shift) =>
      grid.meeting({ ...box, left: left + shift, right: right + shift }).map(({ i }) => i),
    );
}

// Ownership of ground: at each zoom tier the covered earth is divided among the cells, without gap
// or overlap. The division is exact because all coordinates are integers and shared borders are
// equal.

import { TIER_ZOOMS } from '../../shared/chart/band-for-zoom.ts';
import type { Box, Flat } from '../../shared/geo/clip-box.ts';
import { MAX_LATITUDE, mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import { BoxGrid } from './box-grid.ts';
import type { Clipper } from './clipper.ts';
import { type Coverage, DEGREE, FULL_CIRCLE } from './coverage.ts';
import { coveredOnce } from './covered-once.ts';
import { RAW_ZOOMS } from './made-tiles.ts';
import { type MakerBox, MakerRows } from './maker-box.ts';
import { compareAtTier, zoomsOfBand } from './rank.ts';
import { type Reference, type References, ReferenceZooms } from './reference-zooms.ts';
import { type CoverageParts, partsOfCoverage, withoutSlivers } from './skin-of-coverage.ts';

/** Narrower gaps of a skin (50 m) are faults between areas that should meet, and get no shore of the background. */
const SHORE_GAP_UNITS = 5000;

/** The ground that one owner shows at one tier. */
export interface Face {
  readonly tier: number;
  /** The owned ground, as in `Coverage.rings`; empty if other cells show everywhere. */
  readonly rings: readonly Flat[];
  /** Coverages that rank before the owner, for deciding points exactly. */
  readonly better: readonly (readonly Flat[])[];
  /** Whether coverages of larger scales are in it or next to it. */
  readonly hasFinerNeighbour?: boolean;
  /** Absent for the background and for hand-made faces: nothing has a floor. */
  readonly reference?: Reference;
  /** Coverage without a skin, shown where no other cell has charted the ground. */
  readonly bare?: BareClaim;
}

/** A claim of the lowest rank: every cell that charted the ground comes before it. */
interface BareClaim {
  readonly ground: readonly Flat[];
  readonly better: readonly (readonly Flat[])[];
}

/** Everything other than its own data that decides what an owner shows; plain data. */
export interface Ownership {
  readonly name: string;
  readonly coverage: readonly Flat[];
  /** The part of its coverage that has a skin; all of it in a sound cell. */
  readonly charted: readonly Flat[];
  readonly faces: readonly Face[];
  /** Of the background: all ground without charted land or water. Absent if coverages have no other gaps. */
  readonly shore?: readonly Flat[];
  /**
   * Boxes of cells that may make tiles on this owner's ground; merged as by `MakerRows` for a cell.
   */
  readonly makers: readonly MakerBox[];
}

/**
 * The owner's ground if the finest cell shows everywhere, at any zoom. The data tiles use it
 * (contract: data-geojson-v1, data-shoreline-v1). At the last tier every band may show.
 */
export function finestFace({ faces }: Ownership): Face {
  return faces.at(-1)!;
}

/** The name of the owner of all ground that no cell covers. */
export const BACKGROUND = 'background';

/** Ownership of the background and of every cell that has coverage, by name. */
export function computeOwnership(
  coverages: readonly Coverage[],
  clipper: Clipper,
): Map<string, Ownership> {
  const references = new ReferenceZooms();
  const owners = [...ownerships(coverages, clipper, references)];
  const zooms = references.finish();
  return new Map(owners.map((owner) => [owner.name, withReferences(owner, zooms.get(owner.name))]));
}

/**
 * The same as a generator: the background first, then the cells in the order of their coverages.
 * Reference zooms are known after the last one.
 */
export function* ownerships(
  coverages: readonly Coverage[],
  clipper: Clipper,
  references: ReferenceZooms,
): Generator<Ownership, void, undefined> {
  const cells = coverages
    .filter((coverage) => coverage.rings.length > 0)
    .map((coverage) => ({ ...coverage, rings: coveredOnce(coverage.rings, clipper) }));
  // Each cell is placed up to three times: as it is, and shifted by 360° either way.
  const placed = cells.flatMap((cell) =>
    [-FULL_CIRCLE, 0, FULL_CIRCLE].map((shift) => ({ cell, shift, box: moved(cell.box, shift) })),
  );
  const grid = new BoxGrid(placed, 2 * DEGREE);
  const makers = new MakerRows(
    placed.map(({ cell, box }) => makerBox(cell, box)),
    RAW_ZOOMS[0]!,
  );
  const parts = new Map(cells.map((cell) => [cell, partsOfCoverage(cell, clipper)]));
  yield backgroundOwnership(cells, parts, clipper);
  for (const cell of cells) {
    const near = grid
      .meeting(cell.box)
      .filter((other) => other.cell !== cell)
      .map((other): Neighbour => {
        const { charted, bare } = parts.get(other.cell)!;
        return {
          cell: other.cell,
          charted: shifted(charted, other.shift),
          bare: shifted(bare, other.shift),
        };
      });
    const own = parts.get(cell)!;
    const divided = new Map<string, Pick<Face, 'rings' | 'bare'>>();
    const faces = TIER_ZOOMS.map((tier) => faceOf(cell, own, near, tier, clipper, divided));
    references.add(cell, faces);
    yield {
      name: cell.name,
      coverage: cell.rings,
      charted: own.charted,
      faces,
      makers: makers.near(onSquare(grown(cell.box, makerReach(cell)))),
    };
  }
}

/** The same ownership with the reference of each face. */
export function withReferences(ownership: Ownership, references: References = []): Ownership {
  const faces = ownership.faces.map((face, i) => {
    const reference = references[i];
    return reference === undefined ? face : { ...face, reference };
  });
  return { ...ownership, faces };
}

/** Another cell at its place next to the current one. */
interface Neighbour extends CoverageParts {
  readonly cell: Coverage;
}

/** @param divided ground by the neighbours before the cell: most tiers have the same */
function faceOf(
  cell: Coverage,
  own: CoverageParts,
  near: readonly Neighbour[],
  tier: number,
  clipper: Clipper,
  divided: Map<string, Pick<Face, 'rings' | 'bare'>>,
): Face {
  const before = compareAtTier(tier);
  const ranks = near.map((other) => before(other.cell, cell) < 0);
  const first = near.filter((_, i) => ranks[i]);
  const better = first.map((other) => other.charted).filter((rings) => rings.length > 0);
  const hasFinerNeighbour = first.some(
    (other) => other.cell.scaleDenominator < cell.scaleDenominator && other.charted.length > 0,
  );
  const key = ranks.map(Number).join('');
  const ground = divided.get(key) ?? groundOf(own, near, first, better, clipper);
  divided.set(key, ground);
  return { tier, better, hasFinerNeighbour, ...ground };
}

/** @param first the neighbours that rank before the cell; `better` their charted ground */
function groundOf(
  { charted, bare }: CoverageParts,
  near: readonly Neighbour[],
  first: readonly Neighbour[],
  better: readonly (readonly Flat[])[],
  clipper: Clipper,
): Pick<Face, 'rings' | 'bare'> {
  const ownedRings = better.length === 0 ? charted : clipper.difference(charted, better.flat());
  if (bare.length === 0) return { rings: ownedRings };
  const claim = {
    ground: bare,
    better: [...near.map((other) => other.charted), ...first.map((other) => other.bare)].filter(
      (rings) => rings.length > 0,
    ),
  };
  const rest = clipper.difference(bare, claim.better.flat());
  const rings = rest.length === 0 ? ownedRings : clipper.union([...ownedRings, ...rest]);
  return { rings, bare: claim };
}

/** The whole world minus all coverage, the same at every tier. */
function backgroundOwnership(
  cells: readonly Coverage[],
  parts: ReadonlyMap<Coverage, CoverageParts>,
  clipper: Clipper,
): Ownership {
  const east = 180 * DEGREE;
  const south = Math.ceil(MAX_LATITUDE * DEGREE) + 1;
  const world = [[-east, -south, east, -south, east, south, -east, south]];
  const placed = cells.flatMap((cell) =>
    [-FULL_CIRCLE, 0, FULL_CIRCLE]
      .map((shift) => ({ shift, cell, box: moved(cell.box, shift) }))
      // A box that only touches 180° also makes tiles beyond it, as in `MakerRows`.
      .filter(({ box }) => box.right >= -east && box.left <= east),
  );
  const worldWithout = (ground: readonly (readonly Flat[])[]) =>
    ground.length === 0 ? world : inFixedOrder(clipper.difference(world, ground.flat()));
  const better = placed.map(({ cell, shift }) => shifted(cell.rings, shift));
  const rings = worldWithout(better);
  const ground = new Map(
    cells.map((cell) => {
      const middle = (cell.box.top + cell.box.bottom) / 2 / DEGREE;
      const shrink = Math.cos((middle * Math.PI) / 180);
      const { bare, charted } = parts.get(cell)!;
      const wide = withoutSlivers(bare, SHORE_GAP_UNITS, shrink);
      if (wide.length === 0) return [cell, cell.rings] as const;
      const isSame = wide.length === bare.length;
      return [cell, isSame ? charted : clipper.difference(cell.rings, wide)] as const;
    }),
  );
  const hasGaps = cells.some((cell) => ground.get(cell) !== cell.rings);
  const charted = () => placed.map(({ cell, shift }) => shifted(ground.get(cell)!, shift));
  return {
    name: BACKGROUND,
    coverage: world,
    charted: world,
    ...(hasGaps ? { shore: worldWithout(charted()) } : {}),
    faces: TIER_ZOOMS.map((tier) => ({ tier, rings, better })),
    makers: placed.map(({ cell, box }) => makerBox(cell, box)),
  };
}

/**
 * Rings that begin at their least point, in the order of these points: a change of one cell then leaves
 * all distant rings as they are.
 */
function inFixedOrder(rings: readonly Flat[]): Flat[] {
  return rings.map(fromLeastPoint).sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!);
}

function fromLeastPoint(ring: Flat): Flat {
  let least = 0;
  for (let i = 2; i < ring.length; i += 2) {
    if (ring[i]! - ring[least]! < 0 || (ring[i] === ring[least] && ring[i + 1]! < ring[least + 1]!))
      least = i;
  }
  return [...ring.slice(least), ...ring.slice(0, least)];
}

function makerBox(cell: Coverage, box: Box): MakerBox {
  const { minZoom, maxZoom } = zoomsOfBand(cell.usageBand);
  return { ...onSquare(box), minZoom, maxZoom };
}

/** Converts a box from the grid to units of the Mercator square. */
export function onSquare(box: Box): Box {
  return {
    left: mercatorX(box.left / DEGREE),
    right: mercatorX(box.right / DEGREE),
    top: mercatorY(-box.top / DEGREE),
    bottom: mercatorY(-box.bottom / DEGREE),
  };
}

/**
 * How far a tile made by a finer cell next to this one can reach into this cell's ground: the width
 * of the widest tile that this cell does not make itself, or below which data tiles are made.
 */
function makerReach(cell: Coverage): number {
  const widest = Math.min(zoomsOfBand(cell.usageBand).maxZoom + 1, RAW_ZOOMS[0]!);
  return FULL_CIRCLE / 2 ** widest;
}

function grown(box: Box, by: number): Box {
  return {
    left: box.left - by,
    right: box.right + by,
    top: box.top - by,
    bottom: box.bottom + by,
  };
}

function moved(box: Box, shift: number): Box {
  return { ...box, left: box.left + shift, right: box.right + shift };
}

function shifted(rings: readonly Flat[], shift: number): readonly Flat[] {
  if (shift === 0) return rings;
  return rings.map((ring) => ring.map((value, i) => (i % 2 === 0 ? value + shift : value)));
}

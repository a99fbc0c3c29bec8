// The background's part of the sea: land and water at small scale where no cell covers the ground.
// Its land is extended by its maximum error, and its water has the `background` flag.

import { boundsOf, type Flat } from '../../shared/geo/clip-box.ts';
import { latitudeAt } from '../../shared/geo/mercator.ts';
import { oriented } from '../../shared/geo/ring.ts';
import { vertexDistances } from '../../shared/geo/simplify.ts';
import { HAZARD_GRID } from '../../shared/route/hazard-codec.ts';
import { type HazardFeature, SEA_FLAGS } from '../../shared/route/sea.ts';
import { cutAtAntimeridian } from '../background/antimeridian.ts';
import type { LayerFeatures } from '../background/background-layers.ts';
import { polygonsOf, type Ring } from '../background/geojson.ts';
import { changedCoverages } from '../quilt/changed-ground.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { gridX, gridY } from '../quilt/coverage.ts';
import type { Ownership } from '../quilt/ownership.ts';
import { type Fragment, inTileOrder } from '../slice/fragment.ts';
import { COAST_CELLS, COAST_METERS, CoastZone } from './coast-zone.ts';
import { boxOfNode, type CutItem, cutBoxOf, cutToNode, uncut } from './cut-item.ts';
import { type Effect, gridUnits, NO_EFFECT, onHazardGrid, type RouteItem } from './item.ts';
import { overSheets, SHEET_ZOOM, SHEETS, wrapped } from './over-sheets.ts';
import {
  CORRIDOR,
  CORRIDOR_DETAIL,
  type Corridor,
  corridorsOn,
  SHOAL_RINGS,
  withoutCorridors,
} from './passage-corridors.ts';
import { encodeGround, GROUND } from './sheet-bundle.ts';
import { coastFragment, fragmentOf } from './slice-route.ts';
import { buffered } from './widened.ts';

/**
 * Maximum error in metres of the background's shore: at 1:10 million a line is no more exact, and
 * smaller islands are missing altogether. Removing vertices uses up a part of it.
 */
const SHORE_ERROR_METERS = 1000;
const SIMPLIFIED_METERS = 250;
/** Grid units to which vertices are rounded: 38 m at the equator, which is within the error. */
const SNAP = 1024;

const FEATURE: HazardFeature = { id: '', objectClass: '', objectName: '' };
const WATER: Effect = { ...NO_EFFECT, flags: SEA_FLAGS.background, isGround: true };
const LAND: Effect = {
  ...NO_EFFECT,
  kind: 'land',
  depth: Number.NaN,
  radius: SHORE_ERROR_METERS,
  isGround: true,
};

/** The effect of land after extension. The shape already includes the radius, so it is 0 here. */
const WIDENED_LAND: Effect = { ...LAND, radius: 0 };

/** The coastal zone by sheet number: its cells, or 'all' if the whole sheet is coast. */
export type Coasts = ReadonlyMap<number, Uint8Array | 'all'>;

/** The coastal zone of the background's land. It does not depend on the charts. */
export function backgroundCoasts(layers: readonly LayerFeatures[]): Coasts {
  const zone = new CoastZone();
  for (const { paths } of landItems(layers)) for (const ring of paths) zone.add(ring, true);
  const coasts = new Map<number, Uint8Array | 'all'>();
  for (const { x, y, cells } of zone.sheets()) {
    coasts.set(y * SHEETS + x, cells.includes(0) ? cells : 'all');
  }
  return coasts;
}

export interface BackgroundSea {
  readonly layers: readonly LayerFeatures[];
  /** Coasts of the layers, see `backgroundCoasts`. */
  readonly coasts: Coasts;
}

/** Whether a sheet is wanted, by column and row. */
type IsSheetWanted = (x: number, y: number) => boolean;

/** The sheets of the background that may differ between two builds. */
export function changedSheets(before: Ownership, after: Ownership): IsSheetWanted {
  const near = sheetsNear(changedCoverages(before, after));
  return (x, y) => near[y * SHEETS + x] === 1;
}

/**
 * The background's fragments of the route archive, where no cell owns the ground: the ground of all
 * sheets, and the fragments of the wanted ones.
 */
export function sliceBackgroundRoute(
  { layers, coasts }: BackgroundSea,
  ownership: Ownership,
  clipper: Clipper,
  isWanted: IsSheetWanted = () => true,
): Fragment[] {
  const face = ownership.faces.at(-1)!;
  const rings = face.rings.map((ring) => onHazardGrid(ring, true)).filter(isRing);
  const ground = spread([itemOf(WATER, rings)]);
  const land = spread(landItems(layers));
  const isNearChart = sheetsNear(face.better);

  const sheets = new Uint8Array(SHEETS * SHEETS);
  const fragments: Fragment[] = [];
  for (let y = 0; y < SHEETS; y++) {
    for (let x = 0; x < SHEETS; x++) {
      const at = y * SHEETS + x;
      const isOpen = ground.whole[at] === 1;
      const water = isOpen ? [whole(WATER)] : (ground.parts.get(at) ?? []);
      const isLand = land.whole[at] === 1;
      const coast = coasts.get(at);
      sheets[at] = isLand ? GROUND.land : coast === 'all' ? GROUND.coast : GROUND.ocean;
      if (water.length === 0 || !isWanted(x, y)) continue;
      const shores = isLand ? [whole(LAND)] : (land.parts.get(at) ?? []);
      const corridors = corridorsOn(x, y);
      // A uniform sheet that no cell or its coast reaches is fully described by the coarse squares.
      const isAlike = isLand || (shores.length === 0 && (coast === undefined || coast === 'all'));
      if (isAlike && corridors.length === 0 && isNearChart[at] === 0) continue;
      const detail = detailOf(y);
      const owned =
        corridors.length > 0
          ? cutAroundCorridors(shores, water, corridors, x, y, clipper)
          : isOpen
            ? shores
            : cutToGround(shores, water, x, y, clipper);
      const cuts = [...water, ...owned].map((cut) => ({
        ...cut,
        item: { ...cut.item, detail: Math.max(detail, cut.item.detail) },
      }));
      fragments.push(fragmentOf(x, y, cuts));
      if (coast !== undefined) {
        const cells = coast === 'all' ? ALL_COAST : coast;
        fragments.push(coastFragment({ x, y, cells }));
      }
    }
  }
  return inTileOrder([{ tileId: 0, bytes: encodeGround(sheets) }, ...fragments]);
}

const ALL_COAST = new Uint8Array(COAST_CELLS * COAST_CELLS).fill(1);

/** 1 for each sheet that the ground of a chart, or the zone of a coast on that ground, may reach. */
function sheetsNear(coverages: readonly (readonly Flat[])[]): Uint8Array {
  const boxes = coverages.map((rings) => boundsOf(rings.map((ring) => onHazardGrid(ring, true))));
  const near = new Uint8Array(SHEETS * SHEETS);
  const side = HAZARD_GRID / SHEETS;
  for (let y = 0; y < SHEETS; y++) {
    const { top, bottom } = boxOfNode(SHEET_ZOOM, 0, y);
    const poleward =
      y < SHEETS / 2 ? Math.max(1, top - side) : Math.min(HAZARD_GRID, bottom + side);
    const by = Math.max(side / 4, gridUnits(1.1 * COAST_METERS, poleward));
    for (const box of boxes) {
      if (box.bottom < top - by || box.top > bottom + by) continue;
      const first = Math.ceil((box.left - by) / side) - 1;
      const last = Math.min(first + SHEETS - 1, Math.floor((box.right + by) / side));
      for (let x = first; x <= last; x++) near[y * SHEETS + wrapped(x)] = 1;
    }
  }
  return near;
}

/** Cells of 1.2 to 2.4 km. The plane stretches with latitude, so fewer are needed at the poles. */
function detailOf(row: number): number {
  return Math.abs(latitudeAt((row + 0.5) / SHEETS)) < 75.5 ? 14 : 13;
}

const isRing = (path: Flat): boolean => path.length >= 6;

/** The detail of the item is that of its sheet. */
function itemOf(effect: Effect, paths: readonly Flat[]): RouteItem {
  return { shape: 'area', paths, effect, detail: 0, feature: FEATURE };
}

/** Coasts and sheets are made of the same land. */
const madeLand = new WeakMap<readonly LayerFeatures[], readonly RouteItem[]>();

function landItems(layers: readonly LayerFeatures[]): readonly RouteItem[] {
  const items = madeLand.get(layers) ?? newLandItems(layers);
  madeLand.set(layers, items);
  return items;
}

function newLandItems(layers: readonly LayerFeatures[]): readonly RouteItem[] {
  const ringOf = (ring: Ring): Flat =>
    onHazardGrid(
      ring.slice(0, -1).flatMap(([x, y]) => [gridX(x!), gridY(y!)]),
      true,
    );
  const land = layers
    .filter(({ layer }) => layer === 'bg_land')
    .flatMap(({ features }) => features)
    .flatMap(({ geometry }) => cutAtAntimeridian(polygonsOf(geometry)))
    .map((rings) => itemOf(LAND, rings.map(ringOf).map(simplified).filter(isRing)))
    .filter(({ paths }) => paths.length > 0);
  return [...land, ...SHOAL_RINGS.map((rings) => itemOf(LAND, rings))];
}

/** Removes the vertices of a ring that are within the error. A small island keeps its own. */
function simplified(ring: Flat): Flat {
  const distances = vertexDistances([...ring, ring[0]!, ring[1]!]);
  const kept: Flat = [];
  for (let i = 0; i < ring.length; i += 2) {
    const [x, y] = [ring[i]!, ring[i + 1]!];
    if (distances[i / 2]! <= gridUnits(SIMPLIFIED_METERS, y)) continue;
    const [column, row] = [Math.round(x / SNAP) * SNAP, Math.round(y / SNAP) * SNAP];
    const n = kept.length;
    if (n === 0 || kept[n - 2] !== column || kept[n - 1] !== row) kept.push(column, row);
  }
  return isRing(kept) ? kept : ring;
}

interface Spread {
  /** 1 for each sheet that is entirely within an item, by rows. */
  readonly whole: Uint8Array;
  /** Items with a border on a sheet, by sheet number. */
  readonly parts: ReadonlyMap<number, readonly CutItem[]>;
}

/** Distributes items over the sheets of the world, with whole sheets separate. */
function spread(items: readonly RouteItem[]): Spread {
  const isWhole = new Uint8Array(SHEETS * SHEETS);
  const parts = new Map<number, CutItem[]>();
  for (const item of items) {
    overSheets(item, (column, row, cut) => {
      const x = wrapped(column);
      const at = row * SHEETS + x;
      if (cut.isWhole) {
        isWhole[at] = 1;
        return;
      }
      const moved = x === column ? cut : shifted(cut, (x - column) * (HAZARD_GRID / SHEETS));
      const list = parts.get(at);
      if (list === undefined) parts.set(at, [moved]);
      else list.push(moved);
    });
  }
  return { whole: isWhole, parts };
}

function shifted(cut: CutItem, by: number): CutItem {
  const paths = cut.paths.map((path) => path.map((value, i) => (i % 2 === 0 ? value + by : value)));
  return { ...cut, paths, box: boundsOf(paths) };
}

/** Land at its maximum extent, where no cell owns the ground. */
function cutToGround(
  land: readonly CutItem[],
  water: readonly CutItem[],
  x: number,
  y: number,
  clipper: Clipper,
): CutItem[] {
  const ground = water.flatMap(({ paths }) => [...paths]);
  return land.flatMap((cut) => {
    const wide = cut.isWhole ? [] : buffered(wound(cut.paths), SHORE_ERROR_METERS);
    const rings = cut.isWhole ? ground : clipper.intersection(wide, ground);
    if (rings.length === 0) return [];
    const item = { ...cut.item, effect: WIDENED_LAND, paths: rings };
    return cutToNode(uncut(item), SHEET_ZOOM, x, y) ?? [];
  });
}

/** Land and corridors, where no cell owns the ground. */
function cutAroundCorridors(
  land: readonly CutItem[],
  water: readonly CutItem[],
  corridors: readonly Corridor[],
  x: number,
  y: number,
  clipper: Clipper,
): CutItem[] {
  const { left, right, top, bottom } = cutBoxOf(SHEET_ZOOM, x, y, 0);
  const sheet = [left, top, right, top, right, bottom, left, bottom];
  const ground = water.flatMap(({ isWhole, paths }) => (isWhole ? [sheet] : [...paths]));
  const areaOf = (effect: Effect, detail: number, rings: readonly Flat[]): CutItem[] => {
    if (rings.length === 0) return [];
    return [cutToNode(uncut({ ...itemOf(effect, rings), detail }), SHEET_ZOOM, x, y) ?? []].flat();
  };
  const marks = clipper.intersection(
    corridors.flatMap(({ rings }) => rings),
    ground,
  );
  const areas = land.flatMap(({ isWhole, paths }) => {
    const shore = isWhole ? [sheet] : wound(paths);
    const wide = isWhole ? shore : buffered(shore, SHORE_ERROR_METERS);
    const { near, far } = withoutCorridors(
      clipper.intersection(wide, ground),
      shore,
      corridors,
      clipper,
    );
    return [...areaOf(WIDENED_LAND, CORRIDOR_DETAIL, near), ...areaOf(WIDENED_LAND, 0, far)];
  });
  return [...areas, ...areaOf(CORRIDOR, CORRIDOR_DETAIL, marks)];
}

/** Winds outer rings one way and holes the other. The first ring of a polygon is the outer one. */
function wound(rings: readonly Flat[]): Flat[] {
  return rings.map((ring, i) => oriented(ring, i === 0));
}

/** An item that covers a whole sheet. */
function whole(effect: Effect): CutItem {
  return { item: itemOf(effect, []), paths: [], box: boundsOf([]), isWhole: true };
}

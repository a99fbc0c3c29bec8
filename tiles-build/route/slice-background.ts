// The background's part of the sea: land and water at small scale where no cell covers the ground.
// Its land is drawn wider by as much as it may be wrong, and its water is marked as what it is.

import { boundsOf, boxesMeet, type Flat } from '../../shared/geo/clip-box.ts';
import { HAZARD_GRID } from '../../shared/route/hazard-codec.ts';
import { type HazardFeature, SEA_FLAGS } from '../../shared/route/sea.ts';
import { cutAtAntimeridian } from '../background/antimeridian.ts';
import type { LayerFeatures } from '../background/background-layers.ts';
import { polygonsOf, type Ring } from '../background/geojson.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { gridX, gridY, oriented } from '../quilt/coverage.ts';
import type { Ownership } from '../quilt/ownership.ts';
import { type Fragment, inTileOrder } from '../slice/fragment.ts';
import { boxOfNode, type CutItem, cutToNode, uncut } from './cut-item.ts';
import { type Effect, NO_EFFECT, onHazardGrid, type RouteItem } from './item.ts';
import { encodeLand } from './sheet-bundle.ts';
import { fragmentOf, SHEET_ZOOM } from './slice-route.ts';

/**
 * Metres that the background's shore may lie off: at 1:10 million a line is drawn no better, and
 * smaller islands are missing altogether.
 */
export const SHORE_ERROR_METERS = 1000;

/** Cells round the world: 1.2 km wide at the equator. */
const DETAIL = 15;
const SIDE = 2 ** SHEET_ZOOM;
/** Quadtree nodes from which the world is searched; the first column is seen past 180° too. */
const FIRST_ZOOM = 2;

const FEATURE: HazardFeature = { id: '', objectClass: '', objectName: '' };
const WATER: Effect = { ...NO_EFFECT, flags: SEA_FLAGS.background, isGround: true };
const LAND: Effect = {
  ...NO_EFFECT,
  kind: 'land',
  depth: Number.NaN,
  radius: SHORE_ERROR_METERS,
  isGround: true,
};

export function sliceBackgroundRoute(
  layers: readonly LayerFeatures[],
  ownership: Ownership,
  clipper: Clipper,
): Fragment[] {
  const face = ownership.faces.at(-1)!;
  const ground = spread([{ ...itemOf(face.rings), effect: WATER }]);
  const land = spread(landItems(layers));
  const charted = face.better.map((rings) => boundsOf(rings.map((r) => onHazardGrid(r, true))));

  const fragments: Fragment[] = [{ tileId: 0, bytes: encodeLand(land.whole) }];
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const at = y * SIDE + x;
      const water = ground.whole[at] === 1 ? [whole(WATER)] : (ground.parts.get(at) ?? []);
      if (water.length === 0) continue;
      const shores = land.parts.get(at) ?? [];
      const isCharted = charted.some((box) => boxesMeet(box, nextTo(x, y)));
      // Of the others the finished coarse squares say all.
      if (shores.length === 0 && !isCharted) continue;
      const isLand = land.whole[at] === 1;
      const onLand = isLand ? [whole(LAND)] : shores;
      const owned = ground.whole[at] === 1 ? onLand : cutToGround(onLand, water, x, y, clipper);
      const fragment = fragmentOf(x, y, [...water, ...owned]);
      if (fragment !== undefined) fragments.push(fragment);
    }
  }
  return inTileOrder(fragments);
}

function itemOf(rings: readonly Flat[]): RouteItem {
  const paths = rings.map((ring) => onHazardGrid(ring, true)).filter((ring) => ring.length >= 6);
  return { shape: 'area', paths, effect: LAND, detail: DETAIL, feature: FEATURE };
}

function landItems(layers: readonly LayerFeatures[]): RouteItem[] {
  const ringOf = (ring: Ring): Flat =>
    ring.slice(0, -1).flatMap(([x, y]) => [gridX(x!, false), gridY(y!)]);
  return layers
    .filter(({ layer }) => layer === 'bg_land')
    .flatMap(({ features }) => features)
    .flatMap(({ geometry }) => cutAtAntimeridian(polygonsOf(geometry)))
    .map((rings) => itemOf(rings.map(ringOf)))
    .filter(({ paths }) => paths.length > 0);
}

interface Spread {
  /** 1 for each sheet that lies wholly within an item, by rows. */
  readonly whole: Uint8Array;
  /** Items with a border on a sheet, by its number. */
  readonly parts: ReadonlyMap<number, readonly CutItem[]>;
}

/** Items over the sheets of the world, whole ones told apart. */
function spread(items: readonly RouteItem[]): Spread {
  const whole = new Uint8Array(SIDE * SIDE);
  const parts = new Map<number, CutItem[]>();
  const visit = (cut: CutItem, z: number, x: number, y: number): void => {
    const within = cutToNode(cut, z, x, y);
    if (within === undefined) return;
    const side = 2 ** (SHEET_ZOOM - z);
    const column = ((x % 2 ** z) + 2 ** z) % 2 ** z;
    if (within.isWhole) {
      for (let row = y * side; row < (y + 1) * side; row++) {
        const from = row * SIDE + column * side;
        whole.fill(1, from, from + side);
      }
      return;
    }
    if (z === SHEET_ZOOM) {
      const at = y * SIDE + column;
      const moved = x === column ? within : shifted(within, (column - x) * (HAZARD_GRID / SIDE));
      const list = parts.get(at);
      if (list === undefined) parts.set(at, [moved]);
      else list.push(moved);
      return;
    }
    for (let i = 0; i < 4; i++) visit(within, z + 1, 2 * x + (i & 1), 2 * y + (i >> 1));
  };
  const nodes = 2 ** FIRST_ZOOM;
  for (const item of items) {
    const cut = uncut(item);
    for (let y = 0; y < nodes; y++) {
      for (let x = -1; x <= nodes; x++) visit(cut, FIRST_ZOOM, x, y);
    }
  }
  return { whole, parts };
}

function shifted(cut: CutItem, by: number): CutItem {
  const paths = cut.paths.map((path) => path.map((value, i) => (i % 2 === 0 ? value + by : value)));
  return { ...cut, paths, box: boundsOf(paths) };
}

/** Land where no cell owns the ground. */
function cutToGround(
  land: readonly CutItem[],
  water: readonly CutItem[],
  x: number,
  y: number,
  clipper: Clipper,
): CutItem[] {
  const ground = water.flatMap(({ paths }) => [...paths]);
  return land.flatMap((cut) => {
    const rings = cut.isWhole ? ground : clipper.intersection(wound(cut.paths), ground);
    if (rings.length === 0) return [];
    const item = { ...cut.item, paths: rings };
    return cutToNode(uncut(item), SHEET_ZOOM, x, y) ?? [];
  });
}

/** Outer rings one way, holes the other: of a polygon, the first ring is the outer one. */
function wound(rings: readonly Flat[]): Flat[] {
  return rings.map((ring, i) => oriented(ring, i === 0));
}

/** An item that holds a whole sheet. */
function whole(effect: Effect): CutItem {
  const item: RouteItem = { shape: 'area', paths: [], effect, detail: DETAIL, feature: FEATURE };
  return { item, paths: [], box: boundsOf([]), isWhole: true };
}

function nextTo(x: number, y: number) {
  const { left, right, top, bottom } = boxOfNode(SHEET_ZOOM, x, y);
  const by = (right - left) / 4;
  return { left: left - by, right: right + by, top: top - by, bottom: bottom + by };
}

// The last resort for a vector tile that is still too large after its cells were generalised, for
// example if it contains hundreds of harbours and no coarser chart: the whole tile is made coarser,
// step by step.

import { gzipSync } from 'node:zlib';
import { SOURCE_LAYERS } from '../../shared/chart/tile-schema.ts';
import type { Flat } from '../../shared/geo/clip-box.ts';
import { pushTo, remembered } from '../../shared/geo/map-entries.ts';
import { doubleArea } from '../../shared/geo/ring.ts';
import {
  decodeTile,
  polygonsOf,
  type TileFeature,
  type TileLayer,
} from '../../shared/mvt/decode.ts';
import { encodeTile } from '../../shared/mvt/encode.ts';
import { builderOf, fromDeepToShallow } from '../../shared/mvt/merge.ts';
import { KEEPS_SPECKS } from './grain.ts';
import { byImportance, byProminence } from './importance.ts';

/** Maximum size of a vector tile in bytes, gzipped. */
export const MAX_TILE_BYTES = 500_000;

/** Units that positions are rounded to, tried in turn until the tile fits; a pixel has 8. */
const GRAINS = [8, 16, 32, 64, 128, 256, 512] as const;
/** One point is kept in each square with this many grains per side. */
const GRAINS_OF_SQUARE = 4;

const groupOf = new Map(SOURCE_LAYERS.map(({ id, group }) => [id, group]));

export interface FittedTile {
  readonly bytes: Uint8Array;
  /**
   * Number of points, lines and rings that another represents, or that are smaller than the grain.
   */
  readonly removedParts: number;
}

/** A tile within the limit; unchanged if it already fits. */
export function fitTile(bytes: Uint8Array, limit = MAX_TILE_BYTES): FittedTile {
  if (isWithin(bytes, limit)) return { bytes, removedParts: 0 };
  const layers = decodeTile(bytes);
  const before = partsIn(layers);
  let coarse = bytes;
  for (const grain of GRAINS) {
    const coarser = layers.flatMap((layer) => coarserLayer(layer, grain));
    coarse = encodeTile(coarser.map(builderOf));
    if (isWithin(coarse, limit)) return { bytes: coarse, removedParts: before - partsIn(coarser) };
  }
  return { bytes: coarse, removedParts: before - partsIn(decodeTile(coarse)) };
}

/**
 * A tile made coarser once, whether it fits or not: for parts of a tile with so many owners that
 * they cannot be held in memory together.
 * @param round 0 for the finest grain; each round doubles it, up to the coarsest
 */
export function coarserTile(bytes: Uint8Array, round: number): FittedTile {
  const grain = GRAINS[Math.min(round, GRAINS.length - 1)]!;
  const layers = decodeTile(bytes);
  const coarser = layers.flatMap((layer) => coarserLayer(layer, grain));
  return {
    bytes: encodeTile(coarser.map(builderOf)),
    removedParts: partsIn(layers) - partsIn(coarser),
  };
}

function isWithin(bytes: Uint8Array, limit: number): boolean {
  // Incompressible data grow by a few bytes per 64 KiB.
  return bytes.length <= limit * 0.99 || gzipSync(bytes, { level: 6 }).length <= limit;
}

type Layer = Pick<TileLayer, 'name' | 'features'>;

const partsIn = (layers: readonly Layer[]): number =>
  layers.reduce(
    (sum, { features }) => sum + features.reduce((count, { paths }) => count + paths.length, 0),
    0,
  );

function coarserLayer({ name, features }: TileLayer, grain: number): Layer[] {
  // Layers that are hidden by default are dropped before anything that is always drawn.
  if (groupOf.get(name) === 'meta' && grain > GRAINS[0]) return [];
  const points = features.filter(({ type }) => type === 1);
  const shapes = features.filter(({ type }) => type !== 1);
  return [
    {
      name,
      features: [...fewerPoints(name, points, grain), ...coarserShapes(name, shapes, grain)],
    },
  ];
}

/** Lines and areas rounded to the grain; those with equal properties become one feature. */
function coarserShapes(
  name: string,
  features: readonly TileFeature[],
  grain: number,
): TileFeature[] {
  const alike = new Map<string, { feature: TileFeature; paths: Map<string, Flat> }>();
  for (const feature of features) {
    const key = `${feature.type} ${JSON.stringify(feature.properties)}`;
    const group = remembered(alike, key, () => ({ feature, paths: new Map() }));
    if (feature.type === 2) {
      for (const path of feature.paths) {
        const line = rounded(path, grain, false);
        if (line.length < 4 && name === 'LNDARE') line.push(line[0]! + grain, line[1]!);
        if (line.length >= 4) group.paths.set(line.join(), line);
      }
    } else {
      for (const polygon of polygonsOf(feature.paths)) {
        const [outer, ...holes] = polygon.map((ring) => rounded(ring, grain, true));
        if (isArea(outer!)) {
          // Holes follow their outer ring, so equal rings are not merged here.
          for (const ring of [outer!, ...holes.filter(isArea)]) {
            group.paths.set(`${group.paths.size} ring`, ring);
          }
        } else if (KEEPS_SPECKS.has(name)) {
          const speck = squareAt(outer!, grain);
          group.paths.set(speck.join(), speck);
        }
      }
    }
  }
  return [...alike.values()]
    .filter(({ paths }) => paths.size > 0)
    .map(({ feature, paths }) => ({ ...feature, paths: [...paths.values()] }));
}

const isArea = (ring: Flat): boolean => ring.length >= 6 && doubleArea(ring) !== 0;

function squareAt([left, top]: Flat, grain: number): Flat {
  const [right, bottom] = [left! + grain, top! + grain];
  return [left!, top!, right, top!, right, bottom, left!, bottom];
}

/** Rounded to the grain, without repeated points and points on a straight line. */
function rounded(path: Flat, grain: number, isRing: boolean): Flat {
  const out: Flat = [];
  for (let i = 0; i < path.length; i += 2) {
    const x = Math.round(path[i]! / grain) * grain;
    const y = Math.round(path[i + 1]! / grain) * grain;
    let n = out.length;
    if (n > 0 && out[n - 2] === x && out[n - 1] === y) continue;
    if (n >= 4) {
      const [ax, ay] = [out[n - 2]! - out[n - 4]!, out[n - 1]! - out[n - 3]!];
      const [bx, by] = [x - out[n - 2]!, y - out[n - 1]!];
      if (ax * by === ay * bx && ax * bx + ay * by > 0) {
        out.length = n - 2;
        n -= 2;
      }
    }
    out.push(x, y);
  }
  const n = out.length;
  if (isRing && n > 2 && out[0] === out[n - 2] && out[1] === out[n - 1]) out.length = n - 2;
  return out;
}

/** Keeps the most important point of each square, which represents the others. */
function fewerPoints(
  name: string,
  features: readonly TileFeature[],
  grain: number,
): readonly TileFeature[] {
  const squares = new Map<string, TileFeature[]>();
  for (const feature of features) {
    const [x, y] = feature.paths[0]!;
    const side = grain * GRAINS_OF_SQUARE;
    const { ds, de, sy } = feature.properties;
    // A point without a symbol cannot represent one with a symbol, and a dated point can represent
    // only points with the same dates.
    const kind = `${sy !== undefined} ${ds} ${de}`;
    const key = `${Math.floor(x! / side)} ${Math.floor(y! / side)} ${kind}`;
    pushTo(squares, key, feature);
  }
  const kept = [...squares.values()].flatMap((square) => keptOf(name, square));
  return name === 'SOUNDG' ? fromDeepToShallow(kept) : kept;
}

function keptOf(name: string, square: readonly TileFeature[]): readonly TileFeature[] {
  if (square.length === 1) return square;
  const isDepth = name === 'SOUNDG' || groupOf.get(name) === 'dangers';
  const depth = ({ properties }: TileFeature) => Number(properties['dd'] ?? properties['d'] ?? 0);
  const ranked = ({ properties }: TileFeature) => ({ layer: name, properties, key: '' });
  const isBefore = (a: TileFeature, b: TileFeature): boolean =>
    isDepth
      ? depth(a) < depth(b)
      : groupOf.get(name) === 'aids'
        ? byImportance([ranked(a)], [ranked(b)]) < 0
        : byProminence(ranked(a), ranked(b)) < 0;
  const best = square.reduce((a, b) => (isBefore(b, a) ? b : a));
  const { n: _, mz: __, rz: ___, ...rest } = best.properties;
  const combined = (key: string, otherwise: number, combine: (a: number, b: number) => number) =>
    square.map(({ properties }) => Number(properties[key] ?? otherwise)).reduce(combine);
  const mz = combined('mz', 0, (a, b) => Math.min(a, b));
  const rz = combined('rz', 0, (a, b) => Math.min(a, b));
  const properties = {
    ...rest,
    ...(mz > 0 && { mz }),
    ...(rz > 0 && { rz }),
    ...(name !== 'SOUNDG' && { n: combined('n', 1, (a, b) => a + b) }),
    ...('ud' in rest && { ud: combined('ud', -100, (a, b) => Math.max(a, b)) }),
  };
  // The sectors of a light, and all objects at the same place, stay together.
  const at = best.paths[0]!.join();
  const others = isDepth
    ? []
    : square.filter((feature) => feature !== best && feature.paths[0]!.join() === at);
  return [{ ...best, properties }, ...others];
}

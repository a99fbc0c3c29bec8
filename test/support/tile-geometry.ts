// Reads vector tiles and measures areas with independent libraries.

import { gunzipSync } from 'node:zlib';
import { classifyRings, VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PMTiles } from 'pmtiles';
import polygonClipping from 'polygon-clipping';
import { fileSource } from './pmtiles-file.ts';

type Position = [number, number];
export type Polygon = Position[][];

/** Rings of an area, in any unit. */
export type Rings = readonly (readonly { readonly x: number; readonly y: number }[])[];

/** Whether a point is in an area, by the even-odd rule. */
export function isInside(x: number, y: number, rings: Rings): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [a, b] = [ring[i]!, ring[j]!];
      if (a.y > y === b.y > y) continue;
      if (x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
    }
  }
  return inside;
}

export const TILE_UNITS = 4096;
const TILE_BOX: Polygon = [
  [
    [0, 0],
    [TILE_UNITS, 0],
    [TILE_UNITS, TILE_UNITS],
    [0, TILE_UNITS],
    [0, 0],
  ],
];

export interface TileReader {
  /** The tile as stored; `undefined` if it is not stored. */
  read(z: number, x: number, y: number): Promise<VectorTile | undefined>;
}

export function openTiles(path: string): TileReader {
  const archive = new PMTiles(fileSource(path));
  return {
    read: async (z, x, y) => {
      const found = await archive.getZxy(z, x, y);
      if (found === undefined) return undefined;
      return new VectorTile(new PbfReader(unpacked(found.data)));
    },
  };
}

/** The uncompressed bytes of a stored tile. @throws Error if it is not stored */
export async function openTileBytes(
  path: string,
  { z, x, y }: { readonly z: number; readonly x: number; readonly y: number },
): Promise<Uint8Array> {
  const found = await new PMTiles(fileSource(path)).getZxy(z, x, y);
  if (found === undefined) throw new Error(`${path} has no tile ${z}/${x}/${y}.`);
  return unpacked(found.data);
}

function unpacked(data: ArrayBuffer): Uint8Array {
  const bytes = Buffer.from(data);
  return bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
}

/** The polygons of some layers, including the parts in the buffer. */
export function polygonsOf(tile: VectorTile, layers: readonly string[]): Polygon[] {
  return layers.flatMap((name) => {
    const layer = tile.layers[name];
    if (layer === undefined) return [];
    const features = Array.from({ length: layer.length }, (_, i) => layer.feature(i));
    return features
      .filter(({ type }) => type === 3)
      .flatMap((feature) => classifyRings(feature.loadGeometry()))
      .map((rings) => rings.map((ring) => ring.map(({ x, y }): Position => [x, y])));
  });
}

/** Total area of polygons within the tile in square units; overlaps count several times. */
export const areaInTile = (polygons: readonly Polygon[]): number =>
  polygons.reduce(
    (sum, polygon) => sum + areaOf(polygonClipping.intersection(polygon, TILE_BOX)),
    0,
  );

/** Area of the union of polygons within the tile, in square units. */
export function unionInTile(polygons: readonly Polygon[]): number {
  if (polygons.length === 0) return 0;
  const [first, ...others] = polygons as [Polygon, ...Polygon[]];
  return areaOf(polygonClipping.intersection(polygonClipping.union(first, ...others), TILE_BOX));
}

function areaOf(polygons: Polygon[]): number {
  return polygons.reduce(
    (total, rings) =>
      total +
      rings.reduce((sum, ring, i) => {
        const size = Math.abs(ringArea(ring));
        return i === 0 ? sum + size : sum - size;
      }, 0),
    0,
  );
}

function ringArea(ring: readonly Position[]): number {
  return (
    ring.reduce((sum, [x, y], i) => {
      const [nextX, nextY] = ring[(i + 1) % ring.length]!;
      return sum + x * nextY - nextX * y;
    }, 0) / 2
  );
}

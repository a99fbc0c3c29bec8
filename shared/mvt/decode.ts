// Vector tile bytes to plain features with flat coordinates, for merging, overzooming and painting.

import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { Flat } from '../geo/clip-box.ts';
import { doubleArea } from '../geo/ring.ts';
import type { GeometryType, TileValue } from './encode.ts';

export interface TileFeature {
  readonly id: number;
  readonly type: GeometryType;
  readonly properties: Record<string, TileValue>;
  /** Points: one path of all points. Lines: a path each. Polygons: rings, closed without repeat. */
  readonly paths: readonly Flat[];
}

export interface TileLayer {
  readonly name: string;
  readonly extent: number;
  readonly features: readonly TileFeature[];
}

/** Layers in the order of the bytes. @throws Error on bytes that are no vector tile */
export function decodeTile(bytes: Uint8Array, wanted?: (layer: string) => boolean): TileLayer[] {
  const tile = new VectorTile(new PbfReader(bytes));
  return Object.values(tile.layers)
    .filter((layer) => wanted === undefined || wanted(layer.name))
    .map((layer) => {
      const features: TileFeature[] = [];
      for (let i = 0; i < layer.length; i++) {
        const feature = layer.feature(i);
        if (feature.type === 0) continue;
        features.push({
          id: feature.id ?? 0,
          type: feature.type,
          properties: feature.properties,
          paths: pathsOf(feature),
        });
      }
      return { name: layer.name, extent: layer.extent, features };
    });
}

function pathsOf(feature: VectorTileFeature): Flat[] {
  const parts = feature.loadGeometry();
  if (feature.type === 1) {
    const path: number[] = [];
    for (const part of parts) for (const { x, y } of part) path.push(x, y);
    return [path];
  }
  return parts.map((part) => {
    const path: Flat = [];
    const end = feature.type === 3 ? part.length - 1 : part.length;
    for (let i = 0; i < end; i++) path.push(part[i]!.x, part[i]!.y);
    return path;
  });
}

/** Rings in tile order to polygons: an exterior ring begins each (specification 4.3.4.4). */
export function polygonsOf(rings: readonly Flat[]): Flat[][] {
  const polygons: Flat[][] = [];
  for (const ring of rings) {
    if (doubleArea(ring) > 0 || polygons.length === 0) polygons.push([ring]);
    else polygons.at(-1)!.push(ring);
  }
  return polygons;
}

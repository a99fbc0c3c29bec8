// Decodes vector tiles to features with flat coordinates, for merging, overzooming and painting.

import { PbfReader } from 'pbf';
import type { Flat } from '../geo/clip-box.ts';
import { doubleArea } from '../geo/ring.ts';
import type { GeometryType, TileValue } from './encode.ts';
import { readGeometry } from './read-geometry.ts';

export interface TileFeature {
  readonly id: number;
  readonly type: GeometryType;
  readonly properties: Record<string, TileValue>;
  /**
   * Points: one path with all points. Lines: one path each. Polygons: rings that do not repeat the
   * first point.
   */
  readonly paths: readonly Flat[];
}

export interface TileLayer {
  readonly name: string;
  readonly extent: number;
  readonly features: readonly TileFeature[];
}

/** Layers in tile order. @throws Error if the bytes are not a valid vector tile */
export function decodeTile(bytes: Uint8Array, wanted?: (layer: string) => boolean): TileLayer[] {
  const pbf = new PbfReader(bytes);
  const layers = new Map<string, TileLayer>();
  while (pbf.pos < bytes.length) {
    const tag = pbf.readVarint();
    if (tag !== LAYER) {
      pbf.skip(tag);
      continue;
    }
    const end = endOf(pbf);
    const layer = decodeLayer(pbf, end, wanted);
    if (layer !== undefined) layers.set(layer.name, layer);
    pbf.pos = end;
  }
  return [...layers.values()];
}

// Field tags with wire types (specification 2.1, `vector_tile.proto`).
const LAYER = 26;
const LAYER_NAME = 10;
const LAYER_FEATURE = 18;
const LAYER_KEY = 26;
const LAYER_VALUE = 34;
const LAYER_EXTENT = 40;
const FEATURE_ID = 8;
const FEATURE_TAGS = 18;
const FEATURE_TYPE = 24;
const FEATURE_GEOMETRY = 34;
const DEFAULT_EXTENT = 4096;

/** End offset of the message that starts here. */
function endOf(pbf: PbfReader): number {
  const length = pbf.readVarint();
  const end = pbf.pos + length;
  if (end > pbf.length) throw new Error('the tile ends within a message');
  return end;
}

/**
 * Decode a requested layer with features. Keys and values can follow the features that use them.
 */
function decodeLayer(
  pbf: PbfReader,
  end: number,
  wanted?: (layer: string) => boolean,
): TileLayer | undefined {
  let name = '';
  let extent = DEFAULT_EXTENT;
  const starts: number[] = [];
  const keys: string[] = [];
  const values: TileValue[] = [];
  while (pbf.pos < end) {
    const tag = pbf.readVarint();
    if (tag === LAYER_FEATURE) {
      starts.push(pbf.pos);
      pbf.pos = endOf(pbf);
    } else if (tag === LAYER_KEY) keys.push(pbf.readString());
    else if (tag === LAYER_VALUE) values.push(readValue(pbf));
    else if (tag === LAYER_NAME) name = pbf.readString();
    else if (tag === LAYER_EXTENT) extent = pbf.readVarint();
    else pbf.skip(tag);
  }
  if (starts.length === 0 || wanted?.(name) === false) return undefined;
  const features: TileFeature[] = [];
  for (const start of starts) {
    pbf.pos = start;
    const feature = decodeFeature(pbf, endOf(pbf), keys, values);
    if (feature !== undefined) features.push(feature);
  }
  return { name, extent, features };
}

/** `undefined` if the geometry type is unknown. */
function decodeFeature(
  pbf: PbfReader,
  end: number,
  keys: readonly string[],
  values: readonly TileValue[],
): TileFeature | undefined {
  let id = 0;
  let type = 0;
  let from = -1;
  let to = -1;
  // No prototype, because keys are untrusted.
  const properties: Record<string, TileValue> = Object.create(null);
  while (pbf.pos < end) {
    const tag = pbf.readVarint();
    if (tag === FEATURE_GEOMETRY) {
      to = endOf(pbf);
      from = pbf.pos;
      pbf.pos = to;
    } else if (tag === FEATURE_TAGS) {
      const tagsEnd = endOf(pbf);
      while (pbf.pos < tagsEnd) {
        const key = keys[pbf.readVarint()];
        const value = values[pbf.readVarint()];
        if (key === undefined || value === undefined) {
          throw new Error('a feature refers to a key or value that is missing in its layer');
        }
        properties[key] = value;
      }
    } else if (tag === FEATURE_TYPE) type = pbf.readVarint();
    else if (tag === FEATURE_ID) id = pbf.readVarint();
    else pbf.skip(tag);
  }
  if (type === 0) return undefined;
  if (type > 3) throw new Error(`a feature has an unknown type: ${type}`);
  if (from < 0) throw new Error('a feature has no geometry');
  return {
    id,
    type: type as GeometryType,
    properties,
    paths: readGeometry(pbf.buf, from, to, type as GeometryType),
  };
}

function readValue(pbf: PbfReader): TileValue {
  const end = endOf(pbf);
  let value: TileValue | undefined;
  while (pbf.pos < end) {
    const tag = pbf.readVarint();
    if (tag === 10) value = pbf.readString();
    else if (tag === 21) value = pbf.readFloat();
    else if (tag === 25) value = pbf.readDouble();
    else if (tag === 32) value = pbf.readVarint(true);
    else if (tag === 40) value = pbf.readVarint();
    else if (tag === 48) value = pbf.readSVarint();
    else if (tag === 56) value = pbf.readBoolean();
    else pbf.skip(tag);
  }
  if (value === undefined) throw new Error('a layer has a value of an unknown type');
  return value;
}

/** Group rings in tile order to polygons; each exterior ring starts one (specification 4.3.4.4). */
export function polygonsOf(rings: readonly Flat[]): Flat[][] {
  const polygons: Flat[][] = [];
  for (const ring of rings) {
    if (doubleArea(ring) > 0 || polygons.length === 0) polygons.push([ring]);
    else polygons.at(-1)!.push(ring);
  }
  return polygons;
}

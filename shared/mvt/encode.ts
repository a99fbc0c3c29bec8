// Encodes features as vector tiles (Mapbox Vector Tile specification 2.1). Keys and values are
// shared within a layer.

import type { PbfWriter } from 'pbf';
import { IntegerWriter } from '../bytes/integer-writer.ts';
import type { Flat } from '../geo/clip-box.ts';
import { doubleArea } from '../geo/ring.ts';

export type TileValue = string | number | boolean;
export type GeometryType = 1 | 2 | 3;

/** Tile extent in units. */
export const EXTENT = 4096;
/** Exterior rings with a smaller area (square units) are dropped: a 32nd of a pixel. */
export const MIN_RING_AREA = 4;

interface EncodedFeature {
  readonly id: number;
  readonly type: GeometryType;
  readonly tags: readonly number[];
  readonly geometry: readonly number[];
}

/** Builds one layer. */
export class LayerBuilder {
  readonly name: string;
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<TileValue, number>();
  readonly #features: EncodedFeature[] = [];

  constructor(name: string) {
    this.name = name;
  }

  get size(): number {
    return this.#features.length;
  }

  /** Add a feature with encoded geometry commands. An empty geometry is ignored. */
  add(
    id: number,
    type: GeometryType,
    properties: Readonly<Record<string, TileValue>>,
    geometry: readonly number[],
  ): void {
    if (geometry.length === 0) return;
    const tags: number[] = [];
    for (const key in properties) {
      tags.push(numberFor(this.#keys, key), numberFor(this.#values, properties[key]!));
    }
    this.#features.push({ id, type, tags, geometry });
  }

  write(pbf: PbfWriter): void {
    pbf.writeVarintField(15, 2);
    pbf.writeStringField(1, this.name);
    for (const feature of this.#features) pbf.writeMessage(2, writeFeature, feature);
    for (const key of this.#keys.keys()) pbf.writeStringField(3, key);
    for (const value of this.#values.keys()) pbf.writeMessage(4, writeValue, value);
    pbf.writeVarintField(5, EXTENT);
  }
}

function numberFor<K>(numbers: Map<K, number>, key: K): number {
  let found = numbers.get(key);
  if (found === undefined) {
    found = numbers.size;
    numbers.set(key, found);
  }
  return found;
}

function writeFeature(feature: EncodedFeature, pbf?: PbfWriter): void {
  if (pbf === undefined) return;
  if (feature.id !== 0) pbf.writeVarintField(1, feature.id);
  if (feature.tags.length > 0) pbf.writePackedVarint(2, [...feature.tags]);
  pbf.writeVarintField(3, feature.type);
  pbf.writePackedVarint(4, [...feature.geometry]);
}

function writeValue(value: TileValue, pbf?: PbfWriter): void {
  if (pbf === undefined) return;
  if (typeof value === 'string') pbf.writeStringField(1, value);
  else if (typeof value === 'boolean') pbf.writeBooleanField(7, value);
  else if (!Number.isInteger(value) || Math.abs(value) > 2 ** 50) pbf.writeDoubleField(3, value);
  else if (value < 0) pbf.writeSVarintField(6, value);
  else pbf.writeVarintField(5, value);
}

/** Encode the layers that contain features, in order. */
export function encodeTile(layers: Iterable<LayerBuilder>): Uint8Array {
  const pbf = new IntegerWriter();
  for (const layer of layers) {
    if (layer.size > 0)
      pbf.writeMessage(3, (made: LayerBuilder, inner) => made.write(inner!), layer);
  }
  return pbf.finish();
}

/**
 * @throws RangeError unless `value` is an integer; a truncated value would shift all following
 * points
 */
function zigzag(value: number): number {
  if (!Number.isInteger(value)) throw new RangeError(`Cannot encode ${value} as a step.`);
  return (value << 1) ^ (value >> 31);
}

const moveTo = (count: number): number => 1 | (count << 3);
const lineTo = (count: number): number => 2 | (count << 3);
const CLOSE = 7 | (1 << 3);

/** Encode points in tile units. */
export function pointCommands(points: Flat): number[] {
  const commands = [moveTo(points.length / 2)];
  let x = 0;
  let y = 0;
  for (let i = 0; i < points.length; i += 2) {
    commands.push(zigzag(points[i]! - x), zigzag(points[i + 1]! - y));
    x = points[i]!;
    y = points[i + 1]!;
  }
  return points.length === 0 ? [] : commands;
}

/** Encode lines without repeated points. Lines with only one position are dropped. */
export function lineCommands(lines: readonly Flat[]): number[] {
  const commands: number[] = [];
  const pen = { x: 0, y: 0 };
  for (const line of lines) {
    const path = withoutRepeats(line, false);
    if (path.length < 4) continue;
    pushPath(commands, path, pen);
  }
  return commands;
}

/**
 * Encode polygons, each an exterior ring with holes. Windings are corrected: exterior rings
 * clockwise on the screen, holes the other way (specification 4.3.4.4). Tiny rings are dropped.
 */
export function polygonCommands(polygons: readonly (readonly Flat[])[]): number[] {
  const commands: number[] = [];
  const pen = { x: 0, y: 0 };
  for (const polygon of polygons) {
    for (let i = 0; i < polygon.length; i++) {
      const path = withoutRepeats(polygon[i]!, true);
      const area = path.length < 6 ? 0 : doubleArea(path) / 2;
      if (Math.abs(area) < MIN_RING_AREA) {
        if (i === 0) break;
        continue;
      }
      pushPath(commands, area > 0 === (i === 0) ? path : reversed(path), pen);
      commands.push(CLOSE);
    }
  }
  return commands;
}

function withoutRepeats(path: Flat, closed: boolean): Flat {
  const out: Flat = [];
  for (let i = 0; i < path.length; i += 2) {
    const n = out.length;
    const x = Math.round(path[i]!);
    const y = Math.round(path[i + 1]!);
    if (n > 0 && out[n - 2] === x && out[n - 1] === y) continue;
    out.push(x, y);
  }
  const n = out.length;
  if (closed && n > 2 && out[0] === out[n - 2] && out[1] === out[n - 1]) out.length = n - 2;
  return out;
}

function reversed(path: Flat): Flat {
  const out: Flat = [];
  for (let i = path.length - 2; i >= 0; i -= 2) out.push(path[i]!, path[i + 1]!);
  return out;
}

function pushPath(commands: number[], path: Flat, pen: { x: number; y: number }): void {
  commands.push(moveTo(1), zigzag(path[0]! - pen.x), zigzag(path[1]! - pen.y));
  commands.push(lineTo(path.length / 2 - 1));
  let x = path[0]!;
  let y = path[1]!;
  for (let i = 2; i < path.length; i += 2) {
    commands.push(zigzag(path[i]! - x), zigzag(path[i + 1]! - y));
    x = path[i]!;
    y = path[i + 1]!;
  }
  pen.x = x;
  pen.y = y;
}

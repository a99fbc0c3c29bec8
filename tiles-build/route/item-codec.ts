// Encodes the items on one sheet's ground, so that packs can store them until those of other owners
// are ready. The format is temporary: only the code that wrote the bytes reads them.

import { PbfReader } from 'pbf';
import { IntegerWriter } from '../../shared/bytes/integer-writer.ts';
import type { Flat } from '../../shared/geo/clip-box.ts';
import { HAZARD_KINDS, type HazardFeature, NOTICE_KINDS } from '../../shared/route/sea.ts';
import { type Effect, ITEM_SHAPES, type RouteItem } from './item.ts';

/** Items on the ground of one zoom-8 square. */
export interface SheetItems {
  readonly x: number;
  readonly y: number;
  readonly items: readonly RouteItem[];
}

export function encodeItems({ x, y, items }: SheetItems): Uint8Array {
  const effects = new Numbered<Effect>();
  const features = new Numbered<HazardFeature>();
  const body = new IntegerWriter();
  for (const item of items) {
    body.writeVarint(ITEM_SHAPES.indexOf(item.shape));
    body.writeVarint(item.detail);
    body.writeVarint(effects.numberOf(item.effect));
    body.writeVarint(features.numberOf(item.feature));
    if (item.effect.notice !== undefined) body.writeString(item.text ?? '');
    writePaths(body, item.paths);
  }
  const out = new IntegerWriter();
  out.writeVarint(x);
  out.writeVarint(y);
  out.writeVarint(effects.all.length);
  for (const effect of effects.all) writeEffect(out, effect);
  out.writeVarint(features.all.length);
  for (const { id, objectClass, objectName } of features.all) {
    for (const text of [id, objectClass, objectName]) out.writeString(text);
  }
  out.writeVarint(items.length);
  out.writeBytes(body.finish());
  return out.finish();
}

export function decodeItems(bytes: Uint8Array): SheetItems {
  const reader = new PbfReader(bytes);
  const x = reader.readVarint();
  const y = reader.readVarint();
  const effects = Array.from({ length: reader.readVarint() }, () => readEffect(reader));
  const features = Array.from({ length: reader.readVarint() }, (): HazardFeature => {
    const id = reader.readString();
    const objectClass = reader.readString();
    return { id, objectClass, objectName: reader.readString() };
  });
  const count = reader.readVarint();
  reader.readVarint();
  const items = Array.from({ length: count }, (): RouteItem => {
    const shape = ITEM_SHAPES[reader.readVarint()]!;
    const detail = reader.readVarint();
    const effect = effects[reader.readVarint()]!;
    const feature = features[reader.readVarint()]!;
    const text = effect.notice === undefined ? undefined : reader.readString();
    const paths = readPaths(reader);
    return { shape, detail, effect, feature, paths, ...(text !== undefined && { text }) };
  });
  return { x, y, items };
}

/** Numbers each different object once, by identity. */
class Numbered<T> {
  readonly all: T[] = [];
  readonly #numbers = new Map<T, number>();

  numberOf(value: T): number {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.all.push(value) - 1;
      this.#numbers.set(value, number);
    }
    return number;
  }
}

function writeEffect(out: IntegerWriter, effect: Effect): void {
  out.writeVarint(effect.kind === undefined ? 0 : HAZARD_KINDS.indexOf(effect.kind) + 1);
  out.writeVarint(effect.flags);
  out.writeBoolean(effect.isGround);
  out.writeVarint(effect.notice === undefined ? 0 : NOTICE_KINDS.indexOf(effect.notice) + 1);
  for (const value of [effect.depth, effect.clearance, effect.radius]) out.writeDouble(value);
  out.writeDouble(effect.bearing ?? Number.NaN);
}

function readEffect(reader: PbfReader): Effect {
  const kind = HAZARD_KINDS[reader.readVarint() - 1];
  const flags = reader.readVarint();
  const isGround = reader.readBoolean();
  const notice = NOTICE_KINDS[reader.readVarint() - 1];
  const [depth, clearance, radius, bearing] = [0, 1, 2, 3].map(() => reader.readDouble());
  return {
    kind,
    flags,
    isGround,
    ...(notice !== undefined && { notice }),
    depth: depth!,
    clearance: clearance!,
    radius: radius!,
    bearing: Number.isNaN(bearing) ? undefined : bearing,
  };
}

function writePaths(out: IntegerWriter, paths: readonly Flat[]): void {
  out.writeVarint(paths.length);
  for (const path of paths) {
    out.writeVarint(path.length / 2);
    let x = 0;
    let y = 0;
    for (let i = 0; i < path.length; i += 2) {
      const column = Math.round(path[i]!);
      const row = Math.round(path[i + 1]!);
      out.writeSVarint(column - x);
      out.writeSVarint(row - y);
      x = column;
      y = row;
    }
  }
}

function readPaths(reader: PbfReader): Flat[] {
  return Array.from({ length: reader.readVarint() }, () => {
    const count = reader.readVarint();
    const path: Flat = new Array(2 * count);
    let x = 0;
    let y = 0;
    for (let i = 0; i < 2 * count; i += 2) {
      x += reader.readSVarint();
      y += reader.readSVarint();
      path[i] = x;
      path[i + 1] = y;
    }
    return path;
  });
}

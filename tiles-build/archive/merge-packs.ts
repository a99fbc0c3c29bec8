// k-way merge of packs to one stream of records in tile order. At most FAN_IN packs are open at a
// time; more are first merged into temporary packs (external sorting).

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createPackWriter, type Pack, type PackRecord, readPack } from './pack.ts';

/** Number of packs read concurrently. Each needs one open file and one block of memory. */
const FAN_IN = 128;

interface MergeOptions {
  /** Only tile ids in [from, to). */
  readonly from?: number;
  readonly to?: number;
  /** Folder for temporary packs; used with more than `fanIn` packs. */
  readonly scratch: string;
  readonly fanIn?: number;
}

/** Records in tile id order. Records of the same tile keep the order of `packs`. */
export function* mergeRecords(
  packs: readonly Pack[],
  options: MergeOptions,
): Generator<PackRecord, void, undefined> {
  const { from = 0, to = Number.POSITIVE_INFINITY, scratch, fanIn = FAN_IN } = options;
  const temporary: string[] = [];
  try {
    let level = [...packs];
    for (let pass = 0; level.length > fanIn; pass++) {
      const merged: Pack[] = [];
      for (let i = 0; i < level.length; i += fanIn) {
        const path = join(scratch, `merge-${from}-${pass}-${i}.pack`);
        temporary.push(path);
        merged.push(writeMerged(level.slice(i, i + fanIn), path, from, to));
      }
      level = merged;
    }
    yield* mergeSorted(level.map((pack) => readPack(pack, from, to)));
  } finally {
    for (const path of temporary) rmSync(path, { force: true });
  }
}

function writeMerged(packs: readonly Pack[], path: string, from: number, to: number): Pack {
  const writer = createPackWriter(path);
  for (const record of mergeSorted(packs.map((pack) => readPack(pack, from, to)))) {
    writer.add(record);
  }
  return writer.finish();
}

type Cursor = { record: PackRecord; readonly order: number; readonly rest: Iterator<PackRecord> };

/** Merge sorted streams. Equal ids keep the order of their streams. */
function* mergeSorted(
  streams: readonly Iterable<PackRecord>[],
): Generator<PackRecord, void, undefined> {
  const heap: Cursor[] = [];
  try {
    streams.forEach((stream, order) => {
      const rest = stream[Symbol.iterator]();
      const first = rest.next();
      if (!first.done) heap.push({ record: first.value, order, rest });
    });
    for (let i = (heap.length >>> 1) - 1; i >= 0; i--) siftDown(heap, i);
    while (heap.length > 0) {
      const top = heap[0]!;
      yield top.record;
      const next = top.rest.next();
      if (!next.done) top.record = next.value;
      else {
        const last = heap.pop()!;
        if (heap.length > 0 && last !== top) heap[0] = last;
      }
      siftDown(heap, 0);
    }
  } finally {
    for (const cursor of heap) cursor.rest.return?.();
  }
}

function isBefore(a: Cursor, b: Cursor): boolean {
  const difference = a.record.tileId - b.record.tileId;
  return difference < 0 || (difference === 0 && a.order < b.order);
}

function siftDown(heap: Cursor[], from: number): void {
  for (let i = from; ; ) {
    const left = 2 * i + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const child = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left;
    if (!isBefore(heap[child]!, heap[i]!)) return;
    [heap[i], heap[child]] = [heap[child]!, heap[i]!];
    i = child;
  }
}

// A byte range of a region as reads of its sources: joined reads return the bytes of the pieces in order.

import { expect, test } from 'vitest';
import { madePiece, type Piece } from '../../../shared/region/plan-region.ts';
import { type Read, readsOf } from '../../../shared/region/reads.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const MEBI = 1024 * 1024;

/** A source whose bytes depend on their position. */
const sourceByte = (source: string, at: number) => (at * 31 + source.length * 7) & 0xff;

function bytesOf(reads: readonly Read[]): number[] {
  const bytes: number[] = [];
  for (const read of reads) {
    if (read.source === 'made') bytes.push(...read.bytes());
    else {
      for (const { offset, length } of read.parts) {
        expect(offset + length).toBeLessThanOrEqual(read.length);
        for (let i = 0; i < length; i++) {
          bytes.push(sourceByte(read.source, read.from + offset + i));
        }
      }
    }
  }
  return bytes;
}

function piecesAtRandom(random: () => number): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let from = 0;
  for (let i = 0; i < 40; i++) {
    const length = Math.floor(random() * 30) + 1;
    if (random() < 0.2) {
      const bytes = Uint8Array.from({ length }, () => Math.floor(random() * 256));
      pieces.push({ ...madePiece(`${i}`, bytes), at });
    } else {
      // Mostly forward in small and large steps, sometimes backward.
      from = Math.max(0, from + Math.floor((random() - 0.2) * (random() < 0.3 ? MEBI : 100)));
      pieces.push({ source: random() < 0.5 ? 'chart' : 'query', from, at, length });
      from += length;
    }
    at += length;
  }
  return pieces;
}

test('readsOf returns the bytes of the pieces for any range', () => {
  const random = seededRandom(4);
  for (let i = 0; i < 50; i++) {
    const pieces = piecesAtRandom(random);
    const size = pieces.at(-1)!.at + pieces.at(-1)!.length;
    const all = bytesOf(
      pieces.map((piece) =>
        piece.source === 'made'
          ? piece
          : { ...piece, parts: [{ offset: 0, length: piece.length }] },
      ),
    );
    const start = Math.floor(random() * size);
    const end = start + Math.floor(random() * (size - start + 1));
    expect(bytesOf(readsOf(pieces, start, end)!)).toEqual(all.slice(start, end));
    expect(bytesOf(readsOf(pieces, 0, size)!)).toEqual(all);
  }
});

const scattered = (count: number, apart: number): Piece[] =>
  Array.from({ length: count }, (_, i) => {
    return { source: 'chart', from: i * apart, at: i * 10, length: 10 } as const;
  });

test('readsOf joins nearby pieces and splits long ones', () => {
  expect(readsOf(scattered(100, 1000), 0, 1000)).toHaveLength(1);
  const long = [{ source: 'artwork', from: 0, at: 0, length: 10 * MEBI } as const];
  const reads = readsOf(long, 0, 10 * MEBI)!;
  expect(reads.map((read) => read.source !== 'made' && read.length)).toEqual([
    4 * MEBI,
    4 * MEBI,
    2 * MEBI,
  ]);
});

test('readsOf allows larger gaps instead of too many reads', () => {
  const pieces = scattered(1000, 300 * 1024);
  expect(readsOf(pieces, 0, 10_000, 1000)).toHaveLength(1000);
  expect(readsOf(pieces, 0, 10_000, 800)!.length).toBeLessThan(100);
  expect(readsOf(scattered(1000, 3 * MEBI), 0, 10_000, 800)).toBeUndefined();
});

// A stretch of a region's file as reads of its sources: pieces that lie near one another in an archive
// are read together, as a request costs more than some bytes that are not used.

import type { Piece } from './plan-region.ts';

/** Bytes to hand on as they are, or a range of a source with the parts of it that are wanted. */
export type Read =
  | { readonly source: 'made'; readonly bytes: Uint8Array }
  | {
      readonly source: Exclude<Piece['source'], 'made'>;
      readonly from: number;
      readonly length: number;
      /** Within the range, in the order of the file. */
      readonly parts: readonly Part[];
    };

interface Part {
  readonly offset: number;
  readonly length: number;
}

const MAX_READ_BYTES = 4 * 1024 * 1024;
/** Of one answer: a platform that counts them allows a thousand. */
const MAX_READS = 800;
/** Ranges this near to one another are read as one. */
const GAPS = [128 * 1024, 512 * 1024, 2 * 1024 * 1024];

/** The reads for bytes [start, end) of the file; undefined where they would be too many. */
export function readsOf(
  pieces: readonly Piece[],
  start: number,
  end: number,
  maxReads = MAX_READS,
): Read[] | undefined {
  const wanted = [...cutPieces(pieces, start, end)];
  for (const gap of GAPS) {
    const reads = gathered(wanted, gap);
    if (reads.length <= maxReads) return reads;
  }
  return undefined;
}

/** Pieces cut to a stretch of the file, none longer than a read. */
function* cutPieces(pieces: readonly Piece[], start: number, end: number): Generator<Piece> {
  for (const piece of pieces) {
    const from = Math.max(start, piece.at);
    const to = Math.min(end, piece.at + piece.length);
    for (let at = from; at < to; at += MAX_READ_BYTES) {
      const length = Math.min(MAX_READ_BYTES, to - at);
      const skipped = at - piece.at;
      yield piece.source === 'made'
        ? { ...piece, at, length, bytes: piece.bytes.subarray(skipped, skipped + length) }
        : { ...piece, at, length, from: piece.from + skipped };
    }
  }
}

type OpenRead = { from: number; length: number; parts: Part[] } & Pick<Read, 'source'>;

function gathered(pieces: Iterable<Piece>, gap: number): Read[] {
  const reads: (Read | OpenRead)[] = [];
  let open: OpenRead | undefined;
  for (const piece of pieces) {
    if (piece.source === 'made') {
      reads.push({ source: 'made', bytes: piece.bytes });
      open = undefined;
      continue;
    }
    const { source, from, length } = piece;
    const offset = from - (open?.from ?? 0);
    const joins =
      open?.source === source &&
      offset >= open.length &&
      offset - open.length <= gap &&
      offset + length <= MAX_READ_BYTES;
    if (joins) {
      open!.length = offset + length;
      open!.parts.push({ offset, length });
    } else {
      open = { source, from, length, parts: [{ offset: 0, length }] };
      reads.push(open);
    }
  }
  return reads as Read[];
}

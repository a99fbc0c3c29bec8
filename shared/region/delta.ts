// Computes the delta between two region files of the same box: ranges to copy from the old file,
// and new bytes. `README.md` describes the format.

import { joinBytes } from '../bytes/join-bytes.ts';
import { utf8Bytes } from '../bytes/utf8.ts';
import type { Content, LaidOutArchive } from './lay-out-archive.ts';
import type { Piece, RegionPart, RegionPlan } from './plan-region.ts';

export const DELTA_MAGIC = 'LLDELTA1';
export const DELTA_PREFIX_BYTES = 12;

/** A range of the old file, or a number of new bytes. */
export type DeltaStep = readonly [oldOffset: number, length: number] | readonly [length: number];

interface DeltaFile {
  readonly id: string;
  readonly bytes: number;
}

export interface DeltaNote {
  /** Without `bytes` if other artwork or styles are in the old file, whose size is then not known. */
  readonly from: Pick<DeltaFile, 'id'> & Partial<DeltaFile>;
  readonly to: DeltaFile;
  /** In the order of the new file. */
  readonly steps: readonly DeltaStep[];
  /**
   * Number of stored tiles that are new or changed, and of tiles in the old file that were removed.
   */
  readonly changed: number;
  readonly removed: number;
}

/** A stored tile that may be the same in both files: same tile id and length. */
export interface Candidate {
  readonly part: RegionPart;
  readonly old: Content;
  readonly now: Content;
}

/** The tiles whose bytes must be compared before the delta can be computed. */
export function candidatesOf(old: RegionPlan, now: RegionPlan): Candidate[] {
  return (['chart', 'query'] as const).flatMap((part) => {
    const before = new Map(contentsOf(old[part]).map((content) => [content.tileId, content]));
    return contentsOf(now[part]).flatMap((content) => {
      const known = before.get(content.tileId);
      return known?.length === content.length ? [{ part, old: known, now: content }] : [];
    });
  });
}

const contentsOf = (part: LaidOutArchive | undefined): readonly Content[] => part?.contents ?? [];

/**
 * @param same the candidates with equal bytes
 * @param hasRest whether the rest of the old file is as planned, not only its tiles
 * @returns the delta, and the pieces of the new file that form its new bytes
 */
export function planDelta(
  old: RegionPlan,
  now: RegionPlan,
  same: readonly Candidate[],
  hasRest: boolean,
): { readonly note: DeltaNote; readonly pieces: readonly Piece[] } {
  const steps: (number[] & { length: 1 | 2 })[] = [];
  const pieces: Piece[] = [];
  const copy = (from: number, length: number) => {
    const last = steps.at(-1);
    if (last?.length === 2 && last[0]! + last[1]! === from) last[1]! += length;
    else steps.push([from, length] as never);
  };
  const insert = (piece: Piece) => {
    const last = steps.at(-1);
    if (last?.length === 1) last[0]! += piece.length;
    else steps.push([piece.length] as never);
    pieces.push(piece);
  };
  const kept = new Map(same.map(({ part, old: { at }, now: { from } }) => [`${part} ${from}`, at]));
  let changed = 0;
  const tilesOf = (part: RegionPart) => {
    const start = part === 'query' ? now.chart.bytes : 0;
    const oldStart = part === 'query' ? old.chart.bytes : 0;
    for (const { from, length, at } of contentsOf(now[part])) {
      const place = kept.get(`${part} ${from}`);
      if (place !== undefined) copy(oldStart + place, length);
      else {
        changed++;
        insert({ source: part, from, length, at: start + at });
      }
    }
  };
  const isTiles = ({ source }: Piece) => source === 'chart' || source === 'query';
  const before = new Map(
    old.pieces.filter((piece) => !isTiles(piece)).map((piece) => [nameOf(piece), piece]),
  );
  for (const piece of now.pieces) {
    if (isTiles(piece)) continue;
    const known = before.get(nameOf(piece));
    if (known !== undefined && (hasRest || isHead(piece)) && isSame(known, piece)) {
      copy(known.at, known.length);
    } else insert(piece);
    if (isHead(piece)) tilesOf(piece.name);
  }
  const count = contentsOf(now.chart).length + contentsOf(now.query).length;
  const countBefore = contentsOf(old.chart).length + contentsOf(old.query).length;
  return {
    note: {
      from: { id: old.note.id, ...(hasRest ? { bytes: old.bytes } : {}) },
      to: { id: now.note.id, bytes: now.bytes },
      steps: steps as unknown as DeltaStep[],
      changed,
      removed: countBefore - (count - changed),
    },
    pieces,
  };
}

const nameOf = (piece: Piece): string => (piece.source === 'made' ? piece.name : piece.source);

const isHead = (piece: Piece): piece is Piece & { readonly name: RegionPart } =>
  piece.source === 'made' && (piece.name === 'chart' || piece.name === 'query');

function isSame(old: Piece, now: Piece): boolean {
  if (old.length !== now.length || old.source !== now.source) return false;
  if (old.source !== 'made' || now.source !== 'made') return true;
  return equalBytes(old.bytes(), now.bytes());
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The head of a delta: everything except the new bytes. */
export function encodeDeltaHead(note: DeltaNote): Uint8Array {
  const text = utf8Bytes(JSON.stringify(note));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, text.length, true);
  return joinBytes([utf8Bytes(DELTA_MAGIC), length, text]);
}

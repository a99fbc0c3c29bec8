// The last steps of the route archive. Each part of merged sheets becomes stored sheets; large ones
// are split. Then the coarse squares of the world are made from summaries of all parts, so that a
// changed cell repeats the first step for few parts only.

import { gzipSync } from 'node:zlib';
import { NEVER_DEEP } from '../../shared/route/depth-code.ts';
import { NO_HAZARDS } from '../../shared/route/hazard-codec.ts';
import { SEA_FLAGS, type SeaSquare, type SeaZoom } from '../../shared/route/sea.ts';
import {
  encodeSheet,
  FINE_SHEET_ZOOM,
  LAST_SHEET_ZOOM,
  MIDDLE_SHEET_ZOOM,
  type PackedSquare,
} from '../../shared/route/sheets.ts';
import { createPackWriter, openPack, type PackRecord, readPack } from '../archive/pack.ts';
import { withHash } from '../archive/tile-bytes.ts';
import { tileIdOf } from '../slice/fragment.ts';
import {
  decodeBundle,
  decodeGround,
  GROUND,
  type Ground,
  MIDDLE_SQUARE_ZOOM,
  packed,
} from './sheet-bundle.ts';
import { type Block, SquareDraft, uniformBlock } from './square-draft.ts';
import { quarterOf } from './square-tree.ts';

/** Larger sheets are split into four, so that a trip does not read much more than it needs. */
const SHEET_BYTES = 512 * 1024;
const DEEPEST = 255;

type AddSheet = (z: number, x: number, y: number, squares: readonly PackedSquare[]) => void;

/** Write a pack of sheets. */
function writeSheets(out: string, write: (add: AddSheet) => void): void {
  const writer = createPackWriter(out);
  try {
    write((z, x, y, squares) => {
      // Squares are already deflated; gzip is only used for its checksum.
      const bytes = gzipSync(encodeSheet(squares), { level: 0 });
      writer.add({ tileId: tileIdOf(z, x, y), bytes: withHash(bytes) });
    });
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.finish();
}

/**
 * The stored sheets of a part. Merged sheets are read several times, because only a few fit in memory.
 * @param part pack of merged sheets
 * @param out path of the pack of stored sheets
 * @param summary path of the pack of what the coarse squares need of the part
 */
export function finishSheets(part: string, out: string, summary: string): void {
  const sheets: FineSheet[] = [];
  let fine: FineBundle[] = [];
  const writer = createPackWriter(summary);
  try {
    for (const [index, { tileId, bytes }] of recordsIn(part)) {
      const bundle = tileId === GROUND_ID ? undefined : decodeBundle(bytes);
      // The bundles of finer squares come before that of their zoom-8 square.
      if (bundle !== undefined && bundle.digest !== '') {
        const { squares } = bundle;
        const [{ x, y }] = squares as [PackedSquare];
        const size = squares.reduce((sum, { deflated }) => sum + deflated.length, 0);
        fine.push({ index, x, y, bytes: size });
        continue;
      }
      writer.add({ tileId, bytes });
      if (bundle === undefined) continue;
      for (const sheet of sheetsOf(bundle.x, bundle.y, fine)) sheets.push(sheet);
      fine = [];
    }
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.finish();
  writeSheets(out, (add) => {
    for (let zoom = FINE_SHEET_ZOOM; zoom <= LAST_SHEET_ZOOM; zoom++) {
      addFine(
        part,
        sheets.filter((sheet) => sheet.z === zoom),
        add,
      );
    }
  });
}

/**
 * The coarse squares of the world and the squares of zoom 8.
 * @param summaries of all parts, in tile order
 * @param out path of the pack of stored sheets
 */
export function finishWorld(summaries: readonly string[], out: string): void {
  writeSheets(out, (add) => {
    const { coarse, middle } = coarseSquares(summaries);
    add(0, 0, 0, coarse);
    const id = ([x, y]: TilePosition) => tileIdOf(MIDDLE_SHEET_ZOOM, x, y);
    for (const [tile, squares] of [...middle].sort(([a], [b]) => id(a) - id(b))) {
      add(MIDDLE_SHEET_ZOOM, ...tile, squares);
    }
  });
}

/** Ocean, land or coast for each zoom-8 tile, before all bundles. */
const GROUND_ID = tileIdOf(0, 0, 0);

function* recordsIn(pack: string): Generator<readonly [index: number, record: PackRecord]> {
  let index = 0;
  for (const record of readPack(openPack(pack))) yield [index++, record];
}

type TilePosition = readonly [x: number, y: number];

interface CoarseSquares {
  readonly coarse: readonly PackedSquare[];
  /** Zoom-8 squares by the zoom-5 tile that contains them. */
  readonly middle: readonly (readonly [TilePosition, readonly PackedSquare[]])[];
}

function coarseSquares(summaries: readonly string[]): CoarseSquares {
  const known = new Map<number, { readonly block: Block; readonly square?: PackedSquare }>();
  let ground: Uint8Array | undefined;
  for (const summary of summaries) {
    for (const [, { tileId, bytes }] of recordsIn(summary)) {
      if (tileId === GROUND_ID) {
        ground = decodeGround(bytes);
        continue;
      }
      const { x, y, block, squares } = decodeBundle(bytes);
      const [square] = squares;
      known.set(y * 256 + x, square === undefined ? { block } : { block, square });
    }
  }
  if (ground === undefined) throw new Error('The route archive has no ground.');
  const { background, unknownDepth } = SEA_FLAGS;
  const uniform = {
    [GROUND.ocean]: uniformBlock(DEEPEST, background),
    [GROUND.land]: uniformBlock(NEVER_DEEP, 0),
    [GROUND.coast]: uniformBlock(DEEPEST, background | unknownDepth),
  } as const;
  const middle: [TilePosition, PackedSquare[]][] = [];
  const zoom5Squares: SeaSquare[] = [];
  const cells = tilesOfZoom(3);
  const zoom2Squares = tilesOfZoom(2).map(([x, y]) => {
    const square2 = emptyDraft(2, x, y);
    for (const [i, j] of cells) {
      const [x5, y5] = [8 * x + i, 8 * y + j];
      const sheets = cells.map(([column, row]) => (8 * y5 + row) * 256 + 8 * x5 + column);
      const first = ground[sheets[0]!] as Ground;
      // In most of the world, one cell of the zoom-2 square is sufficient for all sheets.
      if (sheets.every((at) => ground[at] === first && !known.has(at))) {
        square2.put(uniform[first], i, j);
        continue;
      }
      const square5 = emptyDraft(5, x5, y5);
      const below: PackedSquare[] = [];
      for (const [n, [column, row]] of cells.entries()) {
        const at = sheets[n]!;
        const found = known.get(at);
        square5.put(found?.block ?? uniform[ground[at] as Ground], column, row);
        if (found?.square === undefined) continue;
        square5.hasFiner[8 * row + column] = 1;
        below.push(found.square);
      }
      const block = square5.block();
      square2.put(block, i, j);
      if (below.length === 0 && square5.isUniformAs(block)) continue;
      square2.hasFiner[8 * j + i] = 1;
      zoom5Squares.push(square5.finish(NO_HAZARDS));
      if (below.length > 0) middle.push([[square5.x, square5.y], below]);
    }
    return square2.finish(NO_HAZARDS);
  });
  return { coarse: [...zoom2Squares, ...zoom5Squares].map(packed), middle };
}

/** All tiles of a zoom, as columns and rows. */
function tilesOfZoom(zoom: number): TilePosition[] {
  const side = 2 ** zoom;
  return Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)] as const);
}

function emptyDraft(zoom: SeaZoom, x: number, y: number): SquareDraft {
  const nothing = { clearance: undefined, flags: undefined, bearing: undefined };
  return new SquareDraft(zoom, x, y, { width: 1, depth: new Uint8Array(1), ...nothing });
}

/** A bundle: the finer squares inside one zoom-11 square. */
interface FineBundle {
  /** Index of the record in the part. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly bytes: number;
}

interface FineSheet {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly bundles: readonly FineBundle[];
}

/** Divides the finer squares of a zoom-8 tile into stored sheets, in the order of their tiles. */
function sheetsOf(x: number, y: number, fine: readonly FineBundle[]): readonly FineSheet[] {
  const split = (
    z: number,
    column: number,
    row: number,
    within: readonly FineBundle[],
  ): readonly FineSheet[] => {
    const bytes = within.reduce((sum, bundle) => sum + bundle.bytes, 0);
    if (within.length === 0) return [];
    if (bytes <= SHEET_BYTES || z === LAST_SHEET_ZOOM) {
      return [{ z, x: column, y: row, bundles: within }];
    }
    return tilesOfZoom(1).flatMap(([i, j]) => {
      const [childX, childY] = [2 * column + i, 2 * row + j];
      const up = MIDDLE_SQUARE_ZOOM - z - 1;
      const isIn = (bundle: FineBundle) => bundle.x >> up === childX && bundle.y >> up === childY;
      return split(z + 1, childX, childY, within.filter(isIn));
    });
  };
  return [...split(FINE_SHEET_ZOOM, x, y, fine)].sort(
    (a, b) => tileIdOf(a.z, a.x, a.y) - tileIdOf(b.z, b.x, b.y),
  );
}

/**
 * Reads the bundles of `sheets` and calls `add` for each sheet. The bundles and the sheets are in tile
 * order. The squares of a sheet are sorted by quarter.
 */
function addFine(part: string, sheets: readonly FineSheet[], add: AddSheet): void {
  const indexes = new Set(sheets.flatMap(({ bundles }) => bundles.map(({ index }) => index)));
  const records = recordsIn(part);
  for (const sheet of sheets) {
    const found = new Map<number, readonly PackedSquare[]>();
    while (found.size < sheet.bundles.length) {
      const { value } = records.next();
      if (value === undefined)
        throw new Error('The merged sheets have fewer bundles than when they were first read.');
      const [index, { bytes }] = value;
      if (indexes.has(index)) found.set(index, decodeBundle(bytes).squares);
    }
    const quarter = ({ x, y }: FineBundle) => quarterOf(MIDDLE_SQUARE_ZOOM, x, y);
    const inQuarters = [...sheet.bundles].sort((a, b) => quarter(a) - quarter(b));
    add(
      sheet.z,
      sheet.x,
      sheet.y,
      inQuarters.flatMap(({ index }) => found.get(index)!),
    );
  }
}

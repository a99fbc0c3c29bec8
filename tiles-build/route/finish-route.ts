// The last step of the route archive: makes the coarse squares of the world from all sheets, and
// the stored sheets, split where charts are dense. Reads the sheets several times and holds few of
// them.

import { gunzipSync, gzipSync } from 'node:zlib';
import { NEVER_DEEP } from '../../shared/route/depth-code.ts';
import { NO_HAZARDS } from '../../shared/route/hazard-codec.ts';
import { SEA_FLAGS, type SeaZoom } from '../../shared/route/sea.ts';
import {
  encodeSheet,
  FINE_SHEET_ZOOM,
  LAST_SHEET_ZOOM,
  MIDDLE_SHEET_ZOOM,
  type PackedSquare,
} from '../../shared/route/sheets.ts';
import type { EncodableSquare } from '../../shared/route/square-codec.ts';
import { createPackWriter, openPack, readPack } from '../archive/pack.ts';
import { splitHash, withHash } from '../archive/tile-bytes.ts';
import { tileIdOf } from '../slice/fragment.ts';
import {
  type Bundle,
  decodeBundle,
  decodeGround,
  GROUND,
  type Ground,
  MIDDLE_SQUARE_ZOOM,
  middleOf,
  packed,
} from './sheet-bundle.ts';
import { type Block, evenBlock, SquareDraft } from './square-draft.ts';
import { quarterOf } from './square-tree.ts';

/** Larger sheets are split into four: a trip should not read much more than it needs. */
const SHEET_BYTES = 512 * 1024;
const DEEPEST = 255;

/** @param parts packs of merged sheets in tile order @param out path of the finished pack */
export function finishRoute(parts: readonly string[], out: string): void {
  const writer = createPackWriter(out);
  const add = (z: number, x: number, y: number, squares: readonly PackedSquare[]): void => {
    // Squares are already deflated; gzip is only used for its checksum.
    const bytes = gzipSync(encodeSheet(squares), { level: 0 });
    writer.add({ tileId: tileIdOf(z, x, y), bytes: withHash(bytes) });
  };
  try {
    const { coarse, middle, charted } = coarseSquares(parts);
    add(0, 0, 0, coarse);
    const id = ([x, y]: Place) => tileIdOf(MIDDLE_SHEET_ZOOM, x, y);
    for (const [place, squares] of [...middle].sort(([a], [b]) => id(a) - id(b))) {
      add(MIDDLE_SHEET_ZOOM, ...place, squares);
    }
    for (let zoom = FINE_SHEET_ZOOM; zoom <= LAST_SHEET_ZOOM; zoom++) {
      addFine(
        parts,
        charted.filter((sheet) => sheet.z === zoom),
        add,
      );
    }
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.finish();
}

/** The first record of the first part is the ground. All others are bundles. */
function groundOf(parts: readonly string[]): Uint8Array {
  for (const part of parts) {
    for (const { bytes } of readPack(openPack(part))) return decodeGround(unzipped(bytes));
  }
  throw new Error('The route archive has nothing in it.');
}

/** @param isWanted gets the index of a bundle; only wanted bundles are unzipped */
function* bundlesIn(
  parts: readonly string[],
  isWanted: (place: number) => boolean,
): Generator<readonly [place: number, bundle: Bundle], void, undefined> {
  let place = -1;
  for (const part of parts) {
    for (const { bytes } of readPack(openPack(part))) {
      if (place >= 0 && isWanted(place)) yield [place, decodeBundle(unzipped(bytes))];
      place++;
    }
  }
}

const unzipped = (record: Uint8Array): Uint8Array => gunzipSync(splitHash(record).tile);

type Place = readonly [x: number, y: number];

interface CoarseSquares {
  readonly coarse: readonly PackedSquare[];
  /** Zoom-8 squares by the zoom-5 tile that contains them. */
  readonly middle: readonly (readonly [Place, readonly PackedSquare[]])[];
  /** The sheets of finer squares. There are few, because most of the world is background. */
  readonly charted: readonly FineSheet[];
}

function coarseSquares(parts: readonly string[]): CoarseSquares {
  const ground = groundOf(parts);
  const charted: FineSheet[] = [];
  let fine: FineBundle[] = [];
  const known = new Map<number, { readonly block: Block; readonly square?: PackedSquare }>();
  for (const [place, { x, y, block, squares }] of bundlesIn(parts, () => true)) {
    const [square] = squares;
    if (block === undefined) {
      const bytes = squares.reduce((sum, { deflated }) => sum + deflated.length, 0);
      fine.push({ place, ...middleOf(square!), bytes });
      continue;
    }
    // A sheet's own square comes after all its finer squares.
    for (const sheet of sheetsOf(x, y, fine)) charted.push(sheet);
    fine = [];
    known.set(y * 256 + x, square === undefined ? { block } : { block, square });
  }
  const { background, unknownDepth } = SEA_FLAGS;
  const even = {
    [GROUND.ocean]: evenBlock(DEEPEST, background),
    [GROUND.land]: evenBlock(NEVER_DEEP, 0),
    [GROUND.coast]: evenBlock(DEEPEST, background | unknownDepth),
  } as const;
  const middle: [Place, PackedSquare[]][] = [];
  const fives: EncodableSquare[] = [];
  const cells = quartered(3);
  const twos = quartered(2).map(([x, y]) => {
    const two = emptyDraft(2, x, y);
    for (const [i, j] of cells) {
      const [fiveX, fiveY] = [8 * x + i, 8 * y + j];
      const sheets = cells.map(([column, row]) => (8 * fiveY + row) * 256 + 8 * fiveX + column);
      const first = ground[sheets[0]!] as Ground;
      // True for most of the world: coarser cells are sufficient, without a test of each sheet.
      if (sheets.every((at) => ground[at] === first && !known.has(at))) {
        two.put(even[first], i, j);
        continue;
      }
      const five = emptyDraft(5, fiveX, fiveY);
      const below: PackedSquare[] = [];
      for (const [n, [column, row]] of cells.entries()) {
        const at = sheets[n]!;
        const found = known.get(at);
        five.put(found?.block ?? even[ground[at] as Ground], column, row);
        if (found?.square === undefined) continue;
        five.hasFiner[8 * row + column] = 1;
        below.push(found.square);
      }
      const block = five.block();
      two.put(block, i, j);
      if (below.length === 0 && five.saysNoMoreThan(block)) continue;
      two.hasFiner[8 * j + i] = 1;
      fives.push(five.finish(NO_HAZARDS));
      if (below.length > 0) middle.push([[five.x, five.y], below]);
    }
    return two.finish(NO_HAZARDS);
  });
  return { coarse: [...twos, ...fives].map(packed), middle, charted };
}

/** All tiles of a zoom, as columns and rows. */
function quartered(zoom: number): Place[] {
  const side = 2 ** zoom;
  return Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)] as const);
}

function emptyDraft(zoom: SeaZoom, x: number, y: number): SquareDraft {
  const nothing = { clearance: undefined, flags: undefined, bearing: undefined };
  return new SquareDraft(zoom, x, y, { width: 1, depth: new Uint8Array(1), ...nothing });
}

/** The finer squares below one of zoom 11: their place and their size. */
interface FineBundle {
  /** Index among all bundles. */
  readonly place: number;
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

/** Groups the finer squares of a sheet into sheets, in the order of their tiles at each zoom. */
function sheetsOf(x: number, y: number, fine: readonly FineBundle[]): readonly FineSheet[] {
  const parted = (
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
    return quartered(1).flatMap(([i, j]) => {
      const [childX, childY] = [2 * column + i, 2 * row + j];
      const up = MIDDLE_SQUARE_ZOOM - z - 1;
      const isIn = (bundle: FineBundle) => bundle.x >> up === childX && bundle.y >> up === childY;
      return parted(z + 1, childX, childY, within.filter(isIn));
    });
  };
  return [...parted(FINE_SHEET_ZOOM, x, y, fine)].sort(
    (a, b) => tileIdOf(a.z, a.x, a.y) - tileIdOf(b.z, b.x, b.y),
  );
}

/**
 * Reads the bundles of some sheets. Both are in tile order. Passes on each complete sheet, with its
 * squares by quarters in the order in which they were painted.
 */
function addFine(
  parts: readonly string[],
  sheets: readonly FineSheet[],
  add: (z: number, x: number, y: number, squares: readonly PackedSquare[]) => void,
): void {
  const places = new Set(sheets.flatMap(({ bundles }) => bundles.map(({ place }) => place)));
  const bundles = bundlesIn(parts, (place) => places.has(place));
  for (const sheet of sheets) {
    const found = new Map<number, readonly PackedSquare[]>();
    while (found.size < sheet.bundles.length) {
      const { value } = bundles.next();
      if (value === undefined) throw new Error('The route archive lost squares.');
      found.set(value[0], value[1].squares);
    }
    const quarter = ({ x, y }: FineBundle) => quarterOf(MIDDLE_SQUARE_ZOOM, x, y);
    const inQuarters = [...sheet.bundles].sort((a, b) => quarter(a) - quarter(b));
    add(
      sheet.z,
      sheet.x,
      sheet.y,
      inQuarters.flatMap(({ place }) => found.get(place)!),
    );
  }
}

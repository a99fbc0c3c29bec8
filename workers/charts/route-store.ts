// Squares of the sea out of the route archive of the current build: sheets by range request, squares
// out of sheets, both kept while there is room.

import { PMTiles } from 'pmtiles';
import type { Manifest } from '../../shared/chart/manifest.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import type { Sea, SeaSquare, SquareId } from '../../shared/route/sea.ts';
import {
  decodeSheet,
  type PackedSquare,
  ROUTE_TILESET,
  sheetsFor,
} from '../../shared/route/sheets.ts';
import { decodeSquare, isDamaged } from '../../shared/route/square-codec.ts';
import type { Env } from '../env.ts';
import type { RequestCost } from '../http/request-cost.ts';
import { BrokenArchive } from './archive-source.ts';
import { gunzip, inflate } from './gzip.ts';
import { type OpenArchive, withArchive } from './tile-store.ts';
import { WeightedMemory } from './weighted-memory.ts';

const SHEET_MEMORY_BYTES = 16 * 1024 * 1024;
const SQUARE_MEMORY_BYTES = 24 * 1024 * 1024;

type Sheet = ReadonlyMap<string, PackedSquare>;

/** Caches named as such: sheets and squares by archive key, which holds the build id. */
const sheets = new WeightedMemory<Sheet>(SHEET_MEMORY_BYTES);
const squares = new WeightedMemory<SeaSquare>(SQUARE_MEMORY_BYTES);

/** The sea as one search sees it: what it once asked for stays. */
export interface OpenSea extends Sea {
  /** @throws ApiError 503 where the archive cannot be read, is damaged or lacks one of them */
  read(wanted: readonly SquareId[]): Promise<void>;
  /** What the squares take of the memory. */
  readonly bytes: number;
}

export function openSea(env: Env, manifest: Manifest, cost: RequestCost): OpenSea {
  const held = new Map<string, SeaSquare>();
  let bytes = 0;
  return {
    square: (z, x, y) => held.get(nameOf({ z, x, y })),
    get bytes() {
      return bytes;
    },
    read: (wanted) =>
      withArchive(env, manifest, ROUTE_TILESET, cost, async (archive) => {
        const reading = new SheetReader(archive);
        const missing = wanted.filter((id) => !held.has(nameOf(id)));
        const found = await Promise.all(missing.map((id) => squareOf(archive.key, id, reading)));
        missing.forEach((id, i) => {
          held.set(nameOf(id), found[i]!);
          bytes += weightOf(found[i]!);
        });
      }),
  };
}

const nameOf = ({ z, x, y }: TileId): string => `${z}/${x}/${y}`;

async function squareOf(key: string, id: SquareId, reading: SheetReader): Promise<SeaSquare> {
  const name = `${key}@${nameOf(id)}`;
  const known = squares.recall(name);
  if (known !== undefined) return known;
  const packed = await reading.packed(id);
  const square = decodeSquare(await inflate(packed.deflated));
  if (isDamaged(square)) throw new BrokenArchive(`${name}: ${square.damaged}`);
  if (square.zoom !== id.z || square.x !== id.x || square.y !== id.y) {
    throw new BrokenArchive(`${name} is another square`);
  }
  squares.remember(name, square, weightOf(square));
  return square;
}

/** Sheets of an archive during one question: each is read once. */
class SheetReader {
  readonly #archive: OpenArchive;
  readonly #reader: PMTiles;
  readonly #reading = new Map<string, Promise<Sheet | undefined>>();

  constructor(archive: OpenArchive) {
    this.#archive = archive;
    this.#reader = new PMTiles(archive.source, archive.directories, async (bytes) => bytes);
  }

  /** @throws BrokenArchive where no sheet holds the square */
  async packed(id: SquareId): Promise<PackedSquare> {
    for (const tile of sheetsFor(id)) {
      const sheet = await this.#sheet(tile);
      if (sheet === undefined) continue;
      const packed = sheet.get(nameOf(id));
      if (packed !== undefined) return packed;
      break;
    }
    throw new BrokenArchive(`${this.#archive.key}: ${nameOf(id)} is missing`);
  }

  #sheet(tile: TileId): Promise<Sheet | undefined> {
    const name = nameOf(tile);
    const reading = this.#reading.get(name) ?? this.#read(tile);
    this.#reading.set(name, reading);
    return reading;
  }

  async #read({ z, x, y }: TileId): Promise<Sheet | undefined> {
    const name = `${this.#archive.key}@${z}/${x}/${y}`;
    const known = sheets.recall(name);
    if (known !== undefined) return known;
    const stored = await this.#reader.getZxy(z, x, y);
    if (stored === undefined) return undefined;
    const bytes = await gunzip(stored.data);
    const sheet = new Map(decodeSheet(bytes).map((one) => [nameOf(one), one]));
    sheets.remember(name, sheet, bytes.length);
    return sheet;
  }
}

/** Bytes of a square's arrays. */
function weightOf({
  leastDepth,
  mostDepth,
  clearance,
  flags,
  laneBearing,
  hazards,
}: SeaSquare): number {
  const { ends, kind, depth, radius, feature } = hazards;
  const planes = [leastDepth, mostDepth === leastDepth ? undefined : mostDepth, clearance, flags];
  const lists = [ends, kind, depth, hazards.clearance, radius, feature];
  return [...planes, laneBearing, ...lists].reduce((sum, one) => sum + (one?.byteLength ?? 0), 0);
}

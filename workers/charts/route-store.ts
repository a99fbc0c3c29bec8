// The sea of the current build, as far as it has been fetched: squares out of the sheets of the route
// archive. What is missing or damaged is 503; it is never water.

import type { Entry } from 'pmtiles';
import type { Manifest } from '../../shared/chart/manifest.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import type { Sea, SeaSquare, SeaZoom, SquareId } from '../../shared/route/sea.ts';
import { decodeSheet, ROUTE_TILESET, sheetsFor } from '../../shared/route/sheets.ts';
import { decodeSquare, isDamaged } from '../../shared/route/square-codec.ts';
import type { Env } from '../runtime/env.ts';
import { gunzip, inflate } from '../runtime/gzip.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { Directory, readEntries } from './archive-entries.ts';
import { BrokenArchive } from './archive-source.ts';
import { type OpenArchive, withArchive } from './tile-store.ts';

/** A sheet's squares, deflated, by name. */
type Sheet = ReadonlyMap<string, Uint8Array>;

/** Caches named as such; keys hold the build id. A trip of 100 km takes a few megabytes of each. */
const sheets = boundedCache<Sheet>('routeSheets');
const squares = boundedCache<SeaSquare>('routeSquares');

const nameOf = ({ z, x, y }: TileId): string => `${z}/${x}/${y}`;

/**
 * The sea as one request reads it, and the one owner of what it has read: a square that was fetched
 * stays until the request ends, whatever the isolate has to forget.
 */
export class RouteStore implements Sea {
  readonly #env: Env;
  readonly #manifest: Manifest;
  readonly #cost: RequestCost;
  readonly #held = new Map<string, SeaSquare>();

  constructor(env: Env, manifest: Manifest, cost: RequestCost) {
    this.#env = env;
    this.#manifest = manifest;
    this.#cost = cost;
  }

  square(zoom: SeaZoom, x: number, y: number): SeaSquare | undefined {
    return this.#held.get(nameOf({ z: zoom, x, y }));
  }

  /**
   * Fetch squares that are said to exist; from then on `square` has them.
   * @returns bytes of memory that these squares take
   * @throws ApiError 503 where the archive cannot be read, is damaged, or lacks one of them
   */
  async fetchSquares(ids: readonly SquareId[]): Promise<number> {
    return await withArchive(
      this.#env,
      this.#manifest,
      ROUTE_TILESET,
      this.#cost,
      async (archive) => {
        let bytes = 0;
        const hold = (name: string, square: SeaSquare) => {
          this.#held.set(name, square);
          bytes += bytesOf(square);
        };
        const missing: SquareId[] = [];
        for (const id of ids) {
          const known = squares.get(this.#keyOf(nameOf(id)));
          if (known === undefined) missing.push(id);
          else hold(nameOf(id), known);
        }
        for (const [id, sheetKey, sheet] of await sheetsOf(archive, missing)) {
          const name = nameOf(id);
          const square = await unpacked(id, sheet.get(name)).catch((error) => {
            sheets.delete(sheetKey);
            throw error;
          });
          squares.set(this.#keyOf(name), square, { size: bytesOf(square) });
          hold(name, square);
        }
        return bytes;
      },
    );
  }

  #keyOf(name: string): string {
    return `${this.#manifest.buildId}/${name}`;
  }
}

/** The sheet of each square, and its key; sheets that are not known are read together. */
async function sheetsOf(
  archive: OpenArchive,
  ids: readonly SquareId[],
): Promise<(readonly [SquareId, string, Sheet])[]> {
  if (ids.length === 0) return [];
  const header = await archive.directories.getHeader(archive.source);
  const directory = new Directory(archive, header);
  const entries: Entry[] = [];
  for (const id of ids) entries.push(await entryOf(directory, id));
  const keyOf = (offset: number) => `${archive.key}@${offset}`;
  const found = new Map<number, Sheet>();
  const missing = new Map<number, Entry>();
  for (const entry of entries) {
    const known = sheets.get(keyOf(entry.offset));
    if (known === undefined) missing.set(entry.offset, entry);
    else found.set(entry.offset, known);
  }
  for (const [offset, stored] of await readEntries(archive, header, missing.values())) {
    const bytes = await gunzip(stored);
    const sheet = new Map(decodeSheet(bytes).map((one) => [nameOf(one), one.deflated]));
    sheets.set(keyOf(offset), sheet, { size: bytes.length });
    found.set(offset, sheet);
  }
  return ids.map((id, i) => [id, keyOf(entries[i]!.offset), found.get(entries[i]!.offset)!]);
}

/** @throws BrokenArchive where no sheet can hold the square */
async function entryOf(directory: Directory, id: SquareId): Promise<Entry> {
  for (const tile of sheetsFor(id)) {
    const looked = directory.entryOf(tile);
    const entry = looked instanceof Promise ? await looked : looked;
    if (entry !== undefined) return entry;
  }
  throw new BrokenArchive(`no sheet holds square ${nameOf(id)}`);
}

async function unpacked(id: SquareId, deflated: Uint8Array | undefined): Promise<SeaSquare> {
  if (deflated === undefined) throw new BrokenArchive(`square ${nameOf(id)} is not in its sheet`);
  const square = decodeSquare(await inflate(deflated));
  if (isDamaged(square)) throw new BrokenArchive(`square ${nameOf(id)}: ${square.damaged}`);
  if (square.zoom !== id.z || square.x !== id.x || square.y !== id.y) {
    throw new BrokenArchive(`square ${nameOf(id)} is another`);
  }
  return square;
}

/** Bytes of a segment in all columns. */
const SEGMENT_BYTES = 4 * 8 + 1 + 4 * 4;

/** Memory that a square takes. */
function bytesOf({ leastDepth, mostDepth, clearance, flags, laneBearing, hazards }: SeaSquare) {
  const planes = new Set([leastDepth, mostDepth, clearance, flags, laneBearing]);
  let bytes = 1000 + hazards.count * SEGMENT_BYTES + hazards.features.length * 150;
  for (const plane of planes) bytes += plane?.byteLength ?? 0;
  return bytes;
}

// The sea of the current build, as far as it has been read: squares from the sheets of the route
// archive. A missing or damaged square results in 503; it is never treated as water.

import type { Manifest } from '../../../shared/chart/manifest.ts';
import { bytesOfTable, compactSquare } from '../../../shared/route/cell-table.ts';
import type { CompactSquare, Sea, SeaZoom, SquareId } from '../../../shared/route/sea.ts';
import { ROUTE_TILESET } from '../../../shared/route/sheets.ts';
import { decodeSquare, isDamaged } from '../../../shared/route/square-codec.ts';
import type { Position } from '../../../shared/route/trip.ts';
import type { Env } from '../runtime/env.ts';
import { inflate } from '../runtime/gzip.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { nextTurn } from '../runtime/yield-to-event-loop.ts';
import { BrokenArchive } from './part-heads.ts';
import { nameOf, RouteSheets } from './route-sheets.ts';
import { withArchive } from './tile-store.ts';

/** Cache; keys contain the build id. A trip of 100 km needs a few megabytes. */
const squares = boundedCache<CompactSquare>('routeSquares');

/** Squares that are decoded between two turns: some milliseconds. */
const DECODED_AT_ONCE = 4;

/**
 * The sea as read by one request. It keeps each square that it has read until the request ends,
 * even if the isolate evicts the square.
 */
export class RouteStore implements Sea {
  readonly #env: Env;
  readonly #manifest: Manifest;
  readonly #cost: RequestCost;
  readonly #held = new Map<string, CompactSquare>();
  readonly #sheets = new RouteSheets();

  constructor(env: Env, manifest: Manifest, cost: RequestCost) {
    this.#env = env;
    this.#manifest = manifest;
    this.#cost = cost;
  }

  square(zoom: SeaZoom, x: number, y: number): CompactSquare | undefined {
    return this.#held.get(nameOf({ z: zoom, x, y }));
  }

  /**
   * Reads the squares that a trip probably needs together, before the search, because each later
   * read waits for storage. The search reads other squares when it needs them.
   * @throws ApiError 503 if the archive is unreadable or damaged
   */
  readAhead(waypoints: readonly Position[]): Promise<void> {
    return withArchive(this.#env, this.#manifest, ROUTE_TILESET, this.#cost, (archive) =>
      this.#sheets.readAlong(archive, waypoints),
    );
  }

  /**
   * Reads squares that exist according to the index; afterwards `square` returns them.
   * @returns memory of these squares in bytes
   * @throws ApiError 503 if the archive is unreadable, damaged, or lacks one of them
   */
  async fetchSquares(ids: readonly SquareId[]): Promise<number> {
    return await withArchive(
      this.#env,
      this.#manifest,
      ROUTE_TILESET,
      this.#cost,
      async (archive) => {
        let bytes = 0;
        const hold = (name: string, square: CompactSquare) => {
          this.#held.set(name, square);
          bytes += bytesOf(square);
        };
        const missing: SquareId[] = [];
        for (const id of ids) {
          const known = squares.get(this.#keyOf(nameOf(id)));
          if (known === undefined) missing.push(id);
          else hold(nameOf(id), known);
        }
        const found = await this.#sheets.find(archive, missing);
        for (const [i, { id, offset, deflated }] of found.entries()) {
          if (i % DECODED_AT_ONCE === DECODED_AT_ONCE - 1) await nextTurn();
          const name = nameOf(id);
          let square: CompactSquare;
          try {
            square = unpacked(id, deflated);
          } catch (error) {
            this.#sheets.forget(archive, offset);
            throw error;
          }
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

function unpacked(id: SquareId, deflated: Uint8Array | undefined): CompactSquare {
  if (deflated === undefined) throw new BrokenArchive(`square ${nameOf(id)} is not in its sheet`);
  const square = decodeSquare(inflate(deflated));
  if (isDamaged(square)) throw new BrokenArchive(`square ${nameOf(id)}: ${square.damaged}`);
  if (square.zoom !== id.z || square.x !== id.x || square.y !== id.y) {
    throw new BrokenArchive(`square ${nameOf(id)} has a different address`);
  }
  return compactSquare(square);
}

/** Bytes of a segment in all columns, and in the grid of `hazard-grid.ts`. */
const SEGMENT_BYTES = 4 * 8 + 1 + 4 * 4 + 5 * 8 + 4;
const FEATURE_BYTES = 150;

/** Memory of a square in bytes. */
function bytesOf({ cells, laneBearing, hazards, notices = [] }: CompactSquare): number {
  const features = hazards.features.length + notices.length;
  const edges = hazards.count * SEGMENT_BYTES + features * FEATURE_BYTES;
  return 2000 + bytesOfTable(cells) + (laneBearing?.byteLength ?? 0) + edges;
}

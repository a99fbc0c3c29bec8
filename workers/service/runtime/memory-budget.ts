// The memory budget of an isolate: 128 MB in total (the platform's limit). Caches are bounded so
// that they and the runtime leave memory for work. If work needs more, caches are cleared, the
// fullest first.

import { LRUCache } from 'lru-cache';
import { isUnexpired } from './periods.ts';

const MEBI = 2 ** 20;

/** The platform terminates an isolate that uses more. */
export const ISOLATE_BYTES = 128 * MEBI;

/** The engine, code, artwork, glyphs, style and manifest, and 6 MiB for the raster canvas. */
export const RUNTIME_BYTES = 47 * MEBI;

/** Maximum size of each cache in bytes. */
export const CACHE_BYTES = {
  /** `tiles/send-tile.ts`: response bodies of tiles. */
  tiles: 9 * MEBI,
  /** `charts/catalog.ts`: manifests of accounts with charts of their own. */
  chartSets: 4 * MEBI,
  /** `charts/query-buckets.ts`: features by place. */
  queryBuckets: 7 * MEBI,
  /** `charts/name-store.ts`: pages of names. */
  namePages: 2 * MEBI,
  /** `charts/query-store.ts`: decoded large shapes with their texts and simplified copies. */
  largeShapes: 5 * MEBI,
  /** `raster/render-tile.ts`: prepared features of tiles, and the results of symbol collision. */
  rasterBlocks: 9 * MEBI,
  /** `charts/route-sheets.ts`, `charts/route-store.ts`: compressed sheets and decoded squares. */
  routeSheets: 4 * MEBI,
  routeSquares: 8 * MEBI,
  /** `charts/part-heads.ts`: compressed and decompressed directories of archives. */
  directories: 6 * MEBI,
  /** `regions/choose-region.ts`: contents of region files except tiles and styles. */
  regionPlans: 3 * MEBI,
  /** `styles/style-documents.ts`, `styles/saved-styles.ts`. */
  styleDocuments: 3 * MEBI,
  savedStyles: 3 * MEBI,
  /** `identity/token.ts`, `identity/opaque-token.ts`: claims of verified tokens. */
  tokens: 2 * MEBI,
} as const;

/** Maximum memory of each kind of work in bytes. */
export const WORK_BYTES = {
  /** Compressed and decoded squares of the sea, and the nodes of the search. */
  route: 76 * MEBI,
  /** `contract/bathymetry.ts`: the columns, the chunk being parsed, and the SQL statement. */
  upload: 16 * MEBI,
  /** Two reads of the archive and the artwork; four reads for a delta. */
  region: 24 * MEBI,
  /** The source tiles of all raster tiles being drawn. */
  rasterTiles: 56 * MEBI,
} as const;

interface CacheOptions<V extends object> {
  /** Bytes of an entry. If absent, each `set` must pass its size. */
  readonly sizeOf?: (value: V) => number;
  /** Maximum size of one entry as a fraction of the cache; larger entries are not kept. */
  readonly mostOfOne?: number;
  /** Fraction of the budget for this cache if several caches share it. */
  readonly share?: number;
}

/** An LRU cache within its budget, which is cleared if work needs the memory. */
export function boundedCache<V extends object>(
  name: keyof typeof CACHE_BYTES,
  { sizeOf, mostOfOne = 0.5, share = 1 }: CacheOptions<V> = {},
): LRUCache<string, V> {
  const maxSize = Math.floor(CACHE_BYTES[name] * share);
  const cache = new LRUCache<string, V>({
    maxSize,
    maxEntrySize: Math.ceil(maxSize * mostOfOne),
    ...(sizeOf === undefined ? {} : { sizeCalculation: (value: V) => Math.ceil(sizeOf(value)) }),
  });
  registerCache({ held: () => cache.calculatedSize, clear: () => cache.clear() });
  return cache;
}

interface Cache {
  /** Size in bytes. */
  readonly held: () => number;
  readonly clear: () => void;
}

/** Cache: the caches of this isolate that can be cleared. */
const caches: Cache[] = [];
/** Cache: work in progress. */
const reservations = new Set<MemoryReservation>();
/**
 * A reservation that has not grown for this long is abandoned: the platform cancelled its request.
 */
const LEASE_MS = 120_000;

/** @param cache whose entries can be created again */
function registerCache(cache: Cache): void {
  caches.push(cache);
}

/**
 * Memory for a piece of work. Caches are cleared if necessary. A reservation never fails: callers
 * limit how much work runs at once (`work-queue.ts`).
 */
export class MemoryReservation {
  #bytes = 0;
  #until = 0;

  /** @param bytes total size of the reservation; a smaller size than before is ignored */
  grow(bytes: number): void {
    this.#until = Date.now() + LEASE_MS;
    if (bytes <= this.#bytes) return;
    this.#bytes = bytes;
    reservations.add(this);
    const inWork = MemoryReservation.#reservedBytes();
    const fullestFirst = [...caches].sort((a, b) => b.held() - a.held());
    for (const cache of fullestFirst) {
      if (RUNTIME_BYTES + cachedBytes() + inWork <= ISOLATE_BYTES) return;
      cache.clear();
    }
  }

  release(): void {
    this.#bytes = 0;
    reservations.delete(this);
  }

  /** Bytes reserved by all work in progress. */
  static #reservedBytes(): number {
    const nowMs = Date.now();
    let bytes = 0;
    for (const reservation of reservations) {
      if (!isUnexpired(nowMs, reservation.#until, LEASE_MS)) reservations.delete(reservation);
      else bytes += reservation.#bytes;
    }
    return bytes;
  }
}

/** Total size of all caches in bytes. */
export const cachedBytes = (): number => caches.reduce((sum, cache) => sum + cache.held(), 0);

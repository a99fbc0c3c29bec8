// What an isolate's memory is for: 128 MB for everything (the platform's limit), in one place. Caches
// are bounded so that together with the runtime they leave room to work, and where a piece of work needs
// more than that they give way, the fullest first.

import { LRUCache } from 'lru-cache';
import { isUnexpired } from './periods.ts';

const MEBI = 2 ** 20;

/** The platform ends an isolate that holds more. */
export const ISOLATE_BYTES = 128 * MEBI;

/** The engine, the code, and what is made once: artwork, glyphs, style, manifest; 6 MiB for the raster's canvas. */
export const RUNTIME_BYTES = 35 * MEBI;

/** What is kept between requests, at most, in bytes. Every cache that can grow has its bound here. */
export const CACHE_BYTES = {
  /** `tiles/send-tile.ts`: tiles as they are sent. */
  tiles: 10 * MEBI,
  /** `charts/query-buckets.ts`: features by place. */
  queryBuckets: 10 * MEBI,
  /** `charts/name-store.ts`: pages of names. */
  namePages: 2 * MEBI,
  /** `charts/query-store.ts`: large shapes, decoded, with their texts and simplified twins. */
  largeShapes: 6 * MEBI,
  /** `raster/render-tile.ts`: what is drawn of a tile, prepared, and which marks are shown. */
  rasterBlocks: 11 * MEBI,
  /** `charts/route-sheets.ts`, `charts/route-store.ts`: sheets of squares, packed, and squares, unpacked. */
  routeSheets: 4 * MEBI,
  routeSquares: 10 * MEBI,
  /** `charts/tile-store.ts`, `charts/archive-entries.ts`: directories of archives. */
  directories: 8 * MEBI,
  /** `regions/choose-region.ts`: what files of regions are made of, but for the tiles. */
  regionPlans: 4 * MEBI,
  /** `styles/style-documents.ts`, `styles/saved-styles.ts`. */
  styleDocuments: 4 * MEBI,
  savedStyles: 4 * MEBI,
  /** `identity/token.ts`: claims of tokens that were verified. */
  tokens: 4 * MEBI,
} as const;

/** What a piece of work holds while it lasts, at most, in bytes. */
export const WORK_BYTES = {
  /** Squares of the sea, packed and unpacked, and the steps of the search. */
  route: 76 * MEBI,
  /** `contract/bathymetry.ts`: the columns and what is being parsed, and the statement made of them. */
  upload: 16 * MEBI,
  /** Two reads of the archive, and the artwork; of a delta four reads. */
  region: 24 * MEBI,
  /** The tiles around all pictures that are being drawn: as stored, decoded one after the other, prepared. */
  rasterTiles: 66 * MEBI,
} as const;

interface CacheOptions<V extends object> {
  /** Bytes of memory of an entry. Where there is none, they are told with each `set`. */
  readonly sizeOf?: (value: V) => number;
  /** The part of the whole that one entry may have; what is larger is not kept. */
  readonly mostOfOne?: number;
  /** The part of the whole that this cache has, where several share it. */
  readonly share?: number;
}

/** A cache within its bound, which gives way to work. */
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
  /** Bytes that it holds. */
  readonly held: () => number;
  readonly clear: () => void;
}

/** A cache named as one: the caches of this isolate that can give way. */
const caches: Cache[] = [];
/** A cache named as one: work in progress. */
const reservations = new Set<MemoryReservation>();
/** Work that has asked for nothing more for so long is over: the platform gave it up with its request. */
const LEASE_MS = 120_000;

/** What it holds can be made or fetched again. */
function registerCache(cache: Cache): void {
  caches.push(cache);
}

/**
 * MemoryReservation for a piece of work as it grows; caches give way where there is none left. Work is never refused
 * here: it is bounded where it is done, and waits there for other work (`work-queue.ts`).
 */
export class MemoryReservation {
  #bytes = 0;
  #until = 0;

  /** Ask for so many bytes in all. */
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

  /** The work is done. */
  release(): void {
    this.#bytes = 0;
    reservations.delete(this);
  }

  /** Bytes that work in progress has asked for. */
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

/** Bytes of all caches that give way. */
export const cachedBytes = (): number => caches.reduce((sum, cache) => sum + cache.held(), 0);

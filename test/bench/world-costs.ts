// Calculates the cost of the charts of a country or of the world.

/** What one more cell takes. */
export interface PerCell {
  readonly sourceMegabytes: number;
  readonly coreSeconds: number;
  /** In all archives together. */
  readonly archiveMegabytes: number;
}

interface Costs {
  readonly coreHours: number;
  readonly gigabytes: number;
  /** Parts that are sent to a bucket, each a request that writes. */
  readonly uploads: number;
  /** Dollars for a build from nothing: processors and the requests to upload it. */
  readonly build: number;
  /** Dollars a month for keeping what `charts prune` keeps. */
  readonly month: number;
}

/** Dollars, assumed: a shared virtual processor, and object storage without a charge for reading out. */
export const PRICES = { coreHour: 0.05, gigabyteMonth: 0.015, millionWrites: 4.5 } as const;

/** Numbers of cells: NOAA's catalogue of 2025, and what all offices publish together. */
export const FLEETS = [
  { name: 'a country (NOAA)', cells: 7_229 },
  { name: 'the world', cells: 20_000 },
] as const;

const BUILDS_KEPT = 3;
/** `tiles-build/publish/s3-upload.ts`. */
const PART_MEGABYTES = 16.8;

export function worldCosts(each: PerCell, cells: number): Costs {
  const coreHours = (each.coreSeconds * cells) / 3600;
  const gigabytes = (each.archiveMegabytes * cells) / 1000;
  const uploads = Math.ceil((gigabytes * 1000) / PART_MEGABYTES);
  return {
    coreHours,
    gigabytes,
    uploads,
    build: coreHours * PRICES.coreHour + (uploads / 1e6) * PRICES.millionWrites,
    month: BUILDS_KEPT * gigabytes * PRICES.gigabyteMonth,
  };
}

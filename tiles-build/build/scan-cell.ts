// The first look at a cell: is it one, what does it cover, how good is it. Kept in the cache, so
// that an unchanged cell is read once and not again.

import type { Bounds } from '../archive/pmtiles-writer.ts';
import type { Cell, CellChecks, CellHeader, Feature, Problem } from '../read/cell.ts';
import { areaOf, positionsOf } from '../read/geometry.ts';
import { readCell } from '../read/read-cell.ts';
import { digestOf, openBuildCache, readJson, writeJson } from './build-cache.ts';
import { type CellLocation, digestOfFiles, readLocation } from './cell-location.ts';

/** A polygon in degrees: rings of interleaved longitude and latitude, the exterior first. */
export type LonLatPolygon = readonly (readonly number[])[];

export interface CellScan {
  readonly name: string;
  /** Digest of the files' bytes. */
  readonly digest: string;
  readonly cancelled: boolean;
  readonly problems: readonly Problem[];
  /** Absent where there is no cell to use. */
  readonly found?: {
    readonly header: CellHeader;
    readonly checks: CellChecks;
    readonly features: number;
    readonly bounds: Bounds;
    /** M_COVR with CATCOV 1. */
    readonly coverage: readonly LonLatPolygon[];
  };
}

export interface ScanResult {
  readonly scan: CellScan;
  /** Its entry in the cache. */
  readonly key: string;
  /** False where the cache had it. */
  readonly isNew: boolean;
}

/** Scan one cell, or take its scan from the cache. */
export async function scanCell(
  location: CellLocation,
  cacheFolder: string,
  code: string,
): Promise<ScanResult> {
  const files = await readLocation(location);
  const digest = digestOfFiles(files);
  const cache = openBuildCache(cacheFolder);
  const key = digestOf('scan', digest, code);
  const path = cache.path('scans', key);
  if (cache.has('scans', key)) return { scan: readJson(path) as CellScan, key, isNew: false };

  const { cell, cancelled, checks, problems } = readCell(files);
  const common = { name: files.name, digest, cancelled };
  const coverage = cell === undefined ? [] : coverageOf(cell);
  const scan: CellScan =
    cell === undefined || checks === undefined || coverage.length === 0
      ? { ...common, problems: [...problems, ...withoutCoverage(cell, files.name)] }
      : {
          ...common,
          problems,
          found: {
            header: cell.header,
            checks,
            features: cell.features.length,
            bounds: boundsOf(coverage),
            coverage,
          },
        };
  writeJson(path, scan);
  return { scan, key, isNew: true };
}

function withoutCoverage(cell: Cell | undefined, name: string): readonly Problem[] {
  if (cell === undefined) return [];
  const message = `${name} says nowhere what it covers (M_COVR, CATCOV 1), so it cannot be shown`;
  return [{ code: 'no-coverage', message, severity: 'error' }];
}

function coverageOf(cell: Cell): readonly LonLatPolygon[] {
  return cell.features
    .filter(claimsCoverage)
    .flatMap((feature) => areaOf(cell, feature))
    .map((polygon) => polygon.map((ring) => Array.from(positionsOf(ring.uses))))
    .filter((polygon) => (polygon[0]?.length ?? 0) >= 6);
}

/** CATCOV 1: coverage available (S-57 Appendix A, attribute 18). */
function claimsCoverage(feature: Feature): boolean {
  return feature.acronym === 'M_COVR' && feature.attributes['CATCOV'] === 1;
}

function boundsOf(polygons: readonly LonLatPolygon[]): Bounds {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const ring of polygons.flat()) {
    for (let i = 0; i < ring.length; i += 2) {
      west = Math.min(west, ring[i]!);
      east = Math.max(east, ring[i]!);
      south = Math.min(south, ring[i + 1]!);
      north = Math.max(north, ring[i + 1]!);
    }
  }
  return [west, south, east, north];
}

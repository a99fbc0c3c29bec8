// The first look at a cell: is it one, what does it cover, how good is it. Kept in the cache, so
// that an unchanged cell is read once and not again.

import { type GeoBounds, wrappedBounds } from '../../shared/chart/bounds.ts';
import { MAX_LATITUDE } from '../../shared/geo/mercator.ts';
import type { Cell, CellChecks, CellHeader, Problem } from '../../shared/s57/cell/cell.ts';
import { readCell } from '../../shared/s57/read/read-cell.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { type Coverage, coverageOf, DEGREE } from '../quilt/coverage.ts';
import { bareShare, withoutSkin } from '../quilt/skin-of-coverage.ts';
import { digestOf, openBuildCache, readJson, writeJson } from './build-cache.ts';
import { type CellLocation, digestOfFiles, readLocation } from './cell-location.ts';
import { threadClipper } from './thread-clipper.ts';

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
    readonly bounds: GeoBounds;
    readonly coverage: Coverage;
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
  const clipper = await threadClipper();
  const coverage = cell === undefined ? undefined : withoutSkin(coverageOf(cell), clipper);
  const scan: CellScan =
    cell === undefined || checks === undefined || !coverage?.rings.length || isBeyondMaps(coverage)
      ? { ...common, problems: [...problems, ...withoutPlace(cell, coverage, files.name)] }
      : {
          ...common,
          problems: [...problems, ...bareGround(coverage, clipper)],
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

/** Nearer to a pole than the square of Web Mercator reaches. */
function isBeyondMaps({ box }: Coverage): boolean {
  return box.bottom <= -MAX_LATITUDE * DEGREE || box.top >= MAX_LATITUDE * DEGREE;
}

/** Why a cell that can be read has no place on a map. */
function withoutPlace(
  cell: Cell | undefined,
  coverage: Coverage | undefined,
  name: string,
): readonly Problem[] {
  if (cell === undefined) return [];
  if (coverage !== undefined && coverage.rings.length > 0) {
    const message = `${name} lies nearer to a pole than web maps reach (85.05°), so it cannot be shown`;
    return [{ code: 'beyond-maps', message, severity: 'error' }];
  }
  const message = `${name} says nowhere what it covers (M_COVR, CATCOV 1), so it cannot be shown`;
  return [{ code: 'no-coverage', message, severity: 'error' }];
}

/** Below this share of the coverage a gap in the skin is not worth a word. */
const LEAST_BARE_SHARE = 1e-6;

function bareGround(coverage: Coverage, clipper: Clipper): readonly Problem[] {
  const share = bareShare(coverage, clipper);
  if (share < LEAST_BARE_SHARE) return [];
  const message =
    `${coverage.name} says nothing of ${(share * 100).toFixed(3)} % of the ground it claims to ` +
    'cover (no area of Group 1): other cells show there, where there are any';
  return [{ code: 'coverage-without-skin', message, severity: 'warning' }];
}

/** In degrees; that of a cell across 180° has its west greater than its east. */
function boundsOf({ box }: Coverage): GeoBounds {
  const [west, east] = [box.left / DEGREE, box.right / DEGREE];
  return wrappedBounds([west, -box.bottom / DEGREE, east, -box.top / DEGREE]);
}

// Reads a cell for the first time: its header, coverage and problems. The result is kept in the
// cache, so that an unchanged cell is not read again.

import { type GeoBounds, wrappedBounds } from '../../shared/chart/bounds.ts';
import { MAX_LATITUDE } from '../../shared/geo/mercator.ts';
import type { CellChecks, CellHeader, Problem } from '../../shared/s57/cell/cell.ts';
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
  /** Absent if the cell cannot be used. */
  readonly found?: {
    readonly header: CellHeader;
    readonly checks: CellChecks;
    readonly features: number;
    readonly bounds: GeoBounds;
    readonly coverage: Coverage;
    /** Digest of `coverage`. */
    readonly ground: string;
  };
}

export interface ScanResult {
  readonly scan: CellScan;
  /** Key of the scan in the cache. */
  readonly key: string;
  /** False if the scan was in the cache. */
  readonly isNew: boolean;
  /** Whether all files could be read. Otherwise a later build reads them again. */
  readonly isRead: boolean;
}

/** Scan one cell, or read its scan from the cache. */
export async function scanCell(
  location: CellLocation,
  cacheFolder: string,
  code: string,
  reuse?: string,
): Promise<ScanResult> {
  const files = await readLocation(location);
  const digest = digestOfFiles(files);
  const cache = openBuildCache(cacheFolder, reuse);
  const key = digestOf('scan', digest, code);
  const path = cache.path('scans', key);
  const isRead = [files.base, ...files.updates].every((file) => file?.unreadable === undefined);
  if (cache.has('scans', key)) {
    return { scan: readJson(path) as CellScan, key, isNew: false, isRead };
  }

  const { cell, cancelled, checks, problems } = readCell(files);
  const common = { name: files.name, digest, cancelled };
  const clipper = await threadClipper();
  const coverage = cell === undefined ? undefined : withoutSkin(coverageOf(cell), clipper);
  const noPlace = coverage && placeProblem(coverage, files.name);
  const scan: CellScan =
    cell === undefined || checks === undefined || coverage === undefined || noPlace !== undefined
      ? { ...common, problems: noPlace === undefined ? problems : [...problems, noPlace] }
      : {
          ...common,
          problems: [...problems, ...bareGround(coverage, clipper)],
          found: {
            header: cell.header,
            checks,
            features: cell.features.length,
            bounds: boundsOf(coverage),
            coverage,
            ground: digestOf(JSON.stringify(coverage)),
          },
        };
  writeJson(path, scan);
  return { scan, key, isNew: true, isRead };
}

/** Whether a cell lies entirely beyond the latitudes of Web Mercator. */
function isBeyondMaps({ box }: Coverage): boolean {
  return box.bottom <= -MAX_LATITUDE * DEGREE || box.top >= MAX_LATITUDE * DEGREE;
}

/** The time of the polygon engine grows with the square: about a minute for a star of this size. */
const MAX_COVERAGE_VERTICES = 100_000;

function isTooDetailed({ rings, bare = [] }: Coverage): boolean {
  const numbers = [...rings, ...bare].reduce((sum, ring) => sum + ring.length, 0);
  return numbers / 2 > MAX_COVERAGE_VERTICES;
}

/** The problem of a cell that can be read but has no place on the map. */
function placeProblem(coverage: Coverage, name: string): Problem | undefined {
  const error = (code: string, message: string): Problem => ({ code, message, severity: 'error' });
  if (coverage.rings.length === 0) {
    return error(
      'no-coverage',
      `${name} does not state its coverage (M_COVR with CATCOV 1), so it cannot be shown`,
    );
  }
  if (isTooDetailed(coverage)) {
    return error(
      'coverage-too-detailed',
      `the coverage of ${name} has more than ${MAX_COVERAGE_VERTICES} vertices, so it cannot be shown`,
    );
  }
  if (!isBeyondMaps(coverage)) return undefined;
  return error(
    'beyond-maps',
    `${name} lies nearer to a pole than web maps reach (85.05°), so it cannot be shown`,
  );
}

/** Gaps in the skin below this share of the coverage are not reported. */
const MIN_BARE_SHARE = 1e-6;

function bareGround(coverage: Coverage, clipper: Clipper): readonly Problem[] {
  const share = bareShare(coverage, clipper);
  if (share < MIN_BARE_SHARE) return [];
  const message =
    `${coverage.name} has no Group 1 area on ${(share * 100).toFixed(3)} % of the ground that it claims to ` +
    'cover: other cells are shown there if there are any';
  return [{ code: 'coverage-without-skin', message, severity: 'warning' }];
}

/** In degrees; for a cell across 180°, west is greater than east. */
function boundsOf({ box }: Coverage): GeoBounds {
  const [west, east] = [box.left / DEGREE, box.right / DEGREE];
  return wrappedBounds([west, -box.bottom / DEGREE, east, -box.top / DEGREE]);
}

// Depth profiles along random lines over the demo cells: each sample shows the area that GDAL
// reads at its position, and the contours are those that cross the line.

import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { DepthProfile } from '../../shared/contract/depth-profile.ts';
import { type Piece, piecesOf, placesAt } from '../../shared/query/profile-line.ts';
import { GRID } from '../../shared/query/record.ts';
import { writeDemoCharts } from '../../tiles-build/demo/write-demo-charts.ts';
import { findCells, loadCell } from '../../tiles-build/exchange-set/exchange-set.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { hasGdal } from '../support/gdal.ts';
import { manifestOf } from '../support/manifest-of.ts';
import {
  askOracle,
  type OracleCell,
  type OracleFeature,
  readOracleCell,
} from '../support/query-oracle.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { seededRandom } from '../support/seeded-random.ts';

const LINES = 40;
const SAMPLES = 25;
const GROUND = new Set('DEPARE DRGARE UNSARE LNDARE FLODOC HULKES PONTON'.split(' '));

type Sample = DepthProfile['samples'][number];
type LonLat = readonly [number, number];

describe.runIf(hasGdal)('depth profiles', () => {
  const enc = scratchFolder();
  let cells: OracleCell[];
  let features: ReadonlyMap<string, OracleFeature>;
  let scales: ReadonlyMap<string, number>;
  let app: DirectApp;

  beforeAll(async () => {
    const charts = inject('demoCharts');
    await writeDemoCharts(enc);
    const used = new Map(manifestOf(charts).cells.map((cell) => [cell.name, cell]));
    const found = await findCells([enc]);
    cells = await Promise.all(
      found.cells.map(async (source) => {
        const files = await loadCell(source);
        const { usageBand, scaleDenominator } = used.get(files.name)!;
        return readOracleCell(files, { band: usageBand, scale: scaleDenominator });
      }),
    );
    features = new Map(cells.flatMap((cell) => cell.features.map((one) => [one.id, one])));
    scales = new Map(cells.map(({ name, scale }) => [name, scale]));
    app = await freshApp(charts);
  });

  const near = (longitude: number, latitude: number, radius: number) =>
    askOracle(cells, { longitude, latitude, radius, zoom: 16 }).map((hit) => ({
      ...hit,
      feature: features.get(hit.id)!,
    }));

  const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text));

  function differsInGround(sample: Sample): boolean {
    const grounds = near(sample.longitude, sample.latitude, 0.1).filter(
      ({ feature }) => feature?.kind === 'area' && GROUND.has(feature.acronym),
    );
    if (sample.surface === 'uncharted') return grounds.some(({ distance }) => distance === 0);
    return !grounds.some(({ id, feature: { acronym, attributes } }) => {
      const [cellName] = id.split('.');
      const isWater = ['DEPARE', 'DRGARE', 'UNSARE'].includes(acronym);
      return (
        acronym === sample.layerId &&
        isWater === (sample.surface === 'water') &&
        cellName === sample.source?.cellName &&
        scales.get(cellName!) === sample.source?.scale &&
        sample.minDepth === (isWater ? numberOf(attributes['DRVAL1']) : null) &&
        sample.maxDepth === (isWater ? numberOf(attributes['DRVAL2']) : null)
      );
    });
  }

  /** Depths and distances of the contours that cross a line on the ground that their cell owns. */
  function crossingsOf(pieces: readonly Piece[]): { depth: number | null; distance: number }[] {
    const contours = cells.flatMap((cell) =>
      cell.features.filter(({ acronym, kind }) => acronym === 'DEPCNT' && kind === 'line'),
    );
    return pieces.flatMap((piece) =>
      contours.flatMap((contour) =>
        sharesOf(piece, contour).flatMap(({ share, at: [longitude, latitude] }) => {
          const hit = near(longitude, latitude, 0.05).find(({ id }) => id === contour.id);
          if (hit === undefined || !hit.sure) return [];
          const depth = numberOf(contour.attributes['VALDCO']);
          return [{ depth, distance: piece.start + share * piece.meters }];
        }),
      ),
    );
  }

  test(`agree with GDAL along ${LINES} lines`, async () => {
    const tally = { water: 0, land: 0, structure: 0, uncharted: 0, contours: 0 };
    for (const line of linesOver(cells, LINES)) {
      const answer = await app.fetch('/api/v1/depth-profile', {
        method: 'POST',
        headers: { authorization: `Bearer ${app.token}` },
        body: JSON.stringify({
          geometry: { type: 'LineString', coordinates: line },
          numSamples: SAMPLES,
        }),
      });
      expect(answer.status).toBe(200);
      const { samples } = (await answer.json()) as DepthProfile;
      expect(samples.filter(differsInGround), JSON.stringify(line)).toEqual([]);
      for (const { surface } of samples) tally[surface]++;

      const pieces = piecesOf(line);
      const contours = samples.flatMap((sample) => sample.contours);
      const places = placesAt(
        pieces,
        contours.map(({ distance }) => distance),
      );
      const wrong = contours.filter(({ depth }, i) => {
        const { longitude, latitude } = places[i]!;
        return !near(longitude, latitude, 0.5).some(
          ({ acronym, feature }) =>
            acronym === 'DEPCNT' && numberOf(feature.attributes['VALDCO']) === depth,
        );
      });
      expect(wrong, JSON.stringify(line)).toEqual([]);
      const missing = crossingsOf(pieces).filter(
        (one) =>
          !contours.some(
            ({ depth, distance }) => depth === one.depth && Math.abs(distance - one.distance) < 0.5,
          ),
      );
      expect(missing, JSON.stringify(line)).toEqual([]);
      tally.contours += contours.length;
    }
    expect(
      Math.min(tally.water, tally.land, tally.contours),
      JSON.stringify(tally),
    ).toBeGreaterThan(LINES);
  });
});

/** Lines of two legs that start in a cell and may leave it. */
function* linesOver(cells: readonly OracleCell[], count: number): Generator<LonLat[]> {
  const random = seededRandom(20_261_125);
  for (let i = 0; i < count; i++) {
    const cell = cells[Math.floor(random() * cells.length)]!;
    const places = cell.coverage.flat();
    const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
    const [west, south] = [Math.min(...xs), Math.min(...ys)];
    const wide = Math.min(1, Math.max(...xs) - west);
    const high = Math.min(1, Math.max(...ys) - south);
    yield Array.from({ length: 3 }, (): LonLat => {
      const x = west + wide * (random() * 1.1 - 0.05);
      return [x, south + high * (random() * 1.1 - 0.05)];
    });
  }
}

/** Where a contour crosses a piece: the fraction of the piece, and the position. */
function sharesOf({ fromX, fromY, toX, toY }: Piece, { paths, box }: OracleFeature) {
  const [ax, ay, bx, by] = [fromX / GRID, fromY / GRID, toX / GRID, toY / GRID];
  const [west, south, east, north] = box;
  const found: { readonly share: number; readonly at: LonLat }[] = [];
  if (Math.max(ax, bx) < west || Math.min(ax, bx) > east) return found;
  if (Math.max(ay, by) < south || Math.min(ay, by) > north) return found;
  for (const path of paths) {
    for (let i = 1; i < path.length; i++) {
      const [[cx, cy], [dx, dy]] = [path[i - 1]!, path[i]!];
      const cross = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx);
      if (cross === 0) continue;
      const share = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / cross;
      const along = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / cross;
      if (share < 0 || share > 1 || along < 0 || along > 1) continue;
      found.push({ share, at: [ax + (bx - ax) * share, ay + (by - ay) * share] });
    }
  }
  return found;
}

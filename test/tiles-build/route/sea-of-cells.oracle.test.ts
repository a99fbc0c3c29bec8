// The sea for routes compared with the results of GDAL and JSTS for the same cells: no cell of a square
// is deeper than the charted depth anywhere in it, and an exact edge marks each border of safe water.

import { beforeAll, describe, expect, inject, test } from 'vitest';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { clearanceOfCode, depthOfCode, OPEN_SKY } from '../../../shared/route/depth-code.ts';
import { HAZARD_KINDS, SEA_FLAGS } from '../../../shared/route/sea.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { findCells } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { locationOf, readLocation } from '../../../tiles-build/pipeline/cell-location.ts';
import { hasEncData } from '../../support/enc-data.ts';
import { hasGdal } from '../../support/gdal.ts';
import { isLong } from '../../support/long-run.ts';
import { realCells, realCharts } from '../../support/real-charts.ts';
import { metersBetween, RouteOracle, RouteOracleCell } from '../../support/route-oracle.ts';
import { openSeaFile, type SeaFile } from '../../support/sea-file.ts';
import { seededRandom } from '../../support/seeded-random.ts';

type XY = readonly [number, number];

const POINTS = isLong ? 200_000 : 2_000;
const SEGMENTS = isLong ? 30_000 : 250;
const TIMEOUT_MS = isLong ? 3_600_000 : 900_000;

async function oracleOf(folders: readonly string[]): Promise<RouteOracle> {
  const { cells } = await findCells(folders);
  const found: RouteOracleCell[] = [];
  for (const source of cells) {
    const files = await readLocation(locationOf(source));
    const { usageBand, scaleDenominator, editionDate } = readCell(files).cell!.header;
    const header = { band: usageBand, scale: scaleDenominator, editionDate };
    found.push(new RouteOracleCell(files, header));
  }
  return new RouteOracle(found);
}

const SETS = [
  {
    name: 'the demo',
    cells: () => [inject('demoCells')],
    charts: async () => inject('demoCharts'),
  },
  ...(hasEncData
    ? [
        {
          name: 'real cells',
          cells: () => realCells('withCoarse'),
          charts: realCharts,
        },
      ]
    : []),
];

describe.runIf(hasGdal)('the sea of', () => {
  describe.each(SETS)('$name', ({ cells, charts }) => {
    let oracle: RouteOracle;
    let sea: SeaFile;
    beforeAll(async () => {
      oracle = await oracleOf(cells());
      sea = await openSeaFile(await charts());
    });

    test('is nowhere deeper than charted (seed 20260601)', async () => {
      const random = seededRandom(20_260_601);
      const wrong: string[] = [];
      let [charted, safe, open] = [0, 0, 0];
      for (let i = 0; i < POINTS; i++) {
        const isNear = i % 2 === 0;
        const place = isNear ? nearVertex(oracle, random) : inCoverage(oracle, random);
        const truth = oracle.factsAt(place);
        const { square, index } = cellAt(sea, place);
        const promised = depthOfCode(square.leastDepth[index]!);
        const flags = square.flags?.[index] ?? 0;
        const complain = (what: string) =>
          wrong.push(`${place.join(' ')} ${what}: ${promised} ${flags} ${JSON.stringify(truth)}`);
        if (promised === Number.NEGATIVE_INFINITY) {
          if (truth !== undefined && !isNear && truth.depth >= 0) charted++;
          continue;
        }
        if (truth === undefined) {
          if ((flags & SEA_FLAGS.background) === 0) complain('no cell');
          continue;
        }
        if (truth.isUnknown && (flags & SEA_FLAGS.unknownDepth) === 0) complain('unknown');
        if (truth.isProhibited && (flags & SEA_FLAGS.prohibited) === 0) complain('prohibited');
        // An unknown depth is not a number. A flag marks it.
        const depth =
          truth.isUnknown && truth.depth === Number.POSITIVE_INFINITY ? 1e9 : truth.depth;
        if (!(promised <= depth + 1e-6)) complain('depth');
        const height = clearanceOfCode(square.clearance?.[index] ?? OPEN_SKY);
        if (height > truth.clearance + 1e-6) complain('clearance');
        if (isNear || truth.depth < 0) continue;
        charted++;
        if (truth.depth >= 2.5) safe++;
        if (truth.depth >= 2.5 && promised >= 2.5) open++;
      }
      expect(wrong).toEqual([]);
      expect(charted).toBeGreaterThan(POINTS / 8);
      // Nor is it too cautious: nearly all safe water is found to be safe.
      expect(open / safe).toBeGreaterThan(0.9);
    });

    test('has an edge at each border of safe water (seed 20260602)', {
      timeout: TIMEOUT_MS,
    }, async () => {
      const random = seededRandom(20_260_602);
      const wrong: string[] = [];
      let ends = 0;
      for (let i = 0; i < SEGMENTS; i++) {
        const need = [0.5, 2, 5, 10][i % 4]!;
        const from = nearShoal(oracle, random);
        const to = nextTo(from, 20 + 400 * random() ** 2, random);
        const steps = Math.ceil(metersBetween(from, to) / 4);
        let before: { at: XY; isSafe: boolean } | undefined;
        for (let k = 0; k <= steps; k++) {
          const at: XY = [
            from[0] + ((to[0] - from[0]) * k) / steps,
            from[1] + ((to[1] - from[1]) * k) / steps,
          ];
          const facts = oracle.factsAt(at);
          if (facts === undefined) {
            before = undefined;
            continue;
          }
          const isSafe = facts.depth >= need && !facts.isUnknown;
          if (before !== undefined && before.isSafe !== isSafe) {
            ends++;
            if (!hasEdge(sea, before.at, at, need)) {
              wrong.push(`${before.at.join(' ')} → ${at.join(' ')} for ${need}`);
            }
          }
          before = { at, isSafe };
        }
      }
      expect(wrong).toEqual([]);
      expect(ends).toBeGreaterThan(SEGMENTS / 8);
    });

    test('has every line that cannot be crossed (seed 20260603)', async () => {
      const random = seededRandom(20_260_603);
      const lines = oracle.cells.flatMap((cell) => cell.lines.map((line) => ({ cell, line })));
      const wrong: string[] = [];
      let seen = 0;
      for (let i = 0; i < SEGMENTS; i++) {
        const { cell, line } = lines[Math.floor(random() * lines.length)]!;
        const at = Math.floor(random() * (line.path.length - 1));
        const [a, b] = [line.path[at]!, line.path[at + 1]!];
        const t = random();
        const middle: XY = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
        const [p, q] = across(middle, a, b, 2);
        if (oracle.ownerAt(p) !== cell || oracle.ownerAt(q) !== cell) continue;
        seen++;
        const isFound = hasEdge(sea, p, q, Number.NEGATIVE_INFINITY, line.clearance);
        if (!isFound) wrong.push(`${cell.name} ${line.acronym} ${middle.join(' ')}`);
      }
      expect(wrong).toEqual([]);
      expect(seen).toBeGreaterThan(SEGMENTS / 10);
    });
  });
});

function cellAt(sea: SeaFile, [longitude, latitude]: XY) {
  return sea.cellAt(mercatorX(longitude), mercatorY(latitude));
}

/** A position some metres from a charted vertex, where errors are likely. */
function nearVertex(oracle: RouteOracle, random: () => number): XY {
  const cell = oracle.cells[Math.floor(random() * oracle.cells.length)]!;
  const vertex = cell.vertices[Math.floor(random() * cell.vertices.length)]!;
  return nextTo(vertex, 60 * random() ** 2, random);
}

function nearShoal(oracle: RouteOracle, random: () => number): XY {
  const cells = oracle.cells.filter(({ shoals }) => shoals.length > 0);
  const { shoals } = cells[Math.floor(random() * cells.length)]!;
  return nextTo(shoals[Math.floor(random() * shoals.length)]!, 60 * random() ** 2, random);
}

function inCoverage(oracle: RouteOracle, random: () => number): XY {
  const cell = oracle.cells[Math.floor(random() * oracle.cells.length)]!;
  const a = cell.vertices[Math.floor(random() * cell.vertices.length)]!;
  const b = cell.vertices[Math.floor(random() * cell.vertices.length)]!;
  return [a[0] + random() * (b[0] - a[0]), a[1] + random() * (b[1] - a[1])];
}

function nextTo([x, y]: XY, meters: number, random: () => number): XY {
  const angle = 2 * Math.PI * random();
  const degrees = meters / 111_195;
  const narrow = Math.cos(y * (Math.PI / 180));
  return [x + (degrees * Math.cos(angle)) / narrow, y + degrees * Math.sin(angle)];
}

/** Two positions some metres to either side of a line. */
function across([x, y]: XY, a: XY, b: XY, meters: number): [XY, XY] {
  const narrow = Math.cos(y * (Math.PI / 180));
  const [dx, dy] = [(b[0] - a[0]) * narrow, b[1] - a[1]];
  const scale = meters / 111_195 / Math.max(Math.hypot(dx, dy), 1e-12);
  const [ox, oy] = [(-dy * scale) / narrow, dx * scale];
  return [
    [x - ox, y - oy],
    [x + ox, y + oy],
  ];
}

/**
 * The tolerance for edges in metres: their storage precision, and half of the curvature of a chart
 * line.
 */
const ASIDE_METERS = 0.15;

/** Whether an edge between two positions stops a vessel with this draft or height. */
function hasEdge(sea: SeaFile, p: XY, q: XY, need: number, clearance?: number): boolean {
  const meters = 2 * Math.PI * 6_371_009 * Math.cos(p[1] * (Math.PI / 180));
  const to = ([x, y]: XY): XY => [mercatorX(x), mercatorY(y)];
  return [p, q].some((place) => {
    const { hazards } = cellAt(sea, place).square;
    const { ends, depth, radius, kind } = hazards;
    for (let i = 0; i < hazards.count; i++) {
      const name = HAZARD_KINDS[kind[i]!];
      const isOverhead = name === 'overhead';
      // If no vessel may cross, a bridge along the same line is not stored again.
      const stops =
        clearance !== undefined && isOverhead
          ? !(hazards.clearance[i]! > clearance + 1e-3)
          : name === 'unknown-depth' || (!(depth[i]! >= need + 1e-3) && !isOverhead);
      if (!stops) continue;
      const a: XY = [ends[4 * i]!, ends[4 * i + 1]!];
      const b: XY = [ends[4 * i + 2]!, ends[4 * i + 3]!];
      if (apart(to(p), to(q), a, b) * meters <= radius[i]! * 1.01 + ASIDE_METERS) return true;
    }
    return false;
  });
}

/** The distance between two segments of a plane. */
function apart(p: XY, q: XY, a: XY, b: XY): number {
  const side = (o: XY, e: XY, f: XY) =>
    (e[0] - o[0]) * (f[1] - o[1]) - (e[1] - o[1]) * (f[0] - o[0]);
  const crosses = side(p, q, a) * side(p, q, b) < 0 && side(a, b, p) * side(a, b, q) < 0;
  if (crosses) return 0;
  return Math.min(toSegment(p, a, b), toSegment(q, a, b), toSegment(a, p, q), toSegment(b, p, q));
}

function toSegment([x, y]: XY, [ax, ay]: XY, [bx, by]: XY): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

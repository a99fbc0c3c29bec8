// Random queries over all the development cells (2,000 without a time limit if
// LEADLINE_ORACLE_QUESTIONS=2000). Each response is compared with GDAL's features and another
// library's geodesics, feature by feature, distance by distance.

import { beforeAll, describe, expect, test } from 'vitest';
import type { ManifestCell } from '../../shared/chart/manifest.ts';
import { findCells, loadCell } from '../../tiles-build/exchange-set/exchange-set.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { hasEncData } from '../support/enc-data.ts';
import { hasGdal } from '../support/gdal.ts';
import { isLong } from '../support/long-run.ts';
import { manifestOf } from '../support/manifest-of.ts';
import {
  askOracle,
  type OracleCell,
  type OracleHit,
  type OracleQuestion,
  readOracleCell,
} from '../support/query-oracle.ts';
import { realCells, realCharts } from '../support/real-charts.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SEED = 20_261_121;
const QUESTIONS = Number(process.env['LEADLINE_ORACLE_QUESTIONS'] ?? (isLong ? 150 : 30));
/** Both engines round coordinates of cuts to 1e-7 of a degree. */
const CLOSE_METERS = 0.03;
const MOST = 500;

interface Answer {
  readonly results: readonly {
    readonly id: string;
    readonly layerId: string;
    readonly attributes: { readonly objectName?: string };
    readonly extras: { readonly distance: number };
  }[];
  readonly truncation?: { readonly found: number };
}

describe.runIf(hasEncData && hasGdal)('what is near a place', () => {
  let cells: OracleCell[];
  let app: DirectApp;

  beforeAll(async () => {
    const enc = realCells('withCoarse');
    const charts = await realCharts();
    const used = new Map(manifestOf(charts).cells.map((cell) => [cell.name, cell]));
    const found = await findCells(enc);
    cells = await Promise.all(
      found.cells.map(async (source) => {
        const files = await loadCell(source);
        return readOracleCell(files, factsOf(used.get(files.name)!));
      }),
    );
    app = await freshApp(charts);
  });

  const ask = async ({ longitude, latitude, radius, zoom }: OracleQuestion): Promise<Answer> => {
    const response = await app.fetch('/api/v1/enc_query?extras=true', {
      method: 'POST',
      headers: { authorization: `Bearer ${app.token}` },
      body: JSON.stringify({ position: { longitude, latitude }, radius, zoom }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Answer;
  };

  test(`the features near a place equal those of GDAL and geographiclib, ${QUESTIONS} times`, async () => {
    const tally = { questions: 0, features: 0, unsure: 0, cut: 0, empty: 0 };
    for (const question of questionsOver(cells, QUESTIONS)) {
      const answer = await ask(question);
      const expected = askOracle(cells, question);
      expect(differences(question, answer, expected), JSON.stringify(question)).toEqual([]);
      tally.questions++;
      tally.features += answer.results.length;
      tally.unsure += expected.filter(({ sure }) => !sure).length;
      if (answer.truncation !== undefined && answer.results.length === MOST) tally.cut++;
      if (answer.results.length === 0) tally.empty++;
    }
    // Borders of cells decide so little that the comparison is one.
    expect(tally.unsure, JSON.stringify(tally)).toBeLessThan(tally.features / 100);
    expect(tally.features).toBeGreaterThan(10 * QUESTIONS);
  });
});

const factsOf = ({ usageBand, scaleDenominator }: ManifestCell) => ({
  band: usageBand,
  scale: scaleDenominator,
});

function* questionsOver(cells: readonly OracleCell[], count: number): Generator<OracleQuestion> {
  const random = seededRandom(SEED);
  for (let i = 0; i < count; i++) {
    const cell = cells[Math.floor(random() * cells.length)]!;
    const [west, south, east, north] = boundsOf(cell);
    // A little beyond the cell on every side.
    const longitude = west + (east - west) * (random() * 1.1 - 0.05);
    const latitude = south + (north - south) * (random() * 1.1 - 0.05);
    const kind = random();
    const radius = kind < 0.08 ? 0 : kind < 0.14 ? 20_000 * random() : 10 ** (1 + 2.4 * random());
    const zoom = random() < 0.6 ? cell.band * 2 + 3 + random() * 3 : random() * 18 - 1;
    yield { longitude, latitude, radius: Math.round(radius * 100) / 100, zoom };
  }
}

function boundsOf({ coverage }: OracleCell) {
  const places = coverage.flat();
  const xs = places.map(([x]) => x);
  const ys = places.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const;
}

/** In words, empty where both agree. Features at the circle's or a cell's very edge may go either way. */
function differences(
  { radius }: OracleQuestion,
  { results, truncation }: Answer,
  expected: readonly OracleHit[],
): string[] {
  const found: string[] = [];
  const byId = new Map(expected.map((hit) => [hit.id, hit]));
  const ids = new Set(results.map(({ id }) => id));
  if (ids.size !== results.length) found.push('an id stands twice');
  let last = 0;
  for (const { id, layerId, attributes, extras } of results) {
    const hit = byId.get(id);
    if (extras.distance < last - 0.001) found.push(`${id} is nearer than the one before`);
    last = extras.distance;
    if (hit === undefined) {
      found.push(`${id} ${layerId} at ${extras.distance} is not there`);
      continue;
    }
    if (hit.acronym !== layerId) found.push(`${id} is ${hit.acronym}, not ${layerId}`);
    if ((hit.name ?? null) !== (attributes.objectName?.trim() ?? null)) {
      found.push(`${id} is named ${hit.name}, not ${attributes.objectName}`);
    }
    const gap = Math.abs(hit.distance - extras.distance);
    const allowed = CLOSE_METERS + hit.distance * 1e-6;
    if (gap > allowed && hit.sure) {
      found.push(`${id} ${layerId} is ${hit.distance} m away, not ${extras.distance}`);
    }
  }
  const reach = truncation !== undefined && results.length === MOST ? last : radius;
  for (const { id, acronym, distance, sure } of expected) {
    if (sure && distance < reach - CLOSE_METERS && !ids.has(id) && !hasTwin(id, results)) {
      found.push(`${id} ${acronym} at ${distance} is missing`);
    }
  }
  return found;
}

/** A point that two cells share is answered once, with either cell's name. */
const hasTwin = (id: string, results: Answer['results']): boolean =>
  results.some((one) => one.id.slice(one.id.indexOf('.')) === id.slice(id.indexOf('.')));

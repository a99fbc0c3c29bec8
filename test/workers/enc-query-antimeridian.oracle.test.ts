// The same cells twice, once moved so that the antimeridian runs through them: the same questions
// have the same answers, feature by feature, as geodesics do not know longitudes.

import { beforeAll, describe, expect, test } from 'vitest';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { hasEncData } from '../support/enc-data.ts';
import { isLong } from '../support/long-run.ts';
import { manifestOf } from '../support/manifest-of.ts';
import { realCharts } from '../support/real-charts.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SEED = 20_261_125;
const QUESTIONS = isLong ? 60 : 20;

interface Result {
  readonly id: string;
  readonly layerId: string;
  readonly geometry: { readonly coordinates: unknown };
  readonly bbox: readonly [readonly [number, number], readonly [number, number]];
  readonly extras: { readonly distance: number };
}

describe.runIf(hasEncData)('a query at the antimeridian', () => {
  let app: DirectApp;
  /** The value added to longitudes. */
  let shift: number;

  beforeAll(async () => {
    const charts = await realCharts();
    const { cells } = manifestOf(charts);
    const west = (name: string) => cells.find((cell) => cell.name === name)!.bounds[0]!;
    shift = west('ZZ4AK4PG') - west('US4AK4PG');
    app = await freshApp(charts);
  });

  const ask = async (longitude: number, rest: Question): Promise<Result[]> => {
    const { latitude, radius, zoom } = rest;
    const response = await app.fetch('/api/v1/enc_query?extras=true', {
      method: 'POST',
      headers: { authorization: `Bearer ${app.token}` },
      body: JSON.stringify({ position: { longitude, latitude }, radius, zoom }),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { results: Result[] }).results;
  };

  interface Question {
    readonly latitude: number;
    readonly radius: number;
    readonly zoom: number;
  }

  const told = (results: readonly Result[]) =>
    results
      .map(({ id, layerId, extras }) => {
        const [, ...foid] = id.split('.');
        return `${layerId} ${foid.slice(0, 3).join('.')} ${extras.distance.toFixed(1)}`;
      })
      .sort();

  test(`a query at the antimeridian answers as it does elsewhere, ${QUESTIONS} times, from either side`, async () => {
    const random = seededRandom(SEED);
    let across = 0;
    for (let i = 0; i < QUESTIONS; i++) {
      const away = (random() * 2 - 1) * 0.08;
      const question = {
        latitude: 59.35 + random() * 0.3,
        radius: Math.round(10 ** (2 + 1.6 * random())),
        zoom: 9 + Math.floor(random() * 8),
      };
      const expected = told(await ask(180 - shift + away - (shift < 0 ? 360 : 0), question));
      const longitude = away > 0 ? away - 180 : 180 + away;
      const found = await ask(longitude, question);
      expect(told(found), JSON.stringify({ away, ...question })).toEqual(expected);
      // The same place, told from the other side.
      expect(await ask(longitude > 0 ? longitude - 360 : longitude + 360, question)).toEqual(found);
      for (const { geometry, bbox } of found) {
        const [[west], [east]] = bbox;
        if (west > east) across++;
        const beyond = longitudesOf(geometry.coordinates).filter((x) => Math.abs(x) > 180);
        expect(beyond).toEqual([]);
      }
    }
    // Features that lie on both sides have bounds that cross, as RFC 7946 has it.
    expect(across).toBeGreaterThan(10);
  });
});

function longitudesOf(coordinates: unknown): number[] {
  if (!Array.isArray(coordinates)) return [];
  if (typeof coordinates[0] === 'number') return [coordinates[0]];
  return coordinates.flatMap(longitudesOf);
}

// Dated objects: shown from their first day to their last, by the same rule in styles and queries.

import { featureFilter, validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { daysAt, isInForce } from '../../../shared/chart/in-force.ts';
import { SOURCE_LAYERS } from '../../../shared/chart/tile-schema.ts';
import { Bucket } from '../../../shared/query/bucket.ts';
import { BucketWriter } from '../../../shared/query/bucket-writer.ts';
import { viewsOf } from '../../../shared/query/circle.ts';
import { searchBuckets } from '../../../shared/query/search.ts';
import { objectClassByAcronym } from '../../../shared/s57/vocabulary/object-classes.ts';
import { periodOf } from '../../../shared/s57/vocabulary/periods.ts';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import { DEFAULT_OPTIONS } from '../../../shared/style/options.ts';

/** The morning of 22 November 2026; in the far west it is still the 21st. */
const MORNING = Date.UTC(2026, 10, 22, 4, 30);
const DAYS = daysAt(MORNING);

/** Class, dates in S-57 form, and whether a chart shows it that morning. */
const CASES: readonly (readonly [string, Readonly<Record<string, string>>, boolean])[] = [
  ['BOYLAT', {}, true],
  ['BOYLAT', { DATEND: '20261120' }, false],
  ['BOYLAT', { DATEND: '20261121' }, true],
  ['RESARE', { DATEND: '2025' }, false],
  ['RESARE', { DATEND: '2026' }, true],
  ['RESARE', { DATSTA: '20261123' }, false],
  ['RESARE', { DATSTA: '20261122' }, true],
  ['RESARE', { DATSTA: '20261201', DATEND: '20270101' }, false],
  ['WRECKS', { DATSTA: '20271201' }, true],
  ['WRECKS', { DATEND: '20261101' }, false],
  ['WRECKS', { DATEND: '00000000' }, true],
  ['BOYLAT', { DATSTA: '99999999' }, true],
  ['BOYLAT', { DATSTA: '20261399' }, true],
  ['LIGHTS', { PERSTA: '--0501', PEREND: '--1031' }, true],
  ['DEPARE', { DATEND: '19991231' }, true],
  ['LNDARE', { DATSTA: '20991231' }, true],
  ['depare', { DATEND: '19991231' }, true],
  ['bridge', { DATEND: '19991231' }, false],
];

test('daysAt changes at noon UTC and covers the dates of all time zones within twelve hours', () => {
  expect(DAYS).toEqual({ first: 20_261_121, last: 20_261_122 });
  expect(daysAt(Date.UTC(2026, 11, 31, 12))).toEqual({ first: 20_261_231, last: 20_270_101 });
});

describe('dated objects', () => {
  for (const [acronym, dates, isShown] of CASES) {
    const words = Object.entries(dates).flat().join(' ') || 'no dates';
    test(`${acronym} with ${words} is ${isShown ? '' : 'not '}shown on 22 November 2026`, () => {
      expect(isInForce(acronym, periodOf(dates), DAYS)).toBe(isShown);
    });
  }

  test('are drawn by a style if the rule shows them, in every layer of their class', () => {
    const style = styleOn(DAYS);
    expect(validateStyleMin(style)).toEqual([]);
    const bare = styleOn(undefined);
    for (const [acronym, dates, isShown] of CASES) {
      style.layers.forEach((layer, i) => {
        if (!('source-layer' in layer) || layer['source-layer'] !== acronym) return;
        const without = bare.layers[i]!;
        for (const type of [1, 2, 3] as const) {
          const feature = { type, properties: { mz: 0, d: 1, dd: 1, ud: 20, ...periodOf(dates) } };
          const draws = (one: object) =>
            featureFilter((one as { filter?: never }).filter, 'layers[0].filter').filter(
              { zoom: 14 },
              feature as never,
            );
          expect(draws(layer), `${layer.id} of ${acronym}`).toBe(draws(without) && isShown);
        }
      });
    }
  });

  test('are filtered in every layer of the style whose features can have dates', () => {
    const dated = new Set(
      SOURCE_LAYERS.filter(({ group }) => group !== 'background' && group !== 'coverage').map(
        ({ id }) => id,
      ),
    );
    const undated = /^(DEPARE|DRGARE|UNSARE|LNDARE|FLODOC|HULKES|PONTON|DEPEDGE|M_QUAL|M_NSYS)$/;
    for (const layer of styleOn(DAYS).layers) {
      const sourceLayer = 'source-layer' in layer ? (layer['source-layer'] ?? '') : '';
      if (!dated.has(sourceLayer) || undated.test(sourceLayer)) continue;
      expect(JSON.stringify('filter' in layer ? layer.filter : ''), layer.id).toContain('"de"');
    }
  });

  test('are found by a query if the rule shows them', () => {
    const writer = new BucketWriter({ left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 });
    CASES.forEach(([acronym, dates], number) => {
      const named = Object.entries(dates).map(([key, value]) => [key.toLowerCase(), value]);
      writer.add({
        classCode: objectClassByAcronym(acronym)!.code,
        cell: 'ZZ5DATES.1',
        agency: 65_534,
        number,
        subdivision: 1,
        attributes: JSON.stringify(Object.fromEntries(named)),
        shape: { type: 'point', x: number, y: 0 },
      });
    });
    const bucket = new Bucket(writer.finish());
    const circle = { longitude: 0, latitude: 0, radiusMeters: 100 };
    const { found, total } = searchBuckets(
      viewsOf(circle).map((view) => ({ bucket, view })),
      { radiusMeters: 100, limit: 100, isWanted: () => true, days: DAYS },
    );
    const expected = CASES.flatMap(([, , isShown], number) => (isShown ? [number] : []));
    const numbers = found.map((one) => one.bucket.facts(one.index).number);
    expect(numbers.sort((a, b) => a - b)).toEqual(expected);
    expect(total).toBe(expected.length);
  });
});

function styleOn(days: typeof DAYS | undefined) {
  const nowhere = 'https://nowhere.test/';
  return buildStyle({
    options: DEFAULT_OPTIONS,
    addresses: {
      tiles: `${nowhere}{z}/{x}/{y}`,
      sprite: nowhere,
      glyphs: `${nowhere}{fontstack}/{range}.pbf`,
      reports: nowhere,
    },
    chart: { bounds: [-180, -85, 180, 85], attribution: '', buildId: 'b' },
    ...(days === undefined ? {} : { days }),
  });
}

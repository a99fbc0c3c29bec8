// The index entries of a cell's objects: names, the positions at which the quilt shows them, and the zoom.

import { beforeAll, describe, expect, it } from 'vitest';
import { scaminZoom, zoomOfScale } from '../../../shared/chart/scale-zoom.ts';
import { type NameEntry, readPage } from '../../../shared/names/name-page.ts';
import type { Feature } from '../../../shared/s57/cell/cell.ts';
import { belowScale } from '../../../tiles-build/generalise/below-scale.ts';
import { type Clipper, loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { coverageOf } from '../../../tiles-build/quilt/coverage.ts';
import { computeOwnership } from '../../../tiles-build/quilt/ownership.ts';
import { sliceNames } from '../../../tiles-build/slice/slice-names.ts';
import { type WrittenPlan, writtenCell } from '../../support/written-chart.ts';

let clipper: Clipper;
beforeAll(async () => {
  clipper = await loadClipper();
});

const cellOf = (
  plan: Pick<WrittenPlan, 'name' | 'usageBand' | 'scaleDenominator'> & Partial<WrittenPlan>,
  box: readonly [number, number, number, number],
) =>
  writtenCell({
    ...plan,
    areas: [
      ['DEPARE', box, { DRVAL1: 5, DRVAL2: 10 }],
      ['M_COVR', box, { CATCOV: 1 }],
      ...(plan.areas ?? []),
    ],
  });

/** Entries of the first cell, without duplicates. */
function namesOf(...cells: ReturnType<typeof cellOf>[]): NameEntry[] {
  const ownership = computeOwnership(cells.map(coverageOf), clipper);
  const [cell] = cells;
  const entries = sliceNames(cell!, ownership.get(cell!.header.name)!).flatMap(
    ({ bytes }) => readPage(Buffer.from(bytes).toString()).entries,
  );
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

const COAST = { name: 'XX3COAST', usageBand: 3, scaleDenominator: 90_000 };
const HARBOUR = { name: 'XX5PORT1', usageBand: 5, scaleDenominator: 12_000 };

describe('sliceNames', () => {
  it('finds an object by each word of both names, at a zoom of its chart’s scale', () => {
    const cell = cellOf(
      {
        ...HARBOUR,
        points: [
          ['BOYLAT', [10.01, 50.01], { OBJNAM: 'Sankt Öle 3', NOBJNM: 'Св. Олаф', BOYSHP: 2 }],
        ],
      },
      [10, 50, 10.02, 50.02],
    );
    const ownership = computeOwnership([coverageOf(cell)], clipper).get('XX5PORT1')!;
    const entries = sliceNames(cell, ownership).flatMap(
      ({ bytes }) => readPage(Buffer.from(bytes).toString()).entries,
    );
    expect(entries.map(({ key }) => key).sort()).toEqual(
      ['sankt ole 3', 'ole 3', '3', 'св олаф', 'олаф'].sort(),
    );
    const [{ name, national, longitude, latitude, bounds, zoom }] = entries as [NameEntry];
    expect([name, national, longitude, latitude, bounds]).toEqual([
      'Sankt Öle 3',
      'Св. Олаф',
      10.01,
      50.01,
      undefined,
    ]);
    expect([13, 14]).toContain(zoom);
  });

  it('gives a bay whose middle a finer chart hides a position that its own chart shows', () => {
    const coast = cellOf(
      { ...COAST, areas: [['SEAARE', [10, 50, 11, 51], { OBJNAM: 'Great Bay' }]] },
      [10, 50, 11, 51],
    );
    const harbour = cellOf(HARBOUR, [10.3, 50.3, 10.7, 50.7]);
    const [alone] = namesOf(coast);
    const [beside] = namesOf(coast, harbour);
    expect([alone!.longitude, alone!.latitude]).toEqual([10.5, 50.5]);
    expect(beside!.bounds).toEqual([10, 50, 11, 51]);
    // Below the zooms of the harbour chart the coast chart shows the middle.
    expect([beside!.longitude, beside!.zoom]).toEqual([10.5, alone!.zoom]);
  });

  it('omits a mark that a finer chart or SCAMIN hides at all zooms', () => {
    const marks = (scamin: number) =>
      cellOf(
        {
          ...COAST,
          points: [['BOYLAT', [10.5, 50.5], { OBJNAM: 'Old 1', BOYSHP: 2, SCAMIN: scamin }]],
        },
        [10, 50, 11, 51],
      );
    const harbour = cellOf(HARBOUR, [10.3, 50.3, 10.7, 50.7]);
    expect(namesOf(marks(3000))).toHaveLength(1);
    expect(namesOf(marks(3000), harbour)).toEqual([]);
    expect(namesOf(marks(120_000), harbour)).toHaveLength(1);
  });

  it.each([
    [5, 4_000, [11_999, 7_999, 2_999, 999]],
    [5, 12_000, [29_999, 14_999, 2_999, 999]],
    [5, 20_000, [59_999, 29_999, 14_999, 999]],
    [4, 50_000, [119_999, 29_999, 21_999, 999]],
    [3, 180_000, [119_999, 89_999, 44_999, 11_999]],
    [2, 350_000, [699_999, 89_999, 44_999, 21_999]],
  ])(
    'gives a zoom at which SCAMIN and thinning show the object in band %i at 1:%i, also beyond the last zoom of tiles',
    (usageBand, scaleDenominator, scamins) => {
      const cell = cellOf(
        {
          ...{ name: `ZZ${usageBand}CELL1`, usageBand, scaleDenominator },
          points: scamins.map((scamin, i) => [
            'BOYLAT',
            [10.01, 50.01],
            { OBJNAM: `No ${i}`, BOYSHP: 2, SCAMIN: scamin },
          ]),
        },
        [10, 50, 10.02, 50.02],
      );
      const shown = namesOf(cell);
      expect(shown.map(({ name }) => name).sort()).toEqual(['No 0', 'No 1', 'No 2', 'No 3']);
      for (const { name, zoom } of shown) {
        const from = scaminZoom(scamins[Number(name.slice(3))]!, 50.01)!;
        const best = belowScale(zoomOfScale(scaleDenominator, 50.01)).lastZoom + 1;
        expect([name, zoom >= Math.max(best, from)]).toEqual([name, true]);
        expect([name, zoom < Math.max(best, from) + 1]).toEqual([name, true]);
      }
    },
  );

  it('gives objects of a chart across 180° longitudes within ±180°', () => {
    const cell = cellOf(
      {
        ...HARBOUR,
        areas: [['SEAARE', [179.99, 50, 180.01, 50.02], { OBJNAM: 'Date Bay' }]],
        points: [['BOYLAT', [180.005, 50.01], { OBJNAM: 'Date 1', BOYSHP: 2 }]],
      },
      [179.99, 50, 180.01, 50.02],
    );
    const names = new Map(namesOf(cell).map((entry) => [entry.name, entry]));
    expect(names.get('Date Bay')!.bounds).toEqual([179.99, 50, -179.99, 50.02]);
    expect(names.get('Date 1')!.longitude).toBe(-179.995);
  });

  it('finds a collection at its members, unless one has its name or its cell lacks them', () => {
    const cell = cellOf(
      {
        ...HARBOUR,
        areas: [['TSSLPT', [10.01, 50, 10.015, 50.01]]],
        points: [
          ['BOYLAT', [10.005, 50.01], { OBJNAM: 'North 1', BOYSHP: 2 }],
          ['BRIDGE', [10.018, 50.018], { OBJNAM: 'Old Bridge' }],
        ],
      },
      [10, 50, 10.02, 50.02],
    );
    const idOf = (acronym: string) =>
      cell.features.find((feature) => feature.acronym === acronym)!.id;
    const collection = (name: string, members: readonly Feature['id'][]): Feature => ({
      ...cell.features[0]!,
      ...{ id: { agency: 1, number: name.length, subdivision: 1 }, acronym: 'C_AGGR' },
      ...{ classCode: 400, primitive: 'none', spatial: [], attributes: { OBJNAM: name } },
      relations: members.map((target) => ({ target, kind: 'peer' })),
    });
    const missing = { agency: 1, number: 9, subdivision: 9 };
    const features = [
      ...cell.features,
      collection('North Scheme', [missing, idOf('TSSLPT'), idOf('BOYLAT')]),
      collection('Old Bridge', [idOf('BRIDGE')]),
      collection('Elsewhere', [missing]),
      collection('All', [idOf('M_COVR')]),
    ];
    const [scheme, ...others] = namesOf({ ...cell, features }).filter(
      ({ classCode }) => classCode === 400,
    );
    expect(others).toEqual([]);
    expect(scheme).toMatchObject({ name: 'North Scheme', longitude: 10.0125, latitude: 50.005 });
    expect(scheme!.bounds).toEqual([10.005, 50, 10.015, 50.01]);
  });

  it('omits names of meta objects, and truncates very long names', () => {
    const cell = cellOf(
      {
        ...HARBOUR,
        areas: [['M_NSYS', [10, 50, 10.02, 50.02], { OBJNAM: 'Meta', MARSYS: 1 }]],
        points: [['LNDMRK', [10.01, 50.01], { OBJNAM: 'x'.repeat(5000), CATLMK: 17 }]],
      },
      [10, 50, 10.02, 50.02],
    );
    expect(namesOf(cell).map(({ name }) => name)).toEqual([`${'x'.repeat(299)}…`]);
  });
});

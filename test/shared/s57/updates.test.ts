// The rules of updating: S-57 Part 3, clause 8, and ENC Product Specification, clause 5.7.

import { describe, expect, test } from 'vitest';
import { chainsOf, nodeOf, nodesOf, positionsOf } from '../../../shared/s57/cell/geometry.ts';
import { attributeByAcronym } from '../../../shared/s57/vocabulary/attributes.ts';
import { readContents } from '../../support/harbour-plan.ts';
import {
  BUOY,
  CABLE,
  change,
  featureOf,
  NAME,
  readSmall,
  SOUNDINGS,
  smallCell,
  update,
  vectorOf,
} from './small-cell.ts';

const base = smallCell();
const codeOf = (acronym: string) => attributeByAcronym(acronym)!.code;
const named = (result: ReturnType<typeof readSmall>, number: number) =>
  result.cell?.features.find((feature) => feature.id.number === number);
const codes = (result: ReturnType<typeof readSmall>) => result.problems.map(({ code }) => code);
const cablePath = (result: ReturnType<typeof readSmall>) =>
  chainsOf(result.cell!, named(result, CABLE)!).map((chain) =>
    Array.from(positionsOf(chain), (degrees) => Math.round(degrees * 1e7)),
  );

describe('attributes of a modified feature', () => {
  const buoy = featureOf(base, BUOY);
  const modified = (attributes: { code: number; value: string | undefined }[]) =>
    named(readSmall(update(1, { features: [change(buoy, { attributes })] })), BUOY)!.attributes;

  test('are merged one by one', () => {
    expect(modified([{ code: codeOf('BOYSHP'), value: '4' }])).toEqual({
      OBJNAM: 'Café',
      COLOUR: [3, 4],
      BOYSHP: 4,
    });
  });

  test('are deleted by the DEL value', () => {
    expect(modified([{ code: codeOf('OBJNAM'), value: undefined }])).not.toHaveProperty('OBJNAM');
  });

  test('become unknown if the new value is empty', () => {
    expect(modified([{ code: codeOf('BOYSHP'), value: '' }])).toHaveProperty('BOYSHP', '');
  });

  test('in the national language are deleted by a DEL of two bytes', () => {
    const nationalAttributes = [{ code: codeOf('NOBJNM'), value: undefined }];
    const result = readSmall(
      update(1, { features: [change(featureOf(base, CABLE), { nationalAttributes })] }),
    );
    expect(named(result, CABLE)!.attributes).toEqual({ CATCBL: 4 });
  });
});

describe('records', () => {
  test('are inserted and deleted', () => {
    const buoy = featureOf(base, BUOY);
    const other = { ...buoy, id: 900, number: 900 };
    const gone = change(buoy, { instruction: 2 });
    const result = readSmall(update(1, { features: [other, gone] }));
    expect(named(result, BUOY)).toBeUndefined();
    expect(named(result, 900)!.attributes).toHaveProperty('OBJNAM', 'Café');
    expect(result.cell!.header).toMatchObject({ update: 1, issueDate: '20260201' });
  });

  test('of another version reject the whole update', () => {
    const buoy = featureOf(base, BUOY);
    const late = change(buoy, { version: 3, attributes: [{ code: codeOf('BOYSHP'), value: '1' }] });
    const other = { ...buoy, id: 900, number: 900 };
    const result = readSmall(update(1, { features: [other, late] }));
    expect(codes(result)).toEqual(['update-version-mismatch']);
    expect(named(result, 900)).toBeUndefined();
    expect(result.cell!.header.update).toBe(0);
  });

  test('that already exist reject the whole update if they are inserted', () => {
    expect(codes(readSmall(update(1, { features: [featureOf(base, BUOY)] })))).toEqual([
      'update-conflict',
    ]);
  });

  test('that do not exist reject the whole update if they are changed', () => {
    const stranger = change({ ...featureOf(base, BUOY), id: 4711 }, {});
    expect(codes(readSmall(update(1, { features: [stranger] })))).toEqual([
      'update-target-missing',
    ]);
  });
});

describe('coordinates (SGCC)', () => {
  const edge = vectorOf(base, CABLE);
  const changed = (instruction: 1 | 2 | 3, index: number, count: number, xy: number[]) =>
    readSmall(
      update(1, {
        vectors: [
          change(edge, {
            coordinateControl: { instruction, index, count },
            coordinates: Int32Array.from(xy),
            dimensions: 2,
          }),
        ],
      }),
    );

  test('are inserted before the index', () => {
    // In files, the latitude comes first.
    expect(cablePath(changed(1, 1, 1, [120, 150]))).toEqual([
      [100, 100, 150, 120, 200, 150, 300, 100],
    ]);
  });

  test('are appended at the index after the last one', () => {
    expect(cablePath(changed(1, 2, 1, [120, 250]))).toEqual([
      [100, 100, 200, 150, 250, 120, 300, 100],
    ]);
  });

  test('are deleted', () => {
    expect(cablePath(changed(2, 1, 1, []))).toEqual([[100, 100, 300, 100]]);
  });

  test('are overwritten', () => {
    expect(cablePath(changed(3, 1, 1, [170, 210]))).toEqual([[100, 100, 210, 170, 300, 100]]);
  });

  test('beyond the last one reject the update', () => {
    expect(codes(changed(2, 2, 1, []))).toEqual(['update-index-out-of-range']);
  });

  test('of soundings are counted in triples', () => {
    const result = readSmall(
      update(1, {
        vectors: [
          change(vectorOf(base, SOUNDINGS), {
            coordinateControl: { instruction: 3, index: 2, count: 1 },
            coordinates: Int32Array.of(20, 20, 77),
            dimensions: 3,
          }),
        ],
      }),
    );
    expect(Array.from(nodesOf(result.cell!, named(result, SOUNDINGS)!)[0]!.depths!)).toEqual([
      5.5, 7.7,
    ]);
  });

  test.each([
    ['soundings without a control', SOUNDINGS, [20, 20, 77], undefined, 'update-without-control'],
    ['an edge without a control', CABLE, [120, 250], undefined, 'update-without-control'],
    [
      'more soundings than counted',
      SOUNDINGS,
      [20, 20, 77, 25, 25, 3],
      1,
      'update-index-out-of-range',
    ],
    ['more of an edge than counted', CABLE, [120, 250, 130, 260], 1, 'update-index-out-of-range'],
  ])('of %s reject the update, because others would be lost', (_, number, values, count, code) => {
    const record = change(vectorOf(base, number), {
      coordinates: Int32Array.from(values),
      dimensions: number === SOUNDINGS ? 3 : 2,
      ...(count === undefined
        ? {}
        : { coordinateControl: { instruction: 1, index: 1, count } as const }),
    });
    const result = readSmall(update(1, { vectors: [record] }));
    expect(codes(result)).toEqual([code]);
    expect(result.cell!.header.update).toBe(0);
  });

  test('may be as many as 65,535 in one instruction', () => {
    const count = 65_535;
    const result = readSmall(
      update(1, {
        vectors: [
          change(vectorOf(base, SOUNDINGS), {
            coordinateControl: { instruction: 1, index: 1, count },
            coordinates: new Int32Array(3 * count).fill(30),
            dimensions: 3,
          }),
        ],
      }),
    );
    expect(codes(result)).toEqual([]);
    expect(nodesOf(result.cell!, named(result, SOUNDINGS)!)[0]!.depths).toHaveLength(count + 2);
  });

  test('of a node are replaced if there is no SGCC', () => {
    const node = change(vectorOf(base, BUOY), {
      coordinates: Int32Array.of(510, 520),
      dimensions: 2,
    });
    const result = readSmall(update(1, { vectors: [node] }));
    const [longitude, latitude] = nodeOf(result.cell!, named(result, BUOY)!)!.positions;
    expect([longitude, latitude]).toEqual([520e-7, 510e-7]);
  });
});

describe('pointers (FSPC, VRPC, FFPC)', () => {
  const cable = featureOf(base, CABLE);
  const edge = vectorOf(base, CABLE);
  const second = {
    ...edge,
    id: 900,
    pointers: edge.pointers.toReversed().map((p, i) => ({ ...p, topology: i + 1 })),
  };

  test('of a feature are inserted, deleted and overwritten', () => {
    const withSecond = (spatial: typeof cable.spatial, instruction: 1 | 2 | 3, index: number) =>
      readSmall(
        update(1, {
          vectors: [second],
          features: [change(cable, { spatial, spatialControl: { instruction, index, count: 1 } })],
        }),
      );
    const pointer = { ...cable.spatial[0]!, id: 900 };
    expect(named(withSecond([pointer], 1, 2), CABLE)!.spatial.map(({ id }) => id)).toEqual([
      edge.id,
      900,
    ]);
    expect(named(withSecond([pointer], 3, 1), CABLE)!.spatial.map(({ id }) => id)).toEqual([900]);
    const emptied = withSecond([], 2, 1);
    expect(named(emptied, CABLE)!.spatial).toEqual([]);
    expect(codes(emptied)).toEqual(['no-geometry']);
  });

  test('of an edge change its nodes', () => {
    const node = {
      ...vectorOf(base, BUOY),
      name: 120,
      id: 900,
      coordinates: Int32Array.of(90, 400),
    };
    const moved = change(edge, {
      pointers: [{ ...edge.pointers[1]!, id: 900 }],
      pointerControl: { instruction: 3, index: 2, count: 1 },
    });
    const result = readSmall(update(1, { vectors: [node, moved] }));
    expect(cablePath(result)[0]!.slice(-2)).toEqual([400, 90]);
  });

  test('to other features are inserted', () => {
    const relations = [{ agency: 65_534, number: CABLE, subdivision: 1, indicator: 2 }];
    const relationControl = { instruction: 1, index: 1, count: 1 } as const;
    const changed = change(featureOf(base, BUOY), { relations, relationControl });
    const result = readSmall(update(1, { features: [changed] }));
    expect(named(result, BUOY)!.relations).toEqual([
      { target: { agency: 65_534, number: CABLE, subdivision: 1 }, kind: 'slave' },
    ]);
  });
});

describe('the sequence of updates', () => {
  const nothing = (number: number, dataSet = {}) => update(number, {}, dataSet);

  test('does not depend on the order of files', () => {
    expect(readSmall(nothing(2), nothing(1)).cell!.header.update).toBe(2);
  });

  test('continues from the update number of a re-issued base', () => {
    const reissued = { ...base, dataSet: { ...base.dataSet, update: '4' } };
    const result = readContents(reissued, nothing(5));
    expect(result.cell!.header.update).toBe(5);
    expect(result.problems).toEqual([]);
  });

  test('stops at a gap', () => {
    const result = readSmall(nothing(1), nothing(3));
    expect(result.cell!.header.update).toBe(1);
    expect(codes(result)).toEqual(['update-gap']);
  });

  test.each([
    ['edition', { edition: '4' }, 'update-edition-mismatch'],
    ['cell', { name: 'ZL5OTHER.001' }, 'update-foreign'],
  ])('rejects updates of another %s', (_, dataSet, code) => {
    expect(codes(readSmall(nothing(1, dataSet)))).toEqual([code]);
  });

  test('applies updates of an edition number with more than five digits', () => {
    const edition = '2026011';
    const result = readContents(
      { ...base, dataSet: { ...base.dataSet, edition } },
      nothing(1, { edition }),
    );
    expect([result.cell!.header.update, codes(result)]).toEqual([1, []]);
  });

  test('skips updates of an edition that the base replaced', () => {
    const reissued = { ...base, dataSet: { ...base.dataSet, update: '2' } };
    const old = { edition: '2', issueDate: '20251201' };
    const result = readContents(reissued, nothing(1, old), nothing(2, old), nothing(3));
    expect(result.cell!.header.update).toBe(3);
    expect(result.problems).toMatchObject([
      { code: 'update-outdated', severity: 'warning', file: `${NAME}.001` },
      { code: 'update-outdated', severity: 'warning', file: `${NAME}.002` },
    ]);
  });

  test('stops at an update of an earlier edition that was issued after the base', () => {
    const result = readSmall(nothing(1, { edition: '2' }), nothing(2));
    expect(result.cell!.header.update).toBe(0);
    expect(codes(result)).toEqual(['update-edition-mismatch']);
  });
});

describe('an update with values of a base', () => {
  const sounding = change(vectorOf(base, SOUNDINGS), {
    coordinates: Int32Array.of(30, 30, 120),
    coordinateControl: { instruction: 1, index: 1, count: 1 },
  });
  const withUnits = (units: Partial<NonNullable<typeof base.parameters>>) =>
    readSmall({
      ...update(1, { vectors: [sounding] }),
      parameters: { ...base.parameters!, ...units },
    });
  const depthsOf = (result: ReturnType<typeof readSmall>) =>
    [...nodesOf(result.cell!, named(result, SOUNDINGS)!)[0]!.depths!].map(Math.abs);

  test.each([
    [{ soundingFactor: 100 }, 'SOMF: 100, not 10'],
    [{ coordinateFactor: 1_000_000 }, 'COMF: 1000000, not 10000000'],
    [{ depthUnit: 3 }, 'DUNI: 3, not 1'],
    [{ heightUnit: 2, coordinateUnit: 2 }, 'COUN: 2, not 1; HUNI: 2, not 1'],
  ])(
    'is rejected with the reason if its units differ from those of the cell: %j',
    (units, words) => {
      const result = withUnits(units);
      expect(result.problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
        `update-parameters-differ the update uses other units than the cell (${words}); this and later updates are ignored`,
      ]);
      expect(depthsOf(result)).toEqual([5.5, 0.5]);
    },
  );

  test.each([{}, { soundingFactor: 0 }, { scaleDenominator: 0 }])(
    'is applied if its units are those of the cell or absent: %j',
    (units) => {
      const result = withUnits(units);
      expect(result.problems).toEqual([]);
      expect(depthsOf(result)).toEqual([12, 5.5, 0.5]);
    },
  );

  test.each([0, 3])('does not change the usage band of the cell: %d', (usageBand) => {
    const result = readSmall(update(1, { vectors: [sounding] }, { usageBand }));
    expect(result.problems).toEqual([]);
    expect(result.cell!.header).toMatchObject({ usageBand: 5, update: 1 });
  });
});

// Squares to bytes and back. Damaged bytes must give an error value, never water.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checksumOf } from '../../../shared/bytes/word-checksum.ts';
import { clearanceOfCode, OPEN_SKY } from '../../../shared/route/depth-code.ts';
import { HAZARD_GRID, NO_HAZARDS } from '../../../shared/route/hazard-codec.ts';
import {
  HAZARD_KINDS,
  type Hazards,
  SEA_ZOOMS,
  type SeaSquare,
  SQUARE_CELLS,
} from '../../../shared/route/sea.ts';
import { decodeSheet, encodeSheet, sheetsFor } from '../../../shared/route/sheets.ts';
import {
  type DamagedSquare,
  decodeSquare,
  encodeSquare,
  isDamaged,
} from '../../../shared/route/square-codec.ts';
import { fullSquare } from '../../support/full-square.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const CELLS = SQUARE_CELLS * SQUARE_CELLS;
const COUNT = { numRuns: isLong ? 5000 : 15 };

describe('a square', () => {
  test('is unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const square = randomSquare(seed);
        expectSame(decodeSquare(encodeSquare(square)), square);
      }),
      COUNT,
    );
  });

  test('of one depth takes a few dozen bytes, and shares its planes', () => {
    const cells = new Uint8Array(CELLS).fill(77);
    const square = { ...emptySquare(), leastDepth: cells, mostDepth: cells };
    const bytes = encodeSquare(square);
    expect(bytes.length).toBeLessThan(40);
    const back = decodeSquare(bytes) as SeaSquare;
    expectSame(back, square);
    expect(back.mostDepth).toBe(back.leastDepth);
  });

  test('painted with fewer cells equals the one painted with all', () => {
    const random = seededRandom(3);
    const few = Uint8Array.from({ length: 64 * 64 }, () => 1 + 254 * random());
    const all = Uint8Array.from(
      { length: CELLS },
      (_, i) => few[(i >> 10) * 64 + ((i & 255) >> 2)]!,
    );
    const painted = { ...emptySquare(), width: 64, leastDepth: few, mostDepth: few };
    const bytes = encodeSquare(painted);
    expectSame(decodeSquare(bytes), { ...emptySquare(), leastDepth: all, mostDepth: all });
    expect(bytes.length).toBeLessThan(64 * 64 + 100);
  });

  test('keeps more than 256 different flags', () => {
    const depth = new Uint8Array(CELLS).fill(9);
    const flags = Uint16Array.from({ length: CELLS }, (_, i) => i % 2048);
    const square = { ...emptySquare(), leastDepth: depth, mostDepth: depth, flags };
    expectSame(decodeSquare(encodeSquare(square)), square);
  });

  test('keeps its notices, with texts, radii and shapes on both sides of its border', () => {
    const feature = { id: 'XX5 1', objectClass: 'RESARE', objectName: 'Übungsgebiet' };
    const notices: SeaSquare['notices'] = [
      {
        kind: 'restriction',
        shape: 'area',
        text: 'entry restricted: “…”',
        feature,
        radius: 0,
        paths: [
          [-5, 7, HAZARD_GRID, 7, HAZARD_GRID, 9],
          [1, 2, 3, 4, 5, 7],
        ],
      },
      { kind: 'without-rule', shape: 'point', text: '', feature, radius: 10.5, paths: [[8, 8]] },
    ];
    const square = { ...emptySquare(), notices };
    expectSame(decodeSquare(encodeSquare(square)), square);
  });

  test('of version 2 has the clearance of its codes in steps of 0.5 m', () => {
    const depth = new Uint8Array(CELLS).fill(50);
    const clearance = Uint8Array.from(depth, (_, i) => i % 256);
    const square = { ...emptySquare(), leastDepth: depth, mostDepth: depth, clearance };
    const bytes = Uint8Array.from(encodeSquare(square));
    bytes[0] = 2;
    new DataView(bytes.buffer).setUint32(bytes.length - 4, checksumOf(bytes.slice(0, -4)), true);
    const back = decodeSquare(bytes) as SeaSquare;
    const lost = Array.from(
      back.clearance!.slice(0, 255),
      (code, i) => i / 2 - clearanceOfCode(code),
    );
    expect(Math.min(...lost)).toBeGreaterThan(-1e-6);
    expect(Math.max(...lost.slice(0, 81))).toBeLessThan(0.2);
    expect(Math.max(...lost.slice(0, 141))).toBeLessThan(1);
    expect([lost[24], lost[252]]).toEqual([0, 0]);
    expect(back.clearance![255]).toBe(OPEN_SKY);
  });

  test('stores nothing for areas that are never deep', () => {
    const depth = new Uint8Array(CELLS).fill(50).fill(0, 0, 1000);
    const flags = new Uint16Array(CELLS).fill(5);
    const square = { ...emptySquare(), leastDepth: depth, mostDepth: depth, flags };
    const back = fullSquare(decodeSquare(encodeSquare(square)) as SeaSquare);
    expect([...back.flags!.subarray(998, 1002)]).toEqual([0, 0, 5, 5]);
  });

  test('rounds depths and heights of edges down, and radii up', () => {
    const hazards = {
      ...hazardsAt([[0.5, 0.5, 0.5001, 0.5001]]),
      depth: Float32Array.of(1.8049),
      clearance: Float32Array.of(12.3456),
      radius: Float32Array.of(10.001),
    };
    const back = decodeSquare(encodeSquare({ ...emptySquare(), hazards })) as SeaSquare;
    expect(back.hazards.depth[0]).toBeCloseTo(1.8, 5);
    expect(back.hazards.clearance[0]).toBeCloseTo(12.34, 5);
    expect(back.hazards.radius[0]).toBeCloseTo(10.01, 5);
  });

  const encoded = Array.from({ length: isLong ? 200 : 6 }, (_, seed) =>
    encodeSquare(randomSquare(seed)),
  );
  const FAULTS: Readonly<
    Record<string, (bytes: Uint8Array, at: number, by: number) => Uint8Array>
  > = {
    'a byte changed': (bytes, at, by) => bytes.with(at, bytes[at]! ^ (1 + (by % 255))),
    'a byte lost': (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
    'a byte added': (bytes, at, by) =>
      Buffer.concat([bytes.subarray(0, at), Uint8Array.of(by), bytes.subarray(at)]),
    'cut off': (bytes, at) => bytes.slice(0, at),
  };
  test.each(Object.entries(FAULTS))('a square: with %s is damaged', (_, spoil) => {
    fc.assert(
      fc.property(fc.constantFrom(...encoded), fc.nat(), fc.nat(), (bytes, at, by) => {
        expect(isDamaged(decodeSquare(spoil(bytes, at % bytes.length, by)))).toBe(true);
      }),
      COUNT,
    );
  });

  test('of random bytes is reported as damaged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(isDamaged(decodeSquare(bytes))).toBe(true);
      }),
      COUNT,
    );
  });
});

test('a sheet is unchanged after encoding and decoding, and invalid bytes are rejected', () => {
  const squares = [0, 1, 2].map((x) => ({
    z: 11 as const,
    x,
    y: 7,
    deflated: Uint8Array.of(x, 2, 3),
  }));
  const bytes = encodeSheet(squares);
  expect(decodeSheet(bytes)).toEqual(squares);
  expect(() => decodeSheet(bytes.subarray(0, -1))).toThrow(RangeError);
  expect(() => decodeSheet(Uint8Array.of(9, 1, 2))).toThrow(RangeError);
});

test('each square belongs to a sheet: coarse ones together, fine ones by their ancestor of zoom 8', () => {
  expect(sheetsFor({ z: 5, x: 31, y: 3 })).toEqual([{ z: 0, x: 0, y: 0 }]);
  expect(sheetsFor({ z: 8, x: 255, y: 9 })).toEqual([{ z: 5, x: 31, y: 1 }]);
  expect(sheetsFor({ z: 14, x: 16_383, y: 64 })).toEqual([
    { z: 10, x: 1023, y: 4 },
    { z: 9, x: 511, y: 2 },
    { z: 8, x: 255, y: 1 },
  ]);
});

/** Like `toEqual`, which takes seconds for planes. */
function expectSame(found: SeaSquare | DamagedSquare, expected: SeaSquare): void {
  expect(summed(fullSquare(found as SeaSquare))).toEqual(summed(expected));
}

/** The square with digests instead of its planes. */
function summed(square: SeaSquare) {
  const { leastDepth, mostDepth, clearance, flags, laneBearing, ...rest } = square;
  const planes = { leastDepth, mostDepth, clearance, flags, laneBearing };
  const digests = Object.entries(planes).map(([name, cells]) => {
    return [name, cells?.constructor.name, cells && createHash('sha1').update(cells).digest('hex')];
  });
  return { ...rest, digests };
}

function emptySquare(): SeaSquare {
  const cells = new Uint8Array(CELLS);
  return {
    zoom: 11,
    x: 1024,
    y: 1024,
    leastDepth: cells,
    mostDepth: cells,
    hasFiner: new Uint8Array(64),
    hazards: NO_HAZARDS,
  };
}

function hazardsAt(ends: readonly (readonly number[])[]): Hazards {
  const count = ends.length;
  return {
    count,
    ends: Float64Array.from(ends.flat(), (value) => Math.round(value * HAZARD_GRID) / HAZARD_GRID),
    kind: new Uint8Array(count),
    depth: new Float32Array(count).fill(Number.NaN),
    clearance: new Float32Array(count).fill(Number.POSITIVE_INFINITY),
    radius: new Float32Array(count),
    feature: new Uint32Array(count),
    features: [{ id: 'a.1', objectClass: 'LNDARE', objectName: 'Ö' }],
  };
}

/** Random patches on all planes, and chains of edges. Some parts are absent. */
function randomSquare(seed: number): SeaSquare {
  const random = seededRandom(seed);
  const upTo = (limit: number) => Math.floor(random() * limit);
  const zoom = SEA_ZOOMS[upTo(SEA_ZOOMS.length)]!;
  const side = 2 ** zoom;
  const [x, y] = [upTo(side), upTo(side)];
  const patches = (cells: Uint8Array | Uint16Array, limit: number) => {
    for (let i = upTo(12); i >= 0; i--) {
      const value = upTo(limit);
      const [left, width, top, height] = [upTo(256), upTo(128), upTo(256), upTo(128)];
      for (let row = top; row < Math.min(256, top + height); row++) {
        cells.fill(value, row * 256 + left, row * 256 + Math.min(256, left + width));
      }
    }
    return cells;
  };
  const leastDepth = patches(new Uint8Array(CELLS).fill(1), 256) as Uint8Array;
  const isMixed = random() < 0.5;
  const mostDepth = isMixed ? leastDepth.map((code) => Math.max(code, 200)) : leastDepth;
  const onWater = <T extends Uint8Array | Uint16Array>(cells: T, nothing: number): T => {
    for (let i = 0; i < CELLS; i++) if (mostDepth[i] === 0) cells[i] = nothing;
    return cells;
  };
  const count = upTo(40);
  let at = [x / side, y / side];
  const ends = Array.from({ length: count }, () => {
    const from = random() < 0.8 ? at : at.map((value) => value + (random() - 0.5) / side);
    at = random() < 0.2 ? from : from.map((value) => value + (random() - 0.5) / side / 9);
    return [...from, ...at];
  });
  const pick = (values: readonly number[]) => values[upTo(values.length)]!;
  const features = Array.from({ length: 1 + upTo(4) }, (_, i) => {
    return { id: `XX5.${i}`, objectClass: 'DEPARE', objectName: i % 2 === 0 ? '' : 'Φανός' };
  });
  const change = Array.from({ length: count }, () => random() < 0.3);
  const steady = (values: readonly number[]) => {
    let value = pick(values);
    return change.map((isNew) => {
      if (isNew) value = pick(values);
      return value;
    });
  };
  return {
    zoom,
    x,
    y,
    leastDepth,
    mostDepth,
    ...(random() < 0.5 && {
      clearance: onWater(patches(new Uint8Array(CELLS).fill(255), 256) as Uint8Array, 255),
    }),
    ...(random() < 0.5 && {
      flags: onWater(patches(new Uint16Array(CELLS), 2048) as Uint16Array, 0),
    }),
    ...(random() < 0.5 && {
      laneBearing: onWater(patches(new Uint8Array(CELLS), 240) as Uint8Array, 0),
    }),
    hasFiner: Uint8Array.from({ length: 64 }, () => upTo(2)),
    hazards: {
      count,
      ends: hazardsAt(ends).ends,
      kind: Uint8Array.from(steady(HAZARD_KINDS.map((_, i) => i))),
      depth: Float32Array.from(steady([Number.NaN, Number.POSITIVE_INFINITY, -3.5, 0, 1.8, 4000])),
      clearance: Float32Array.from(steady([Number.NaN, Number.POSITIVE_INFINITY, 12.25])),
      radius: Float32Array.from(steady([0, 10, 12.5])),
      feature: Uint32Array.from(steady(features.map((_, i) => i))),
      features,
    },
  };
}

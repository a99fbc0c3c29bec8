// The request of a depth profile, and how samples and contours become the response.

import { describe, expect, it } from 'vitest';
import {
  depthProfileAnswerSchema,
  type ProfileRequest,
  presentDepthProfile,
  readDepthProfile,
} from '../../../shared/contract/depth-profile.ts';
import type { Ground } from '../../../shared/query/ground.ts';

const line = (...coordinates: unknown[]) => ({ type: 'LineString', coordinates });
const SHORT = line([-20, -30], [-19.9, -30]);

function requestOf(body: object): ProfileRequest {
  const read = readDepthProfile(body as Record<string, unknown>);
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return read.request;
}

const faultsOf = (body: unknown): string[] => {
  const read = readDepthProfile(body as Record<string, unknown>);
  return 'faults' in read ? read.faults.map(({ path, message }) => `${path} ${message}`) : [];
};

describe('a request', () => {
  it('has 100 samples by default, and null counts as absent', () => {
    expect(requestOf({ geometry: SHORT }).places).toHaveLength(100);
    const nulls = { geometry: SHORT, numSamples: null, sampleInterval: null };
    expect(requestOf(nulls).places).toHaveLength(100);
  });

  it('has the given number or interval of samples', () => {
    expect(requestOf({ geometry: SHORT, numSamples: 7 }).places).toHaveLength(7);
    const { places } = requestOf({ geometry: SHORT, sampleInterval: 1000 });
    expect(places.map(({ distance }) => Math.round(distance))).toEqual([
      0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 9649,
    ]);
  });

  it('accepts the interval that an error names', () => {
    const [fault] = faultsOf({ geometry: SHORT, sampleInterval: 1 });
    const least = Number(/at least (\d+)/.exec(fault!)![1]);
    const { places } = requestOf({ geometry: SHORT, sampleInterval: least });
    expect(places.length).toBeLessThanOrEqual(1000);
    expect(places.length).toBeGreaterThan(800);
  });

  it('ignores heights and unknown fields', () => {
    const high = { ...SHORT, coordinates: SHORT.coordinates.map((one) => [...(one as []), 5, 6]) };
    expect(requestOf({ geometry: high, unit: 'feet' }).places).toEqual(
      requestOf({ geometry: SHORT }).places,
    );
  });

  it.each([
    ['no geometry', {}, /^geometry is missing/],
    ['a geometry of null', { geometry: null }, /^geometry must be an object, not null/],
    ['a text', { geometry: 'LINESTRING(0 0, 1 1)' }, /^geometry must be an object/],
    [
      'another type',
      { geometry: { ...SHORT, type: 'Point' } },
      /^geometry.type must be LineString/,
    ],
    ['one position', { geometry: line([0, 0]) }, /^geometry.coordinates must have at least two/],
    ['a position of one number', { geometry: line([0], [1, 1]) }, /coordinates.0.1 is missing/],
    [
      'a position as an object',
      { geometry: line({ lon: 1 }, [1, 1]) },
      /coordinates.0 must be \[lon/,
    ],
    ['texts', { geometry: line(['0', '0'], [1, 1]) }, /coordinates.0.0 must be a number/],
    ['a list of lines', { geometry: line([[0, 0]], [[1, 1]]) }, /coordinates.0/],
    ['the north pole', { geometry: line([0, 84], [0, 90]) }, /coordinates.1.1 must be at most 85/],
    [
      'the south pole',
      { geometry: line([0, -90], [0, -84]) },
      /coordinates.0.1 must be at least -85/,
    ],
    [
      'a longitude of 361',
      { geometry: line([361, 0], [0, 0]) },
      /coordinates.0.0 must be at most 360/,
    ],
    ['one place', { geometry: line([1, 1], [1, 1]) }, /must contain two different positions/],
    ['one place, turned', { geometry: line([-180, 1], [180, 1]) }, /two different positions/],
    ['a long line', { geometry: line([0, 0], [9, 0]) }, /coordinates must be at most 1000 km long/],
    ['1 sample', { geometry: SHORT, numSamples: 1 }, /^numSamples must be at least 2/],
    ['1001 samples', { geometry: SHORT, numSamples: 1001 }, /^numSamples must be at most 1000/],
    ['half a sample', { geometry: SHORT, numSamples: 2.5 }, /^numSamples must be a whole number/],
    [
      'a text of samples',
      { geometry: SHORT, numSamples: '5' },
      /^numSamples must be a number, not a string/,
    ],
    ['no interval', { geometry: SHORT, sampleInterval: 0 }, /^sampleInterval must be at least 1/],
    [
      'a small interval',
      { geometry: SHORT, sampleInterval: 9 },
      /^sampleInterval must be at least 10/,
    ],
    [
      'both',
      { geometry: SHORT, numSamples: 5, sampleInterval: 5 },
      /^sampleInterval must be absent/,
    ],
  ])('is rejected with the field: %s', (_, body, expected) => {
    expect(faultsOf(body)).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
  });

  it('is rejected before it is cut into pieces if it has many or long legs', () => {
    const zigzag = Array.from({ length: 1000 }, (_, i) => [i % 2 === 0 ? -90 : 89, 84]);
    const started = performance.now();
    expect(faultsOf({ geometry: line(...zigzag) })[0]).toMatch(/at most 1000 km/);
    const many = Array.from({ length: 1001 }, (_, i) => [i / 1e5, 0]);
    expect(faultsOf({ geometry: line(...many) })[0]).toMatch(/at most 1000 positions/);
    const hostile = { length: { valueOf: 1, toString: 1 } };
    expect(faultsOf({ geometry: { type: 'LineString', coordinates: hostile } })).not.toEqual([]);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('a response', () => {
  const water: Ground = {
    surface: 'water',
    minDepth: 5,
    maxDepth: 10,
    layerId: 'DEPARE',
    cell: 'ZZ5DEMO1.3',
  };
  const unknown: Ground = {
    surface: 'uncharted',
    minDepth: null,
    maxDepth: null,
    layerId: null,
    cell: undefined,
  };
  const request = requestOf({ geometry: SHORT, numSamples: 3 });
  const at = (share: number, depth: number | null = 5) => ({ depth, distance: 9649.4 * share });

  it('states the source and scale of each sample, or null', () => {
    const scales = new Map([['ZZ5DEMO1', 20_000]]);
    const answer = presentDepthProfile(request, [water, unknown, water], [], (name) =>
      scales.get(name),
    );
    expect(depthProfileAnswerSchema.parse(answer)).toEqual(answer);
    expect(answer.samples.map(({ source }) => source)).toEqual([
      { cellName: 'ZZ5DEMO1', edition: 3, scale: 20_000 },
      null,
      { cellName: 'ZZ5DEMO1', edition: 3, scale: 20_000 },
    ]);
    expect(answer.samples[1]).toMatchObject({ surface: 'uncharted', minDepth: null });
  });

  it('has each contour once, at the sample after it', () => {
    const grounds = [water, water, water];
    const crossings = [at(0), at(0.2, 2), at(0.6, null), at(0.9)];
    const { samples } = presentDepthProfile(request, grounds, crossings, () => undefined);
    expect(samples.map(({ contours }) => contours.map(({ depth }) => depth))).toEqual([
      [],
      [5, 2],
      [null, 5],
    ]);
    expect(samples[0]!.source).toEqual({ cellName: 'ZZ5DEMO1', edition: 3, scale: null });
  });
});

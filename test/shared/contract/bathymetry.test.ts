// Unknown fields of an upload that are stored: their integers must be returned unchanged.

import { expect, test } from 'vitest';
import { BathymetryReader } from '../../../shared/contract/bathymetry.ts';
import { parseJson, textOf } from '../../../workers/service/http/read-json.ts';

const LIMITS = {
  maxSoundings: 10,
  minDepthMeters: -20,
  maxDepthMeters: 12_000,
  earliestTime: 0,
  latestTime: 2e12,
};

/** The kind of the result, or the paths of the faults. */
function read(text: string) {
  const reader = new BathymetryReader(LIMITS, parseJson, textOf);
  reader.push(new TextEncoder().encode(text));
  const end = reader.end();
  return end.kind === 'faulty' ? end.faults.map(({ path }) => path) : end.kind;
}

const SOUNDINGS =
  '"soundings":[{"latitude":1.000000000000000000001,"longitude":2,"depth":3,"time":1700000000000}]';

test.each(['platform', 'providerContactPoint'])(
  'BathymetryReader rejects an integer in %s that a double cannot keep, and accepts it as a string',
  (field) => {
    for (const byteOrderMark of ['', '\ufeff']) {
      const bodyWith = (serial: string) =>
        `${byteOrderMark}{"${field}":{"name":"é","serial":[${serial}]},${SOUNDINGS}}`;
      expect(read(bodyWith('89314404000000000017'))).toEqual([field]);
      expect(read(bodyWith('59.91273444444444444444'))).toBe('sound');
      expect(read(bodyWith('"89314404000000000017"'))).toBe('sound');
      expect(read(bodyWith('893144040000017'))).toBe('sound');
    }
  },
);

test.each([
  { depthReference: 'mast' },
  { depthReference: 5 },
  { transducerDepth: '0.6 m' },
  { transducerDepth: 600 },
  { draft: [1.8], depthReference: 'keel' },
])('BathymetryReader keeps unknown values of the platform: %j', (platform) => {
  const reader = new BathymetryReader(LIMITS, parseJson, textOf);
  reader.push(new TextEncoder().encode(`{"platform":${JSON.stringify(platform)},${SOUNDINGS}}`));
  expect(reader.end()).toMatchObject({ kind: 'sound', about: { platform } });
});

test('BathymetryReader accepts any number in a field that is not stored', () => {
  expect(read(`{"other":89314404000000000017,${SOUNDINGS}}`)).toBe('sound');
});

test.each(['platform', 'providerContactPoint'])(
  'BathymetryReader limits the size of %s as the database prints it, with all digits of its numbers',
  (field) => {
    const bodyWith = (number: string, count: number) =>
      `{"${field}":{"a":[${Array(count).fill(number)}]},${SOUNDINGS}}`;
    for (const large of ['1e308', '-1E+300', '1e-299']) {
      expect(read(bodyWith(large, 12))).toBe('sound');
      expect(read(bodyWith(large, 500))).toEqual([field]);
    }
    expect(read(bodyWith('1234567', 500))).toBe('sound');
    // Strings are printed unchanged.
    expect(read(bodyWith('"1e+308"', 400))).toBe('sound');
    expect(read(bodyWith('"\\"e+308"', 300))).toBe('sound');
  },
);

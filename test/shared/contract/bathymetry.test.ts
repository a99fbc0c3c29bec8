// What of an upload is kept with fields that are not known: its numbers come back as they were sent.

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

/** How a body is read, and what is wrong with it. */
function read(text: string) {
  const reader = new BathymetryReader(LIMITS, parseJson, textOf);
  reader.push(new TextEncoder().encode(text));
  const end = reader.end();
  return end.kind === 'faulty' ? end.faults.map(({ path }) => path) : end.kind;
}

const SOUNDINGS =
  '"soundings":[{"latitude":1.000000000000000000001,"longitude":2,"depth":3,"time":1700000000000}]';

test.each(['platform', 'providerContactPoint'])(
  'a number with more digits than come back is refused in %s, and kept where it is a text',
  (field) => {
    for (const byteOrderMark of ['', '\ufeff']) {
      const bodyWith = (serial: string) =>
        `${byteOrderMark}{"${field}":{"name":"é","serial":[${serial}]},${SOUNDINGS}}`;
      expect(read(bodyWith('89314404000000000017'))).toEqual([field]);
      expect(read(bodyWith('1e-400'))).toEqual([field]);
      expect(read(bodyWith('"89314404000000000017"'))).toBe('sound');
      expect(read(bodyWith('893144040000017'))).toBe('sound');
    }
  },
);

test('a number of a field that is not kept may have any digits', () => {
  expect(read(`{"other":89314404000000000017,${SOUNDINGS}}`)).toBe('sound');
});

test.each(['platform', 'providerContactPoint'])(
  'what is kept of %s is measured as the database gives it back, with all digits of its numbers',
  (field) => {
    const bodyWith = (number: string, count: number) =>
      `{"${field}":{"a":[${Array(count).fill(number)}]},${SOUNDINGS}}`;
    for (const large of ['1e308', '-1E+300', '1e-299']) {
      expect(read(bodyWith(large, 12))).toBe('sound');
      expect(read(bodyWith(large, 500))).toEqual([field]);
    }
    expect(read(bodyWith('1234567', 500))).toBe('sound');
    // Texts are as long as they are.
    expect(read(bodyWith('"1e+308"', 400))).toBe('sound');
    expect(read(bodyWith('"\\"e+308"', 300))).toBe('sound');
  },
);

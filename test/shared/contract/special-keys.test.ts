// Free-form JSON with keys that have a meaning in JavaScript: unchanged, dropped or rejected.

import { describe, expect, test } from 'vitest';
import { BathymetryReader } from '../../../shared/contract/bathymetry.ts';
import { readSavedStyle } from '../../../shared/contract/saved-style.ts';
import { readNewReport } from '../../../shared/contract/user-report.ts';

const KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length'];
const SPECIAL = `{${KEYS.map((key) => `"${key}":{"a":["${key}"]}`).join(',')},"in":{"__proto__":7}}`;

const LIMITS = {
  maxSoundings: 10,
  minDepthMeters: 0,
  maxDepthMeters: 100,
  earliestTime: 0,
  latestTime: 4e12,
};

function readSoundings(fields: string) {
  const reader = new BathymetryReader(
    LIMITS,
    (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as unknown,
    (bytes) => new TextDecoder().decode(bytes),
  );
  const sounding = '{"latitude":1,"longitude":2,"depth":3,"time":1000}';
  reader.push(new TextEncoder().encode(`{${fields},"soundings":[${sounding}]}`));
  return reader.end();
}

describe('free-form JSON', () => {
  test.each(['platform', 'providerContactPoint'] as const)(
    'keeps every key in %s of an upload',
    (name) => {
      const read = readSoundings(`"${name}":${SPECIAL}`);
      const about = read.kind === 'sound' ? read.about[name] : undefined;
      expect(JSON.stringify(about)).toBe(SPECIAL);
      expect(Object.getPrototypeOf(about)).toBe(Object.prototype);
    },
  );

  test('counts towards the size of a platform whatever its key', () => {
    const large = JSON.stringify('x'.repeat(4100));
    for (const key of ['__proto__', 'other']) {
      expect(readSoundings(`"platform":{"${key}":${large}}`)).toEqual({
        kind: 'faulty',
        faults: [{ path: 'platform', message: expect.stringContaining('4096') }],
      });
    }
  });

  test('sets no known field of a platform through its prototype', () => {
    const read = readSoundings('"platform":{"__proto__":{"uniqueId":"another-boat"}}');
    expect(read.kind === 'sound' && read.about.platform?.uniqueId).toBe(undefined);
  });

  test('drops three keys in a report, at every depth', () => {
    const body = JSON.parse(
      `{"reportType":"hazard","position":{"latitude":1,"longitude":2},"properties":${SPECIAL}}`,
    ) as Record<string, unknown>;
    const kept = KEYS.slice(3).map((key) => `"${key}":{"a":["${key}"]}`);
    const properties = `{${kept.join(',')},"in":{}}`;
    expect(readNewReport(body, 16_384)).toMatchObject({ properties });
  });

  test.each(['', 'settings', 'colors'])(
    'is rejected in a saved style with the path of the key, in parameters %s',
    (part) => {
      const inner = '{"__proto__":{"depthLimit":5}}';
      const parameters = part === '' ? inner : `{"${part}":${inner}}`;
      const body = JSON.parse(`{"name":"a","parameters":${parameters}}`) as Record<string, unknown>;
      const path = ['parameters', ...(part === '' ? [] : [part]), '__proto__'].join('.');
      expect(readSavedStyle(body)).toEqual({ faults: [{ path, message: expect.any(String) }] });
    },
  );

  test('keeps the other keys in a saved style', () => {
    const settings = { constructor: 1, prototype: { a: 2 }, toString: 'x' };
    const read = readSavedStyle({ name: 'a', parameters: { settings } });
    expect('style' in read && read.style.parameters.settings).toEqual(settings);
  });
});

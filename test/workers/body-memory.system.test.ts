// The memory that a body may use, as the table in workers/service/http/README.md states it. Each body is
// read in a process with that memory limit.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { HostileBody } from '../support/read-hostile-body.ts';
import { withinMemory } from '../support/within-memory.ts';

const READ = resolve(import.meta.dirname, '../support/read-hostile-body.ts');
/** The memory of an idle process. */
const EMPTY_MEGABYTES = 6;
const MEBI = 2 ** 20;

const SOUND = '{"latitude":1.5,"longitude":-2.5,"depth":3,"time":"2024-05-06T07:08:09Z"}';
const WIDE = `{"latitude":1.5,"longitude":-2.5,"depth":3,"time":1,"x":[{}${',{}'.repeat(80)}]}`;

const soundings = (middle: string, bytes: number): HostileBody => ({
  reader: 'soundings',
  before: `{"soundings":[${SOUND}`,
  middle,
  after: ']}',
  bytes,
});
const object = (before: string, middle: string, after: string, bytes: number): HostileBody => ({
  reader: 'object',
  before,
  middle,
  after,
  bytes,
});

test.each([
  ['16 MiB of empty objects for soundings', 12, soundings(',{}', 16 * MEBI), 'too-many'],
  ['soundings of the maximum size', 12, soundings(`,${SOUND}`, 3.4 * MEBI), 'sound'],
  ['soundings with unknown lists', 12, soundings(`,${WIDE}`, 13 * MEBI), 'sound'],
  ['numbers for soundings', 12, soundings(',0', 16 * MEBI), 'too-many'],
  [
    'a `soundings` field repeated many times',
    12,
    soundings(`],"soundings":[${SOUND}`, 0.2 * MEBI),
    'sound',
  ],
  ['64 KiB of empty lists', 4, object('{"a":[[]', ',[]', ']}', 60_000), 'parsed'],
  ['64 KiB of fields', 4, object('{"a":1', ',"abc":{}', '}', 60_000), 'parsed'],
  ['a megabyte of empty lists', 4, object('{"a":[[]', ',[]', ']}', MEBI), 'too_many_values'],
  ['a megabyte of brackets', 4, object('{"a":', '[', '', MEBI), 'bad_json'],
] as const)('%s fit into %i MB', async (_, megabytes, body, found) => {
  expect(await withinMemory(READ, 'readHostileBody', EMPTY_MEGABYTES + megabytes, body)).toBe(
    found,
  );
});

test('the same empty objects do not fit if they are parsed all at once', async () => {
  const body = { ...soundings(',{}', 16 * MEBI), reader: 'at once' as const };
  expect(await withinMemory(READ, 'readHostileBody', EMPTY_MEGABYTES + 12, body)).toBe(
    'out of memory',
  );
});

// The producers that a worker refreshes the public charts from.

import { expect, test } from 'vitest';
import { EXIT } from '../../../tiles-build/commands/exit.ts';
import { producersOf, type RunCommand } from '../../../tiles-build/commands/producers.ts';
import { JobPostponed } from '../../../tiles-build/uploads/job-progress.ts';
import { UploadRefused } from '../../../tiles-build/uploads/upload-files.ts';

const never: RunCommand = () => Promise.reject(new Error('not called'));

/** A command that ends with these codes, one after the other. */
function ending(...codes: number[]) {
  const calls: (readonly string[])[] = [];
  const run: RunCommand = async (args, output) => {
    calls.push(args);
    output?.note('The producer is away.\n    at sync.ts:1');
    return codes[calls.length - 1]!;
  };
  return { calls, run };
}

test('there are no producers without the setting', () => {
  expect(producersOf(' ', never)).toEqual({ producers: [], sync: undefined });
});

test('producers are separated by semicolons, and refreshed in order', async () => {
  const { calls, run } = ending(EXIT.ok, EXIT.missing);
  const text = '--cells a --state WA;  --from http://b/ --cells b --remove-many';
  const { producers, sync } = producersOf(text, run);
  expect(producers).toEqual([
    { folder: 'a', mayLose: false },
    { folder: 'b', mayLose: true },
  ]);
  const notes: string[] = [];
  expect(await sync?.((line) => notes.push(line))).toBe(false);
  expect(await producersOf('--cells a', ending(EXIT.ok).run).sync?.(() => undefined)).toBe(true);
  expect(calls).toEqual([
    ['sync', '--cells', 'a', '--state', 'WA'],
    ['sync', '--from', 'http://b/', '--cells', 'b', '--remove-many'],
  ]);
  expect(notes).toEqual(['The producer is away.', 'The producer is away.']);
});

test('a refresh ends at a producer that is unavailable, with its message', async () => {
  const { calls, run } = ending(EXIT.unavailable, EXIT.ok);
  const { sync } = producersOf('--cells a; --cells b', run);
  const refused = sync?.(() => undefined);
  await expect(refused).rejects.toThrow(UploadRefused);
  await expect(refused).rejects.toThrow(/^The producer is away\.$/);
  expect(calls).toHaveLength(1);
});

test('a refresh is continued later if another process uses the folder of a producer', async () => {
  const run: RunCommand = async (_, output) => {
    output?.note('/data/a is being updated by process 1 of here. Nothing was changed.');
    return EXIT.unavailable;
  };
  const notes: string[] = [];
  const refused = producersOf('--cells /data/a', run).sync?.((line) => notes.push(line));
  await expect(refused).rejects.toThrow(JobPostponed);
  expect(notes).toEqual([]);
});

test('values may follow an equals sign', async () => {
  const { calls, run } = ending(EXIT.ok);
  const { producers, sync } = producersOf('--cells=a --from=http://b/?c=d', run);
  expect(producers).toEqual([{ folder: 'a', mayLose: false }]);
  await sync?.(() => undefined);
  expect(calls).toEqual([['sync', '--cells', 'a', '--from', 'http://b/?c=d']]);
});

test.each([
  '--state WA',
  '--state WA --cells',
  '--cells --all',
  '--cells a --out charts',
  '--cells a --out=charts',
  '--cells a; --all',
])('%s is refused', (text) => {
  expect(() => producersOf(text, never)).toThrow(/--cells and without --out/);
});

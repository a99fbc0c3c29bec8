import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeatCrowd } from '../../../tiles-build/commands/work.ts';
import { charts } from '../../support/charts-command.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.unstubAllEnvs());
const HOUR = 3_600_000;

it('charts work --crowd-every runs at once and each interval, never twice at a time, also after a failure', async () => {
  vi.stubEnv('LEADLINE_CROWD', '--state crowd  --store published');
  const runs: { args: readonly string[]; end: (failure?: Error) => void }[] = [];
  const notes: string[] = [];
  const end = repeatCrowd(
    60,
    (args) =>
      new Promise((done, fail) => {
        runs.push({ args, end: (failure) => (failure ? fail(failure) : done(0)) });
      }),
    (line) => notes.push(line),
  );
  expect(runs.map(({ args }) => args)).toEqual([
    ['crowd', '--state', 'crowd', '--store', 'published'],
  ]);
  // The first run takes longer than an interval.
  await vi.advanceTimersByTimeAsync(1.5 * HOUR);
  expect(runs).toHaveLength(1);
  runs[0]!.end(new Error('no disk'));
  await vi.advanceTimersByTimeAsync(HOUR / 2);
  expect(runs).toHaveLength(2);
  expect(notes).toEqual(['charts crowd failed: no disk']);
  runs[1]!.end();
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(runs).toHaveLength(3);
  end();
  runs[2]!.end();
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(runs).toHaveLength(3);
});

it('charts work --crowd-every requires the arguments of charts crowd', () => {
  vi.stubEnv('LEADLINE_CROWD', ' ');
  expect(() =>
    repeatCrowd(
      60,
      async () => 0,
      () => undefined,
    ),
  ).toThrow('LEADLINE_CROWD');
});

it('charts work --crowd-every ends if its bucket cannot be used', async () => {
  vi.stubEnv('LEADLINE_CROWD', '--state crowd');
  const words = ['--database', 'postgres://127.0.0.1:9/x', '--crowd-every', '60'];
  for (const bucket of [['--s3', 'Not_A_Bucket'], ['--remote']]) {
    expect(await charts('work', ...bucket, ...words)).toMatchObject({ code: 2, out: '' });
    expect(vi.getTimerCount()).toBe(0);
  }
});

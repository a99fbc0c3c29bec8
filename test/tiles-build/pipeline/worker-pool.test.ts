// The worker pool with a worker that fails in every known way.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { openWorkerPool, type WorkerPool } from '../../../tiles-build/pipeline/worker-pool.ts';
import type { OddJob } from './support/odd-jobs.ts';

let pool: WorkerPool<OddJob, number>;
const open = (size: number, jobTimeoutMs = 60_000) => {
  pool = openWorkerPool({
    script: new URL('./support/odd-jobs.ts', import.meta.url),
    size,
    jobTimeoutMs,
    heapMegabytes: 64,
  });
};
afterEach(() => pool.close());

/** Until a job was given to an idle worker. */
const posted = () => new Promise((resolve) => setImmediate(resolve));
const suspend = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const square = (of: number) => pool.run({ do: 'square', of });

describe('openWorkerPool', () => {
  it('answers more jobs than it has workers, each with its result', async () => {
    open(2);
    const outcomes = await Promise.all([...Array(9).keys()].map(square));
    expect(outcomes).toEqual([...Array(9).keys()].map((of) => ({ ok: true, value: of * of })));
  });

  it('reports a job that throws and continues with the same worker', async () => {
    open(1);
    expect(await pool.run({ do: 'throw' })).toEqual({
      ok: false,
      reason: 'failed',
      message: 'no such cell',
    });
    expect(await square(3)).toEqual({ ok: true, value: 9 });
  });

  it.each([
    ['exit', 'crashed'],
    ['eat', 'out-of-memory'],
    ['throw-later', 'crashed'],
  ] as const)(
    'replaces a worker that dies (%s: %s) and loses no other job',
    async (way, reason) => {
      open(1);
      const [dead, alive] = await Promise.all([pool.run({ do: way }), square(4)]);
      expect(dead).toMatchObject({ ok: false, reason });
      expect(alive).toEqual({ ok: true, value: 16 });
    },
  );

  it('fails a job that hangs', async () => {
    open(1, 4000);
    const [hung, alive] = await Promise.all([pool.run({ do: 'hang' }), square(5)]);
    expect(hung).toEqual({ ok: false, reason: 'hung', message: 'no answer within 4 s' });
    expect(alive).toEqual({ ok: true, value: 25 });
  });

  it('does not count the time in which the process was suspended', async () => {
    open(1, 1000);
    await square(5);
    const answer = square(6);
    await posted();
    suspend(3000);
    expect(await answer).toEqual({ ok: true, value: 36 });
  });

  it('closes while an answer arrives', async () => {
    open(1);
    await square(5);
    const answer = square(6);
    await posted();
    suspend(500);
    await pool.close();
    await answer;
  });

  it('replaces a worker that dies between jobs', async () => {
    open(1);
    await pool.run({ do: 'die-later' });
    // The worker can still be alive at first.
    await vi.waitFor(async () => expect(await square(6)).toEqual({ ok: true, value: 36 }));
  });

  it('ends waiting jobs when it is closed', async () => {
    open(1);
    const outcomes = Promise.all([pool.run({ do: 'hang' }), square(6)]);
    await pool.close();
    expect((await outcomes).map((outcome) => outcome.ok)).toEqual([false, false]);
  });

  it('runs no job after it was closed', async () => {
    open(1);
    await square(6);
    await pool.close();
    expect(await square(7)).toEqual({
      ok: false,
      reason: 'crashed',
      message: 'The pool was closed.',
    });
  });
});

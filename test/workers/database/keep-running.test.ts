// What keeps a part running: a caller that fails, and a renewal during a restart or before it.

import { afterEach, expect, test } from 'vitest';
import {
  keepRunning,
  type Running,
  type SupervisedPart,
} from '../../../workers/host/database/keep-running.ts';

let kept: SupervisedPart | undefined;
afterEach(() => kept?.stop());

/** A part whose starts wait for a gate, and that ends when asked to. */
function makePart() {
  const ends: (() => void)[] = [];
  const gates: Promise<void>[] = [];
  const start = async (): Promise<Running> => {
    const at = ends.length;
    let end: () => void = () => undefined;
    const ended = new Promise<string>((done) => {
      end = () => done('it ended');
    });
    ends.push(end);
    await gates[at];
    return {
      pid: at + 1,
      ended,
      stop: async () => {
        end();
        await ended;
      },
    };
  };
  return { ends, gates, start };
}

test('a part is restarted once if the caller fails at each change', async () => {
  const { ends, start } = makePart();
  const faults: unknown[] = [];
  kept = await keepRunning(
    'part',
    start,
    (line) => line.kind === 'fault' && faults.push(line['message']),
    () => {
      throw new Error('ENOSPC');
    },
  );
  ends[0]!();
  await expect.poll(() => kept?.pid).toBe(2);
  expect(ends).toHaveLength(2);
  expect(faults).toEqual(['ENOSPC', 'ENOSPC']);
});

test('a part that is renewed during a restart is started again, with the current settings', async () => {
  const { ends, gates, start } = makePart();
  let open: () => void = () => undefined;
  gates[1] = new Promise((done) => {
    open = done;
  });
  kept = await keepRunning('part', start, () => undefined);
  ends[0]!();
  await expect.poll(() => ends.length).toBe(2);
  gates[2] = new Promise((done) => setTimeout(done, 20));
  const renewed = kept.renew();
  open();
  await renewed;
  expect([kept.pid, kept.restarts, ends.length]).toEqual([3, 1, 3]);
});

test('a part that is renewed in the pause before a restart runs afterwards', async () => {
  const { ends, start } = makePart();
  kept = await keepRunning('part', start, () => undefined);
  // The first two restarts are at once.
  for (const restarts of [1, 2, 3]) {
    await expect.poll(() => kept?.pid).toBe(restarts);
    ends[restarts - 1]!();
    await expect.poll(() => kept?.restarts).toBe(restarts);
  }
  expect(kept.isUp).toBe(false);
  await kept.renew();
  expect(kept.isUp).toBe(true);
});

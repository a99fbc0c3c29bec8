// The keeper while its service does not run.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { scriptOf } from '../../support/programs.ts';

/** Long enough for a signal to arrive during it. */
const LONG_PAUSE_MS = 3000;

test('SIGTERM during the pause before a restart ends the keeper without a restart', async () => {
  const script = scriptOf('test/workers/self-hosted/support/crashing-service.ts');
  const keeper = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((done) => keeper.on('exit', (...how) => done(how)));
  const pauses: number[] = [];
  for await (const line of createInterface(keeper.stdout)) {
    pauses.push((JSON.parse(line) as { readonly pauseMs: number }).pauseMs);
    if (pauses.at(-1)! >= LONG_PAUSE_MS) keeper.kill('SIGTERM');
  }
  expect(pauses.filter((pauseMs) => pauseMs >= LONG_PAUSE_MS)).toHaveLength(1);
  expect(await ended).toEqual([0, null]);
});

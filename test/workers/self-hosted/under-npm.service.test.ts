// The service as the guide starts it, by `npm run`: npm hands a signal to the shell between, and no
// further.

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isRunning } from '../../support/processes.ts';
import {
  type Dist,
  discard,
  makeData,
  makeDist,
  type SelfHosted,
  startSelfHosted,
} from '../../support/self-hosted.ts';

const data = makeData();
let dist: Dist;
let service: SelfHosted;
beforeAll(async () => {
  dist = await makeDist();
  service = await startSelfHosted({ dist, data, charts: inject('demoCharts'), byNpm: true });
});
afterAll(async () => {
  for (const { pid } of service?.log() ?? []) {
    try {
      if (pid !== undefined) process.kill(pid, 'SIGTERM');
    } catch {
      // It ended, as it should.
    }
  }
  await discard(service, data);
  dist?.remove();
});

test('a service that npm started ends when npm is ended, and nothing of it runs on', async () => {
  const from = service.lines.length;
  service.child.kill('SIGTERM');
  await service.said(({ kind, state }) => kind === 'service' && state === 'ending', from);
  // Whatever runs on holds the pipe of its lines open.
  await service.closed;
  const left = service
    .log()
    .flatMap(({ pid }) => (pid !== undefined && isRunning(pid) ? [pid] : []));
  expect(left).toEqual([]);
});

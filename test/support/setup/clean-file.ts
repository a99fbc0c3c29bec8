// Vitest runs several test files one after the other in one process, because loading the modules again
// takes longer than most tests. Globals that a test file replaced are restored after it.

import { neonConfig } from '@neondatabase/serverless';
import { afterAll, expect, vi } from 'vitest';

/** This module runs once for each test file. The first run stores the original `setTimeout`. */
const TIMER = Symbol.for('leadline.set-timeout');
const globals = globalThis as { [TIMER]?: typeof setTimeout };
globals[TIMER] ??= setTimeout;

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  // The Neon driver keeps its settings for the whole process.
  neonConfig.fetchEndpoint = neonConfig.defaults.fetchEndpoint;
  // With a fake timer, the following files would wait forever.
  const isReal = setTimeout === globals[TIMER];
  globalThis.setTimeout = globals[TIMER]!;
  expect(isReal, 'this test file did not restore setTimeout; call vi.useRealTimers()').toBe(true);
});

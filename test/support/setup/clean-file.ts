// The test files of a worker run one after the other in one process, because loading the modules again
// takes longer than most tests. Replaced globals are restored before the next file.

import { neonConfig } from '@neondatabase/serverless';
import { afterAll, expect, vi } from 'vitest';

/** This file runs once per test file, and the original values are stored with the first one. */
const TIMER = Symbol.for('leadline.set-timeout');
const kept = globalThis as { [TIMER]?: typeof setTimeout };
kept[TIMER] ??= setTimeout;

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  // The Neon driver keeps its settings for the whole process.
  neonConfig.fetchEndpoint = neonConfig.defaults.fetchEndpoint;
  // With a fake timer, the following files would wait forever.
  const isReal = setTimeout === kept[TIMER];
  globalThis.setTimeout = kept[TIMER]!;
  expect(isReal, 'this file leaves setTimeout replaced for those after it').toBe(true);
});

// Test files of a worker run one after the other in one process, as loading modules anew for each
// takes longer than most of their tests: what one replaced is put back before the next begins.

import { neonConfig } from '@neondatabase/serverless';
import { afterAll, expect, vi } from 'vitest';

/** This file is run for each test file; Neon's driver keeps its settings for the whole process. */
const DRIVER = Symbol.for('leadline.neon-endpoint');
const TIMER = Symbol.for('leadline.set-timeout');
const kept = globalThis as {
  [DRIVER]?: typeof neonConfig.fetchEndpoint;
  [TIMER]?: typeof setTimeout;
};
kept[DRIVER] ??= neonConfig.fetchEndpoint;
kept[TIMER] ??= setTimeout;
const fetchEndpoint = kept[DRIVER];

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  neonConfig.fetchEndpoint = fetchEndpoint;
  // With a timer that never goes off, files after this one would wait without end.
  const isReal = setTimeout === kept[TIMER];
  globalThis.setTimeout = kept[TIMER]!;
  expect(isReal, 'this file leaves setTimeout replaced for those after it').toBe(true);
});

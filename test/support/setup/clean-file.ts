// Test files of a worker run one after the other in one process, as loading modules anew for each
// takes longer than most of their tests: what one replaced is put back before the next begins.

import { neonConfig } from '@neondatabase/serverless';
import { afterAll, expect, vi } from 'vitest';

/** This file is run for each test file: what was there before the first of them is kept for all. */
const TIMER = Symbol.for('leadline.set-timeout');
const kept = globalThis as { [TIMER]?: typeof setTimeout };
kept[TIMER] ??= setTimeout;

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  // Neon's driver keeps its settings for the whole process.
  neonConfig.fetchEndpoint = neonConfig.defaults.fetchEndpoint;
  // With a timer that never goes off, files after this one would wait without end.
  const isReal = setTimeout === kept[TIMER];
  globalThis.setTimeout = kept[TIMER]!;
  expect(isReal, 'this file leaves setTimeout replaced for those after it').toBe(true);
});

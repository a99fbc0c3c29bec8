// Test files of a worker run one after the other in one process, as loading modules anew for each
// takes longer than most of their tests: what one replaced is put back before the next begins.

import { neonConfig } from '@neondatabase/serverless';
import { afterAll, vi } from 'vitest';

/** This file is run for each test file; Neon's driver keeps its settings for the whole process. */
const DRIVER = Symbol.for('leadline.neon-endpoint');
const kept = globalThis as { [DRIVER]?: typeof neonConfig.fetchEndpoint };
kept[DRIVER] ??= neonConfig.fetchEndpoint;
const fetchEndpoint = kept[DRIVER];

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  neonConfig.fetchEndpoint = fetchEndpoint;
});

import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** Kept between runs: what has not changed is left as it is. */
export const TEST_CACHE = join(ROOT, 'node_modules', '.cache', 'leadline-test');

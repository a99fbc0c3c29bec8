// Bundles the project's programs once per run. Tests start them more than a hundred times, and `tsx` would
// take longer to load most of them than they take to run.

import { join } from 'node:path';
import { inject } from 'vitest';

/** All that tests start in processes of their own. */
export const PROGRAMS = [
  'tiles-build/cli.ts',
  'tiles-build/publish/cli.ts',
  'tiles-build/symbols/build-assets.ts',
  'workers/host/admin/migrate.ts',
  'workers/host/admin/styles.ts',
  'workers/host/tokens/cli.ts',
  'workers/web/client/packing/cli.ts',
  'workers/host/deploy/cli.ts',
  'workers/host/serve/start.ts',
  'workers/host/serve/cli.ts',
  'test/tiles-build/pipeline/support/killed-build.ts',
  'test/tiles-build/queue/support/killed-coordinator.ts',
  'test/workers/self-hosted/support/crashing-service.ts',
] as const;

export type Program = (typeof PROGRAMS)[number];

/** The script that Node runs for a program. */
export const scriptOf = (program: Program): string =>
  join(inject('programs'), program.replace(/\.ts$/, '.mjs'));

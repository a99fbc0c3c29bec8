// The unit tests of the mutated code. Other tests are excluded, because each test runs once for every mutant
// that it covers.

import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest takes its settings from there
export default defineConfig({
  test: {
    include: [
      'test/shared/bathymetry/split-tracks.test.ts',
      'test/shared/contract/tile-path.test.ts',
      'test/shared/reports/report.test.ts',
      'test/workers/identity/caller.test.ts',
      'test/workers/identity/presented-token.test.ts',
    ],
    testTimeout: 900_000,
    setupFiles: 'test/support/setup/clean-file.ts',
  },
});

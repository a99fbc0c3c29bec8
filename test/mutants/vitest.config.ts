// The unit tests that mutants are tried against: those of the code that is mutated, and no others, as
// each is run again for every mutant that it reaches.

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

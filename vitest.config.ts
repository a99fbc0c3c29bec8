import { relative } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { filesOfKind, importsThrough, KINDS } from './test/support/kinds.ts';

/** Built by the first test that asks for them, while others that ask wait. */
const REAL_CHARTS = 'test/support/real-charts.ts';
/** Always asks for them; some tests ask only in a long run. */
const BUILDS_THEM = 'test/e2e/seams.browser.test.ts';

/**
 * The most demanding kinds take longest: begun first, they leave no worker idle at the end. One test that
 * needs charts of real cells begins with building them, and those that would wait for it come late.
 */
class MostDemandingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const pathOf = ({ moduleId }: TestSpecification) => relative(import.meta.dirname, moduleId);
    const isWaiting = (file: TestSpecification) => importsThrough(pathOf(file)).has(REAL_CHARTS);
    const inOrder = [...KINDS].reverse().flatMap((kind) => {
      const ofKind = sorted.filter(({ project }) => project.name === kind);
      return [...ofKind.filter((file) => !isWaiting(file)), ...ofKind.filter(isWaiting)];
    });
    const first = inOrder.find((file) => pathOf(file) === BUILDS_THEM) ?? inOrder.find(isWaiting);
    return first === undefined ? inOrder : [first, ...inOrder.filter((file) => file !== first)];
  }
}

/** A long timeout, because machines are busy. */
const POLL = { timeout: 120_000 };

/** An imported WebAssembly file as the platform gives it to the Worker: compiled. */
const compiledWasm: Plugin = {
  name: 'compiled-wasm',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('.wasm')
      ? `import { readFileSync } from 'node:fs';
         export default new WebAssembly.Module(readFileSync(${JSON.stringify(id)}));`
      : undefined,
};

export default defineConfig({
  plugins: [compiledWasm],
  test: {
    // For what hangs: nothing is timed, as machines are busy. Charts of real cells are built in hooks,
    // one set after the other.
    testTimeout: 900_000,
    hookTimeout: 1_800_000,
    // One more than the cores of a small machine: browsers, databases and timers keep tests waiting.
    maxWorkers: 3,
    isolate: false,
    setupFiles: 'test/support/setup/clean-file.ts',
    expect: { poll: POLL },
    // Refusals of the front are logged by the process that it runs in, which here is the tests' own.
    onConsoleLog: (text) => (text.startsWith('{"time":') ? false : undefined),
    reporters: ['default', './test/support/end-of-run.ts'],
    sequence: { sequencer: MostDemandingFirst },
    projects: KINDS.map((kind) => ({
      extends: true,
      test: {
        name: kind,
        ...filesOfKind(kind),
        // Unit tests need nothing; what the others do is made once in a run, whichever kinds need it.
        ...(kind === 'unit'
          ? { pool: 'threads' as const }
          : { globalSetup: 'test/support/setup/all.ts' }),
        // Looking at a page delays what it draws.
        ...(kind === 'browser' ? { expect: { poll: { ...POLL, interval: 250 } } } : {}),
      },
    })),
  },
});

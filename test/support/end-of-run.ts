// The end of a run: what was skipped and why, and the count on a line of its own.

import { relative, resolve } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { importsThrough } from './kinds.ts';
import { ABSENT } from './machine.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export default class EndOfRun implements Reporter {
  #print: (line: string) => void = () => undefined;

  onInit(vitest: Vitest): void {
    this.#print = (line) => vitest.logger.log(line);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const paths = modules.map(({ moduleId }) => relative(ROOT, moduleId));
    for (const { support, message } of ABSENT) {
      const affected = paths.filter((path) => importsThrough(path).has(support)).sort();
      if (affected.length === 0) continue;
      this.#print(`Skipped ${message}:`);
      for (const path of affected) this.#print(`  ${path}`);
    }
    const states = modules.flatMap(({ children }) =>
      [...children.allTests()].map((test) => test.result().state),
    );
    const count = (wanted: string) => states.filter((state) => state === wanted).length;
    // Files that cannot be loaded and hooks that fail have no failed test.
    const silent = modules.filter((one) => !one.ok() && failedTests(one) === 0).length;
    const failed = count('failed') + silent + errors.length;
    this.#print(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`);
  }
}

const failedTests = ({ children }: TestModule): number => [...children.allTests('failed')].length;

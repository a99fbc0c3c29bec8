// The bundled Worker, from which each test file starts a runtime of its own.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import type { TestProject } from 'vitest/node';
import { bundleWorker } from '../../../workers/host/bundle/bundle.ts';
import { oncePerRun } from './once-per-run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** File with the modules of the bundled Worker, as `node:v8` writes values. */
    readonly worker: string;
    /** Folder for what the test files of a run share; deleted at its end. */
    readonly runFolder: string;
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  const folder = await oncePerRun('worker', async () => {
    const made = mkdtempSync(join(tmpdir(), 'leadline-run-'));
    writeFileSync(join(made, 'modules'), serialize(await bundleWorker()));
    return made;
  });
  project.provide('worker', join(folder, 'modules'));
  project.provide('runFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

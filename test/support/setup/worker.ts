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
    /** Path of the file with the modules of the bundled Worker, serialized with `node:v8`. */
    readonly worker: string;
    /** Folder that all test files of a run share. It is deleted when the run ends. */
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

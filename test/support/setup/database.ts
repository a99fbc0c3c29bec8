// A database server whose databases are copies of a migrated one.

import type { TestProject } from 'vitest/node';
import { startTemplateServer, type TemplateServer } from '../template-server.ts';
import { oncePerRun } from './once-per-run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly templateServer: TemplateServer;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await oncePerRun('database', async () => {
    const started = await startTemplateServer();
    let stopped: Promise<void> | undefined;
    // Each project undoes what it had prepared.
    return { ...started, stop: () => (stopped ??= started.stop()) };
  });
  project.provide('templateServer', server);
  return stop;
}

// The two processes of the runtime, which the supervisor keeps running: the one that serves, and the one
// that does heavy work for it.

import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../database/json-log.ts';
import { type Kept, keepRunning, type Running } from '../database/keep-running.ts';
import type { Built } from './built.ts';
import {
  heavyWorkConfig,
  type RuntimeLayout,
  type RuntimeSockets,
  serviceConfig,
} from './runtime-config.ts';
import { startRuntime } from './runtime-process.ts';

/** Requests under way may end; for the second one only those count whose asker was killed. */
const STOP_LIMIT_MS = { service: 3000, heavyWork: 1000 } as const;

/** What both are started with, found anew at each start. */
export interface RuntimeStart {
  readonly layout: Pick<
    RuntimeLayout,
    'chartsDir' | 'assetsDir' | 'packedDir' | 'edgeDir' | 'databaseProxy'
  >;
  readonly settings: Readonly<Record<string, string>>;
  /** No line is printed for requests that succeed. */
  readonly printsFailures?: boolean;
}

export interface Runtimes {
  readonly parts: readonly Kept[];
  /** Start both anew. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

/** Sockets of both, in the folder of the run. */
export const socketsIn = (folder: string): Record<'service' | 'heavyWork', RuntimeSockets> => ({
  service: { requests: join(folder, 'service.sock'), supervisor: join(folder, 'supervisor.sock') },
  heavyWork: {
    requests: join(folder, 'heavy-work.sock'),
    supervisor: join(folder, 'heavy-supervisor.sock'),
  },
});

/**
 * Start both, and keep them running. @throws Error where one does not start
 * @param folder of the configurations and sockets
 * @param told called after each start and end
 */
export async function keepRuntimes(
  folder: string,
  { modules, workerDir }: Built,
  read: () => Promise<RuntimeStart>,
  log: Log,
  told: (running: readonly Kept[]) => void,
): Promise<Runtimes> {
  const sockets = socketsIn(folder);
  // Modules are embedded by their names, so the configurations lie beside links to them.
  for (const { name } of modules) symlinkSync(join(workerDir, name), join(folder, name));
  const started = new Map<string, Kept>();
  const tell = (kept: Kept) => {
    started.set(kept.name, kept);
    told([...started.values()]);
  };
  const keep = async (
    name: string,
    which: 'service' | 'heavyWork',
    textOf: (layout: RuntimeLayout) => string,
    isTaken: (setting: string) => boolean,
  ): Promise<Kept> => {
    const { requests, supervisor } = sockets[which];
    const config = join(folder, `${which}.capnp`);
    const start = async (): Promise<Running> => {
      const { layout, settings, printsFailures = false } = await read();
      const own = Object.entries(settings).filter(([setting]) => isTaken(setting));
      const names = own.map(([setting]) => setting);
      writeFileSync(config, textOf({ ...layout, ...sockets, modules, settings: names }), {
        mode: 0o600,
      });
      for (const left of [requests, supervisor]) rmSync(left, { force: true });
      return startRuntime({
        name,
        config,
        supervisorSocket: supervisor,
        settings: Object.fromEntries(own),
        stopLimitMs: STOP_LIMIT_MS[which],
        printsFailures,
      });
    };
    const kept = await keepRunning(name, start, log, tell);
    tell(kept);
    return kept;
  };

  // What the Worker for heavy work is not told with each order.
  const isForHeavyWork = (setting: string) => ['DATABASE_URL', 'DATABASE_PROXY'].includes(setting);
  const heavyWork = await keep('heavy work', 'heavyWork', heavyWorkConfig, isForHeavyWork);
  let service: Kept;
  try {
    service = await keep('runtime', 'service', serviceConfig, () => true);
  } catch (error) {
    await heavyWork.stop();
    throw error;
  }
  const parts = [service, heavyWork];
  return {
    parts,
    renew: async () => {
      await Promise.all(parts.map((part) => part.renew()));
    },
    stop: async () => {
      // What is under way in the first may wait for the second.
      for (const part of parts) await part.stop();
    },
  };
}

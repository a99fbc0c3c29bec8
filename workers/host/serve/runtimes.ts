// Keeps the two runtime processes running: the serving process and the process for heavy work.

import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../database/json-log.ts';
import { keepRunning, type Running, type SupervisedPart } from '../database/keep-running.ts';
import type { Built } from './built.ts';
import {
  heavyWorkConfig,
  type RuntimeLayout,
  type RuntimeSockets,
  serviceConfig,
} from './runtime-config.ts';
import { startRuntime } from './runtime-process.ts';

/** The process for heavy work stops second, so only requests of a killed serving process remain. */
const STOP_LIMIT_MS = { service: 3000, heavyWork: 1000 } as const;

/** Start options of both processes, read again at each start. */
export interface RuntimeStart {
  readonly layout: Pick<
    RuntimeLayout,
    'chartsDir' | 'uploadsDir' | 'assetsDir' | 'packedDir' | 'edgeDir' | 'databaseProxy'
  >;
  readonly settings: Readonly<Record<string, string>>;
  /** Do not print a line for successful requests. */
  readonly printsFailures?: boolean;
}

export interface Runtimes {
  readonly parts: readonly SupervisedPart[];
  /** Restart both processes; resolves when they run again. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

/** Sockets of both processes. */
export const socketsIn = (folder: string): Record<'service' | 'heavyWork', RuntimeSockets> => ({
  service: { requests: join(folder, 'service.sock'), supervisor: join(folder, 'supervisor.sock') },
  heavyWork: {
    requests: join(folder, 'heavy-work.sock'),
    supervisor: join(folder, 'heavy-supervisor.sock'),
  },
});

/**
 * Start both processes and keep them running.
 * @param folder folder for the configurations and sockets
 * @param onChange called after each start and end of a process
 * @throws Error if a process does not start
 */
export async function keepRuntimes(
  folder: string,
  { modules, workerDir }: Built,
  read: () => Promise<RuntimeStart>,
  log: Log,
  onChange: (running: readonly SupervisedPart[]) => void,
): Promise<Runtimes> {
  const sockets = socketsIn(folder);
  // workerd resolves embedded modules relative to the configuration.
  for (const { name } of modules) symlinkSync(join(workerDir, name), join(folder, name));
  const started = new Map<string, SupervisedPart>();
  const report = (kept: SupervisedPart) => {
    started.set(kept.name, kept);
    onChange([...started.values()]);
  };
  const keep = async (
    name: string,
    which: 'service' | 'heavyWork',
    textOf: (layout: RuntimeLayout) => string,
    isTaken: (setting: string) => boolean,
  ): Promise<SupervisedPart> => {
    const { requests, supervisor } = sockets[which];
    const config = join(folder, `${which}.capnp`);
    const start = async (): Promise<Running> => {
      const { layout, settings, printsFailures = false } = await read();
      const ownSettings = Object.entries(settings).filter(([setting]) => isTaken(setting));
      const names = ownSettings.map(([setting]) => setting);
      writeFileSync(config, textOf({ ...layout, ...sockets, modules, settings: names }), {
        mode: 0o600,
      });
      for (const left of [requests, supervisor]) rmSync(left, { force: true });
      return startRuntime({
        name,
        config,
        supervisorSocket: supervisor,
        settings: Object.fromEntries(ownSettings),
        stopLimitMs: STOP_LIMIT_MS[which],
        printsFailures,
      });
    };
    const kept = await keepRunning(name, start, log, report);
    report(kept);
    return kept;
  };

  // The other settings are sent with each request for heavy work.
  const isForHeavyWork = (setting: string) => ['DATABASE_URL', 'DATABASE_PROXY'].includes(setting);
  const heavyWork = await keep('heavy work', 'heavyWork', heavyWorkConfig, isForHeavyWork);
  let service: SupervisedPart;
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
      // In this order, because requests in the first may wait for the second.
      for (const part of parts) await part.stop();
    },
  };
}

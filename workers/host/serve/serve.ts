// The supervisor of `leadline serve`. It starts the database, the runtime and the HTTP front, keeps them
// running, and stops them in order.

import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { SavedStyleInput } from '../../../shared/contract/saved-style.ts';
import { readSettings } from '../../service/runtime/env.ts';
import { invalidSetting } from '../../service/runtime/setting-texts.ts';
import { ensureKeys, loadUserTokenSecret, publicKeySet } from '../admin/keys.ts';
import { explain } from '../database/explain.ts';
import { type Log, reasonOf } from '../database/json-log.ts';
import type { SupervisedPart } from '../database/keep-running.ts';
import { type LocalDatabase, startLocalDatabase } from '../database/local-database.ts';
import { type HttpFront, openHttpFront } from '../front/http-front.ts';
import { openFolderStore } from '../registry/edge-store.ts';
import { ensureDefaultToken } from '../registry/issue-token.ts';
import { publishOpaqueTokens } from '../registry/opaque-tokens.ts';
import { ensureAdministrator } from '../registry/portal-users.ts';
import { withRegistry } from '../registry/registry.ts';
import type { Built } from './built.ts';
import { keepChartWorker } from './chart-worker.ts';
import { openForeignDatabase } from './foreign-database.ts';
import { type ServeOptions, tidyEveryMs } from './options.ts';
import { type PublishCharts, prepareCharts } from './prepare-charts.ts';
import { readProvisionedStyles, saveProvisionedStyles } from './provisioning.ts';
import { askRuntime } from './runtime-process.ts';
import { keepRuntimes, type RuntimeStart, type Runtimes, socketsIn } from './runtimes.ts';
import {
  chartsStore,
  claimState,
  edgeStore,
  makeScratch,
  noteRun,
  releaseState,
  uploadsStore,
} from './state-folder.ts';

export interface Serving {
  readonly host: string;
  readonly port: number;
  /** Connection URL of the database's owner; `undefined` if there was no database at the start. */
  readonly ownerUrl: string | undefined;
  /** `ownerUrl` as soon as there is a database; `undefined` if the service stopped before. */
  readonly joined: Promise<string | undefined>;
  /** Restart the runtime with the current keys and settings. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

const PARTS_EVERY_MS = 60_000;
const DATABASE_RETRY_MS = 5000;
const LAST_BYTES_MS = 500;

/** @throws Error if there are no charts, a provisioned style is invalid, or the port is not available */
export async function serve(
  options: ServeOptions,
  built: Built,
  publish: PublishCharts,
  log: Log,
): Promise<Serving> {
  const { data, host } = options;
  const styles = readProvisionedStyles(options.provisioning);
  await claimState(data, log);
  for (const name of readSettings(options.settings).faults)
    log({ kind: 'fault', where: 'settings', message: invalidSetting(name) });
  const scratch = makeScratch();
  noteRun(data, { scratch }, log);
  const { requests: socketPath, supervisor: socket } = socketsIn(scratch).service;
  let isStopping = false;
  let database: LocalDatabase | undefined;
  let runtimes: Runtimes | undefined;
  let front: HttpFront | undefined;
  let charts: SupervisedPart | undefined;
  let tidiedAt = Number.NEGATIVE_INFINITY;

  const readStart = async (): Promise<RuntimeStart> => {
    // Read at each start, because `npm run tokens` may change keys while the service runs.
    const keys = JSON.stringify(publicKeySet(await ensureKeys(data)));
    const { DATABASE_URL, DATABASE_PROXY } = database?.bindings ?? {};
    const settings: Record<string, string> = {
      ...options.settings,
      TOKEN_KEYS: keys,
      USER_TOKEN_SECRET: await loadUserTokenSecret(data),
      ...(DATABASE_URL === undefined ? {} : { DATABASE_URL }),
      ...(DATABASE_PROXY === undefined ? {} : { DATABASE_PROXY }),
    };
    const layout = {
      chartsDir: chartsStore(data),
      uploadsDir: uploadsStore(data),
      assetsDir: built.assetsDir,
      packedDir: built.packedDir,
      edgeDir: edgeStore(data),
      // Without a database, connections must fail: nothing listens on the discard port.
      databaseProxy: database === undefined ? '127.0.0.1:9' : DATABASE_PROXY,
    };
    return { layout, settings, printsFailures: options.printsFailures ?? false };
  };

  /** Send the state of the parts to the runtime, for its metrics. */
  const reportParts = (kept: readonly SupervisedPart[] = runtimes?.parts ?? []) => {
    const parts = [database?.server, ...kept, charts].flatMap((part) =>
      part === undefined ? [] : [{ part: part.name, restarts: part.restarts, up: part.isUp }],
    );
    void askRuntime(socket, '/parts', { body: parts }).catch(() => undefined);
  };
  const noteRunning = (kept: readonly SupervisedPart[]) => {
    noteRun(data, { scratch, runtimes: kept.flatMap(({ pid }) => pid ?? []) }, log);
    reportParts(kept);
  };

  const stop = async () => {
    isStopping = true;
    clearInterval(timer);
    const drained = front?.drain();
    // Before the database, because requests in progress use it.
    await runtimes?.stop();
    // Slow clients may still be reading their responses.
    await Promise.race([drained, pause(LAST_BYTES_MS)]);
    await front?.close();
    await charts?.stop();
    await database?.stop();
    rmSync(scratch, { recursive: true, force: true });
    releaseState(data);
  };

  const timer = setInterval(() => {
    reportParts();
    if (database === undefined || performance.now() - tidiedAt < tidyEveryMs(options)) return;
    tidiedAt = performance.now();
    askRuntime(socket, '/tidy', { limitMs: PARTS_EVERY_MS }).catch((error: unknown) =>
      log({ kind: 'fault', where: 'tidy', message: reasonOf(error) }),
    );
  }, PARTS_EVERY_MS);

  try {
    await prepareCharts(options, publish, (message) =>
      log({ kind: 'fault', where: 'charts', message }),
    );
    database = await openDatabase(options, styles, log).catch((error: unknown) => {
      log({ kind: 'fault', where: 'database', message: reasonOf(error) });
      return undefined;
    });
    runtimes = await keepRuntimes(scratch, built, readStart, log, noteRunning);
    front = await openHttpFront(options.port, { socketPath }, host);
    charts = await startChartWorker();
  } catch (error) {
    await stop();
    throw error;
  }

  /** Charts are also served without the worker. */
  function startChartWorker(): Promise<SupervisedPart | undefined> {
    return keepChartWorker(options, () => database?.bindings.DATABASE_URL, log).catch(
      (error: unknown) => {
        log({ kind: 'fault', where: 'chart worker', message: reasonOf(error) });
        return undefined;
      },
    );
  }

  /** Without a database, only charts are served. Retry until the database is available. */
  const joinDatabase = async (): Promise<string | undefined> => {
    while (database === undefined && !isStopping) {
      await new Promise((done) => setTimeout(done, DATABASE_RETRY_MS).unref());
      const opened = await openDatabase(options, styles, log).catch(() => undefined);
      if (opened === undefined) continue;
      if (isStopping) {
        await opened.stop();
        return undefined;
      }
      database = opened;
      log({ kind: 'part', part: 'database', state: 'joined' });
      await runtimes?.renew();
      charts ??= await startChartWorker();
    }
    return database?.ownerUrl;
  };
  return {
    host,
    port: front.port,
    ownerUrl: database?.ownerUrl,
    joined: joinDatabase(),
    stop,
    renew: async () => runtimes?.renew(),
  };
}

/** Open the database and save the provisioned styles. */
async function openDatabase(
  options: ServeOptions,
  styles: readonly SavedStyleInput[],
  log: Log,
): Promise<LocalDatabase> {
  const { data, databaseUrl, databaseOwnerUrl, provisioningAccount } = options;
  const isOurs = databaseUrl === undefined && databaseOwnerUrl === undefined;
  const opened = isOurs
    ? await startLocalDatabase(data, log)
    : await openForeignDatabase({ data, databaseUrl, databaseOwnerUrl }, log);
  try {
    await saveProvisionedStyles(opened.ownerUrl, provisioningAccount, styles);
    await publishTokens(options, opened, log);
    await createAdministrator(options, opened, log);
    return opened;
  } catch (error) {
    await opened.stop();
    throw error;
  }
}

/**
 * Publish all opaque tokens, because the data folder may be new, after creating that of the settings. The
 * service also starts if this fails, because its charts need no database.
 */
async function publishTokens(
  { data, defaultToken: text }: ServeOptions,
  { ownerUrl }: LocalDatabase,
  log: Log,
): Promise<void> {
  const store = openFolderStore(edgeStore(data));
  await withRegistry(ownerUrl, async (registry) => {
    if (text !== undefined) {
      await ensureDefaultToken({ registry, actor: 'PROVISIONING_DEFAULT_TOKEN' }, { store, text });
    }
    await publishOpaqueTokens(registry, store);
  }).catch((error: unknown) => {
    const message = `Not all opaque tokens were published. ${explain(error)}`;
    log({ kind: 'fault', where: 'opaque tokens', message });
  });
}

/** The account of the first administrator. */
export const OPERATOR_ACCOUNT = 'operator';

/** Create the administrator of the settings, unless there are users. The service starts either way. */
async function createAdministrator(
  { administrator: user }: ServeOptions,
  { ownerUrl }: LocalDatabase,
  log: Log,
): Promise<void> {
  if (user === undefined) return;
  await withRegistry(ownerUrl, (registry) =>
    ensureAdministrator(
      { registry, actor: 'INITIAL_ADMIN_EMAIL' },
      { ...user, account: OPERATOR_ACCOUNT },
    ),
  ).catch((error: unknown) => {
    const message = `The administrator was not created. ${explain(error)}`;
    log({ kind: 'fault', where: 'portal', message });
  });
}

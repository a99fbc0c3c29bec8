// `npm start`: brings up everything the service needs on one machine, in order, and takes it all
// down again. Building is done by the build's own commands, run as child processes.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { Miniflare } from 'miniflare';
import { readManifest } from '../../../shared/chart/read-manifest.ts';
import { TILE_SCHEMA_VERSION } from '../../../shared/chart/tile-schema.ts';
import { NAMES_TILESET } from '../../../shared/names/name-page.ts';
import { settingsHelp } from '../../service/runtime/setting-table.ts';
import { sha256 } from '../../service/runtime/sha256.ts';
import {
  ensureKeys,
  type KeyStore,
  loadUserTokenSecret,
  mintDevelopmentToken,
} from '../admin/keys.ts';
import { buildPage } from '../bundle/build-page.ts';
import { bundleWorker } from '../bundle/bundle.ts';
import { miniflareOptions, settingsFrom } from '../bundle/miniflare-options.ts';
import type { LogLine } from '../database/json-log.ts';
import { databaseAt, type LocalDatabase, startLocalDatabase } from '../database/local-database.ts';
import { endOnlyOurWay, freePort, onceOnStop, runTool, step } from '../database/process.ts';
import { openHttpFront } from '../front/http-front.ts';
import { issueDevelopmentToken } from '../registry/issue-token.ts';
import { withRegistry } from '../registry/registry.ts';
import { ROOT } from './root.ts';

interface Options {
  readonly charts: string | undefined;
  readonly data: string;
  readonly port: number;
}

/** What was asked for; --help and mistakes end the process with their text. */
function readOptions(): Options {
  const { charts, data } = new Command('npm start --')
    .description(
      'Start Leadline on this machine, with the demo charts (fictional, not for navigation) or your own.',
    )
    .option('--charts <dir>', 'charts made by: npm run charts -- build --enc … --out <dir>')
    .option('--data <dir>', 'where state is kept: bucket, database, keys', join(ROOT, '.data'))
    .addHelpText(
      'after',
      `
Environment: PORT (default 8787; 0 takes any free port), DATABASE_URL for a database of your own
(else one is kept in the data folder), and the settings of the service:

${settingsHelp()}`,
    )
    .allowExcessArguments(false)
    .parse()
    .opts<{ charts?: string; data: string }>();
  const port = Number(process.env['PORT'] ?? 8787);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    console.error(`PORT must be a whole number from 0 to 65535, not "${process.env['PORT']}".`);
    process.exit(1);
  }
  return { charts, data: resolve(data), port };
}

/** The folder of archives to serve: the caller's, or the demo's, built the first time and after changes. */
async function chartsFolder(options: Options): Promise<string> {
  if (options.charts !== undefined) {
    const folder = resolve(options.charts);
    if (!existsSync(join(folder, 'manifest.json'))) {
      throw new Error(`${folder} holds no manifest.json; make it with: npm run charts -- build`);
    }
    return folder;
  }
  const folder = join(options.data, 'demo', 'charts');
  if (!(await areCurrent(folder))) {
    const cells = join(options.data, 'demo', 'cells');
    await step('Writing the demo cells', () => charts('demo', '--out', cells));
    await step('Building the demo charts', () => charts('build', '--enc', cells, '--out', folder));
  }
  return folder;
}

/** Whether charts are there, of this schema and with all archives that the service asks. */
async function areCurrent(folder: string): Promise<boolean> {
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) return false;
  const manifest = await readManifest(readFileSync(path, 'utf8'), sha256).catch(() => undefined);
  return (
    manifest?.schemaVersion === TILE_SCHEMA_VERSION &&
    manifest.archives.some(({ tileset }) => tileset === NAMES_TILESET)
  );
}

const charts = (...words: string[]) => runTool(ROOT, 'tiles-build/cli.ts', words);

/** The database, or nothing and the reason: charts are served without one. */
async function openDatabase(options: Options): Promise<LocalDatabase | undefined> {
  const own = process.env['DATABASE_URL'];
  try {
    return await (own === undefined || own === ''
      ? startLocalDatabase(options.data, tellEnds)
      : databaseAt(own));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`No database, so nothing that is kept in one is served. ${reason}`);
    return undefined;
  }
}

/** A server that ended is started again, and that is said. */
function tellEnds({ kind, state, part, message }: LogLine): void {
  if (kind === 'part' && state !== 'up') console.error(`${part} ${state}: ${message}`);
}

/** Entered like every other token; only signed where there is no database, as charts need none. */
async function developmentToken(keys: KeyStore, ownerUrl: string | undefined): Promise<string> {
  const issue = (url: string) =>
    withRegistry(url, (registry) => issueDevelopmentToken({ registry, actor: 'npm start' }, keys));
  if (ownerUrl === undefined) return mintDevelopmentToken(keys);
  return issue(ownerUrl).catch(() => mintDevelopmentToken(keys));
}

/** The clock of the platform, as wrangler.toml sets it. @returns what stops it */
function everyMinute(runtime: Miniflare): () => Promise<void> {
  const timer = setInterval(async () => {
    const worker = await runtime.getWorker();
    await worker.scheduled({ cron: '* * * * *', scheduledTime: new Date() });
  }, 60_000);
  return async () => clearInterval(timer);
}

async function start(): Promise<void> {
  const options = readOptions();
  const stops: (() => Promise<unknown>)[] = [];
  const stop = onceOnStop(async () => {
    for (const undo of stops.reverse()) await undo().catch(() => undefined);
  });

  try {
    const port = await freePort(options.port);
    const assets = join(ROOT, 'dist', 'assets');
    // Comes up while everything else is made.
    const opening = openDatabase(options);
    stops.push(async () => (await opening)?.stop());
    await step('Bundling the chart page', () => buildPage(ROOT, assets));
    await step('Drawing symbols and letters', () =>
      runTool(ROOT, 'tiles-build/symbols/build-assets.ts', []),
    );
    const folder = await chartsFolder(options);
    await step('Publishing the charts to the local bucket', () =>
      charts('publish', folder, '--local', '--data', options.data),
    );
    const keys = await ensureKeys(options.data);
    const userTokenSecret = await loadUserTokenSecret(options.data);
    const settings = settingsFrom(process.env);
    const modules = await step('Bundling the Worker', () => bundleWorker());
    const opened = await step('Starting the database', () => opening);
    const database = opened?.bindings;
    const workerPort = await freePort(0);
    const where = { dataDir: options.data, port: workerPort, assetsDir: assets };
    const runtime = new Miniflare(
      miniflareOptions({ modules, keys, userTokenSecret, ...where, database, settings }),
    );
    stops.push(() => runtime.dispose());
    endOnlyOurWay();
    await step('Starting the Worker', () => runtime.ready);
    stops.push(everyMinute(runtime));
    const front = await openHttpFront(port, { port: workerPort });
    stops.push(() => front.close());

    const token = await developmentToken(keys, opened?.ownerUrl);
    const address = `http://127.0.0.1:${port}`;
    console.log('');
    console.log(`Leadline is ready: ${address}`);
    console.log(`Development token: ${token}`);
    console.log(`Chart page: ${address}/#token=${token}`);
    console.log('Charts made here are not for navigation. Ctrl-C stops everything.');
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    await stop(1);
  }
}

await start();

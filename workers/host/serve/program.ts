// The words of `leadline`, and what each of them runs.

import { Command } from 'commander';
import { logLine, reasonOf } from '../database/json-log.ts';
import { onceOnStop, step } from '../database/process.ts';
import { addBackupCommands } from './backup-commands.ts';
import { type Built, builtAt, distOf } from './built.ts';
import { prepareDemoCharts, publish } from './demo-charts.ts';
import { isKept, keepServing, tellReady } from './keeper.ts';
import { type ServeOptions, serveOptions } from './options.ts';
import { isPacked, ROOT } from './root.ts';
import { serve } from './serve.ts';

interface ServeWords {
  readonly charts?: string;
  readonly demo?: boolean;
  readonly data?: string;
  readonly host?: string;
  readonly port?: string;
}

/** @returns the exit code; while the service runs, it is not settled */
export async function runLeadline(words: readonly string[]): Promise<number> {
  const program = new Command('leadline')
    .description('Leadline on a machine of your own.')
    .exitOverride();
  program
    .command('serve')
    .description('serve charts, reports and routes until asked to end')
    .option('--charts <dir>', 'a build to publish first: npm run charts -- build (LEADLINE_CHARTS)')
    .option('--demo', 'publish the demo charts first: fictional, not for navigation')
    .option('--data <dir>', 'folder of the state: keys, database, charts (LEADLINE_DATA; .data)')
    .option('--host <address>', 'address to listen at (HOST; 127.0.0.1)')
    .option('--port <number>', 'port to listen at, 0 for any (PORT; 8787)')
    .addHelpText('after', SERVE_HELP)
    .action(runServe);
  program
    .command('build')
    .description('make what serving needs: the Worker, the chart page, symbols and letters')
    .option('--assets', 'the page, symbols and letters alone, as the edge needs them')
    .option('--programs', 'also the programs of a container, as plain scripts')
    .action(build);
  addBackupCommands(program);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const known = error as { exitCode?: number; code?: string };
    if (known.code?.startsWith('commander.') === true) return known.exitCode ?? 1;
    logFailure(error);
    return 1;
  }
}

const SERVE_HELP = `
Environment: PUBLIC_URL (the address that everybody asks at, such as https://charts.example),
TRUSTED_PROXIES (whose X-Forwarded-* are believed: addresses, networks, loopback, private),
METRICS_FROM (who may read /metrics; loopback), DATABASE_URL and DATABASE_OWNER_URL (a PostgreSQL of
your own; else one is kept in the data folder), CACHE_MEGABYTES, and the settings of workers/service/runtime/SETTINGS.md.
SIGHUP reads keys anew; SIGTERM ends everything within five seconds.`;

function logFailure(error: unknown): void {
  process.stderr.write(`${reasonOf(error)}\n`);
}

interface BuildWords {
  readonly assets?: boolean;
  readonly programs?: boolean;
}

async function build({ assets, programs }: BuildWords): Promise<void> {
  // Its tools are not where the service only runs.
  const tools = await import('./build.ts');
  await step('Making the chart page, symbols and letters', () => tools.buildAssets(ROOT));
  if (assets) return;
  await step('Compressing static files', () => tools.packBuiltAssets(ROOT));
  await step('Making the Worker', () => tools.buildWorker(ROOT));
  if (programs) await step('Making the programs', () => tools.buildPrograms(ROOT));
}

async function ensureBuilt(): Promise<Built> {
  const dist = process.env['LEADLINE_DIST'] ?? distOf(ROOT);
  const before = builtAt(dist);
  if (before !== undefined) return before;
  if (isPacked()) throw new Error(`Nothing was built below ${dist}.`);
  logLine({ kind: 'build', message: 'making the Worker, the page and the artwork' });
  const { buildAssets, buildWorker, packBuiltAssets } = await import('./build.ts');
  await buildAssets(ROOT);
  await packBuiltAssets(ROOT);
  await buildWorker(ROOT);
  const made = builtAt(dist);
  if (made === undefined) throw new Error(`Nothing was made below ${dist}.`);
  return made;
}

async function runServe(words: ServeWords): Promise<void> {
  const given = serveOptions(words, process.env);
  if (isKept()) return superviseParts(words, given);
  process.exitCode = await keepServing(given.port);
}

/** In the process that the keeper keeps: the parts, and their supervisor. */
async function superviseParts(words: ServeWords, given: ServeOptions): Promise<void> {
  const options: ServeOptions =
    words.demo === true ? { ...given, charts: await prepareDemoCharts(given.data) } : given;
  const stops: (() => Promise<void>)[] = [];
  const stop = onceOnStop(async () => {
    logLine({ kind: 'service', state: 'ending' });
    for (const undo of stops) await undo();
  });
  try {
    const built = await ensureBuilt();
    const serving = await serve(options, built, publish, logLine);
    stops.push(serving.stop);
    process.removeAllListeners('SIGHUP');
    process.on('SIGHUP', () => void serving.renew());
    const { host, port } = serving;
    logLine({ kind: 'service', state: 'ready', host, port, pid: process.pid });
    tellReady(port);
    await new Promise(() => undefined);
  } catch (error) {
    logFailure(error);
    await stop(1);
  }
}

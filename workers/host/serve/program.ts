// The subcommands of `leadline`.

import { Command } from 'commander';
import { refuseEmptyOptions } from '../../../shared/contract/command-program.ts';
import { explain } from '../database/explain.ts';
import { continueWithoutOutput, logLine } from '../database/json-log.ts';
import { onceOnStop, step } from '../database/process.ts';
import { createFirstLink, signInLink } from '../registry/portal-users.ts';
import { withRegistry } from '../registry/registry.ts';
import { addBackupCommands } from './backup-commands.ts';
import { type Built, builtAt, distOf, sourcesOf } from './built.ts';
import { demoCells, prepareDemoCharts, publish } from './demo-charts.ts';
import { isSupervised, notifyReady, superviseService } from './keeper.ts';
import { type ServeOptions, serveOptions } from './options.ts';
import { isPacked, ROOT } from './root.ts';
import { OPERATOR_ACCOUNT, type Serving, serve } from './serve.ts';
import { variablesHelp } from './variables.ts';

interface ServeArguments {
  readonly charts?: string;
  readonly demo?: boolean;
  readonly data?: string;
  readonly host?: string;
  readonly port?: string;
}

/** @returns the exit code; pending while the service runs */
export async function runLeadline(args: readonly string[]): Promise<number> {
  const program = new Command('leadline')
    .description('Run Leadline on your own machine.')
    .exitOverride()
    .hook('preAction', (_, command) => refuseEmptyOptions(command));
  program
    .command('serve')
    .description('serve charts, reports and routes until stopped')
    .option(
      '--charts <dir>',
      'chart build to publish first, made with npm run charts -- build (LEADLINE_CHARTS)',
    )
    .option('--demo', 'publish the demo charts first: fictional, not for navigation')
    .option('--data <dir>', 'data folder: keys, database, charts (LEADLINE_DATA; default: .data)')
    .option('--host <address>', 'address to listen on (HOST; default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any free port (PORT; default: 8787)')
    .addHelpText('after', SERVE_HELP)
    .action(runServe);
  program
    .command('build')
    .description('build the Worker, the chart page, symbols and fonts')
    .option('--assets', 'only the page, symbols and fonts, as a deployment needs them')
    .option('--programs', 'also bundle the programs of the container')
    .action(build);
  addBackupCommands(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const known = error as { exitCode?: number; code?: string };
    if (known.code?.startsWith('commander.') === true) return known.exitCode ?? 1;
    logFailure(error);
    return 1;
  }
}

const SERVE_HELP = `
Environment:
${variablesHelp()}
and the settings in workers/service/runtime/SETTINGS.md.

SIGHUP reloads the keys. SIGTERM stops the service within five seconds.`;

function logFailure(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
}

interface BuildCommandOptions {
  readonly assets?: boolean;
  readonly programs?: boolean;
}

async function build({ assets, programs }: BuildCommandOptions): Promise<void> {
  // Imported here, because the container does not have the build tools.
  const tools = await import('./build.ts');
  await step('Building the chart page, symbols and fonts', () => tools.buildAssets(ROOT));
  if (assets) return;
  await step('Compressing static files', () => tools.packBuiltAssets(ROOT));
  await step('Bundling the Worker', () => tools.buildWorker(ROOT));
  if (programs) await step('Bundling the programs', () => tools.buildPrograms(ROOT));
}

async function ensureBuilt(): Promise<Built> {
  const dist = process.env['LEADLINE_DIST'] ?? distOf(ROOT);
  const sources = sourcesOf(ROOT);
  const before = builtAt(dist, sources, isPacked() ? import.meta.dirname : undefined);
  if (before !== undefined) return before;
  if (isPacked())
    throw new Error(
      `There is no complete build of the installed version in ${dist}. Run npm run build -- --programs, or set LEADLINE_DIST to the folder of the build.`,
    );
  logLine({ kind: 'build', message: 'building the Worker, the page, symbols and fonts' });
  const { buildAssets, buildWorker, packBuiltAssets } = await import('./build.ts');
  await buildAssets(ROOT);
  await packBuiltAssets(ROOT);
  await buildWorker(ROOT);
  const built = builtAt(dist, sources);
  if (built === undefined)
    throw new Error(
      `The build in ${dist} is incomplete, or of another version. If LEADLINE_DIST is set, unset it; then run npm run build.`,
    );
  return built;
}

async function runServe(args: ServeArguments): Promise<void> {
  const given = serveOptions(args, process.env);
  continueWithoutOutput();
  if (isSupervised()) return superviseParts(args, given);
  process.exitCode = await superviseService(given.port);
}

/** Log a sign-in link for the portal if it has no users and the settings name no administrator. */
async function logFirstLink(
  { administrator, settings }: ServeOptions,
  { joined, host, port }: Serving,
): Promise<void> {
  const ownerUrl = await joined;
  if (ownerUrl === undefined || administrator !== undefined) return;
  const link = await withRegistry(ownerUrl, (registry) =>
    createFirstLink({ registry, actor: 'leadline serve' }, OPERATOR_ACCOUNT),
  ).catch((error: unknown) => {
    logLine({ kind: 'fault', where: 'portal', message: explain(error) });
    return undefined;
  });
  if (link === undefined) return;
  const address =
    settings['PUBLIC_URL'] ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const message = 'The portal has no users yet. This link signs you in once, within a day.';
  logLine({ kind: 'portal', message, link: signInLink(address, link) });
}

/** Run the supervisor in the process that the keeper started. */
async function superviseParts(args: ServeArguments, given: ServeOptions): Promise<void> {
  const options: ServeOptions =
    args.demo === true
      ? { ...given, charts: await prepareDemoCharts(given.data), cells: [demoCells(given.data)] }
      : given;
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
    notifyReady(port);
    await logFirstLink(options, serving);
    await new Promise(() => undefined);
  } catch (error) {
    logFailure(error);
    await stop(1);
  }
}

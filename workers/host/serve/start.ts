// `npm start`: runs the self-hosted service on this machine with the demo charts and a development token.

import { Command } from 'commander';
import { refuseEmptyOptions } from '../../../shared/contract/command-program.ts';
import { settingsHelp } from '../../service/runtime/setting-texts.ts';
import { ensureKeys, type KeyStore, mintDemoToken, mintDevelopmentToken } from '../admin/keys.ts';
import { continueWithoutOutput, type LogLine } from '../database/json-log.ts';
import { freePort, onceOnStop, step } from '../database/process.ts';
import { issueDevelopmentToken } from '../registry/issue-token.ts';
import {
  createLink,
  ensureAdministrator,
  listUsers,
  signInLink,
} from '../registry/portal-users.ts';
import { withRegistry } from '../registry/registry.ts';
import { buildAssets, buildWorker, packBuiltAssets } from './build.ts';
import { builtAt, distOf } from './built.ts';
import { demoCells, prepareDemoCharts, publish } from './demo-charts.ts';
import { type ServeOptions, serveOptions } from './options.ts';
import { ROOT } from './root.ts';
import { OPERATOR_ACCOUNT, type Serving, serve } from './serve.ts';
import { variablesHelp } from './variables.ts';

/** The administrator of a service that has no users. It has no password: it signs in with the printed link. */
const DEVELOPER = 'developer@leadline.example';

/** Options and environment; `--help` and invalid values end the process with a message. */
function readOptions(): ServeOptions {
  const command = new Command('npm start --')
    .description(
      'Run Leadline on this machine with the demo charts (fictional, not for navigation) or your own.',
    )
    .option('--charts <dir>', 'a build made with: npm run charts -- build --enc … --out <dir>')
    .option('--data <dir>', 'data folder: keys, database, charts (LEADLINE_DATA; .data)')
    .addHelpText(
      'after',
      `
Environment:
${variablesHelp()}
and these settings of the service:
${settingsHelp()}`,
    )
    .allowExcessArguments(false)
    .parse();
  refuseEmptyOptions(command);
  try {
    const given = command.opts<{ charts?: string; data?: string }>();
    return serveOptions({ ...given, host: '127.0.0.1' }, process.env);
  } catch (error) {
    return command.error(error instanceof Error ? error.message : String(error));
  }
}

/** Print only failures and recoveries; the service's log has the rest. */
function report({ kind, state, part, where, message }: LogLine): void {
  if (kind === 'part' && state === 'ended') console.error(`${part} ended: ${message}`);
  if (kind === 'part' && state === 'joined') console.error('The database is available now.');
  if (kind === 'fault' && where === 'database') {
    console.error(`There is no database. Reports, styles and tracks answer 503. ${message}`);
  } else if (kind === 'fault') console.error(`Fault in ${where}: ${message}`);
}

/** Recorded in the registry like every token, or only signed if there is no database. */
async function developmentToken(keys: KeyStore, ownerUrl: string | undefined): Promise<string> {
  if (ownerUrl === undefined) return mintDevelopmentToken(keys);
  return withRegistry(ownerUrl, (registry) =>
    issueDevelopmentToken({ registry, actor: 'npm start' }, keys),
  ).catch(() => mintDevelopmentToken(keys));
}

/** A one-time sign-in link for an administrator; `undefined` without a database. */
async function portalLink(ownerUrl: string | undefined, address: string) {
  if (ownerUrl === undefined) return undefined;
  return withRegistry(ownerUrl, async (registry) => {
    const administrator = { registry, actor: 'npm start' };
    await ensureAdministrator(administrator, { email: DEVELOPER, account: OPERATOR_ACCOUNT });
    const user = (await listUsers(administrator)).find(({ role }) => role === 'administrator');
    if (user === undefined) return undefined;
    return signInLink(address, await createLink(administrator, user.email));
  }).catch(() => undefined);
}

async function start(): Promise<void> {
  const given = readOptions();
  continueWithoutOutput();
  let serving: Serving | undefined;
  const stop = onceOnStop(async () => serving?.stop());
  try {
    // A port in use is reported before the build. For 0 the service finds a free port itself.
    if (given.port !== 0) await freePort(given.port);
    await step('Building the chart page, symbols and fonts', () => buildAssets(ROOT));
    await step('Compressing static files', () => packBuiltAssets(ROOT));
    await step('Bundling the Worker', () => buildWorker(ROOT));
    const built = builtAt(distOf(ROOT));
    if (built === undefined)
      throw new Error(
        `The build in ${distOf(ROOT)} is incomplete. Delete the folder and run npm start again.`,
      );
    const charts = given.charts ?? (await prepareDemoCharts(given.data, step));
    const keys = await ensureKeys(given.data);
    const settings = { DEMO_TOKEN: await mintDemoToken(keys), ...given.settings };
    const cells = given.charts === undefined ? [demoCells(given.data)] : given.cells;
    const options = { ...given, settings, charts, cells, printsFailures: true };
    serving = await step('Publishing the charts and starting the service', () =>
      serve(options, built, publish, report),
    );
    const token = await developmentToken(keys, serving.ownerUrl);
    const address = `http://127.0.0.1:${serving.port}`;
    console.log('');
    console.log(`Leadline is ready: ${address}`);
    console.log(`Development token: ${token}`);
    console.log(`Chart page: ${address}/#token=${token}`);
    const printLink = async (ownerUrl: string | undefined) => {
      const link = await portalLink(ownerUrl, address);
      if (link !== undefined) console.log(`Portal, signs you in once: ${link}`);
    };
    if (serving.ownerUrl === undefined) void serving.joined.then(printLink);
    else await printLink(serving.ownerUrl);
    console.log('Charts made here are not for navigation. Ctrl-C stops the service.');
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    await stop(1);
  }
}

await start();

// Runs a deployment: checks all steps, creates what is missing, deploys with the secrets, runs the smoke
// test, and rolls back if it fails.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCOPES } from '../../../shared/contract/scopes.ts';
import { loadKeys, loadUserTokenSecret, mintToken, publicKeySet } from '../admin/keys.ts';
import { checked } from '../admin/run-wrangler.ts';
import { reasonOf } from '../database/json-log.ts';
import { SIGNALS } from '../database/process.ts';
import { readEnvironment } from './environment-file.ts';
import { smokeTest } from './smoke-test.ts';
import type { Deployment, Found } from './step.ts';
import { STEPS } from './steps.ts';
import { currentVersions, rollBack, type Versions } from './versions.ts';

export interface DeployOptions {
  /** Only check and bundle. */
  readonly isDryRun: boolean;
  /** Origin for the smoke test; `undefined` for the domain. */
  readonly smokeOrigin: string | undefined;
  readonly smokePauseMs: number;
  readonly say: (line: string) => void;
  /** Called once, after all checks. */
  readonly confirm: () => Promise<boolean>;
}

/** The operator must provide something first, or did not confirm. */
export class DeployStopped extends Error {}

/**
 * @throws DeployStopped before any change
 * @throws Error if the deployment failed; it is rolled back if there is an earlier version
 */
export async function deploy(deployment: Deployment, options: DeployOptions): Promise<void> {
  const { say } = options;
  say(`Leadline to ${deployment.name}:`);
  const found = await lookAtAll(deployment, say);
  if (found.some(({ state }) => state === 'missing')) {
    throw new DeployStopped(
      'Provide what is listed as missing and run the command again; nothing was changed.',
    );
  }
  if (options.isDryRun) {
    // Build and bundle, because these steps change only this machine.
    for (const step of STEPS.filter(({ name }) => ['assets', 'bundle'].includes(name))) {
      await step.make?.(deployment);
      say(`  tried: ${step.name}`);
    }
    say('A dry run: nothing was changed in the account.');
    return;
  }
  if (!(await options.confirm())) throw new DeployStopped('Nothing was changed.');
  const before = await currentVersions(deployment);
  for (const step of STEPS) {
    // Check again, because an earlier step may have created it.
    const { state, what } = await step.look(deployment);
    if (state === 'missing') throw new Error(`${step.name}: ${what}. Nothing was deployed.`);
    if (state !== 'to make') continue;
    await step.make?.(deployment);
    say(`  made: ${step.name}`);
  }
  await deployAndTry(deployment, before, options);
}

async function lookAtAll(deployment: Deployment, say: (line: string) => void): Promise<Found[]> {
  const all: Found[] = [];
  for (const step of STEPS) {
    const found = await step.look(deployment);
    say(`  ${step.name.padEnd(10)} ${found.state.padEnd(8)} ${found.what}`);
    all.push(found);
    // The other checks need an account.
    if (step.name === 'account' && found.state === 'missing') break;
  }
  return all;
}

async function deployAndTry(
  deployment: Deployment,
  before: Versions,
  options: DeployOptions,
): Promise<void> {
  const { name, config, heavyConfig, databaseUrl, data } = deployment;
  const { say } = options;
  const keys = await loadKeys(data);
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  // Deploy the Worker for heavy work first, because the service calls it.
  await deployWorker(deployment, heavyConfig, database);
  try {
    await deployWorker(deployment, config, {
      TOKEN_KEYS: JSON.stringify(publicKeySet(keys)),
      USER_TOKEN_SECRET: await loadUserTokenSecret(data),
      ...database,
    });
  } catch (error) {
    const reason = `the service was not deployed: ${reasonOf(error)}`;
    await rollBack(deployment, { ...before, service: undefined }, reason);
    throw error;
  }
  say('  deployed');
  const publicOrigin = `https://${readEnvironment(config, name).domain}`;
  const { token } = await mintToken(
    keys,
    {
      subject: 'smoke test',
      account: 'operator',
      plan: 'enterprise',
      pilot: true,
      scopes: SCOPES.filter((scope) => ['tiles', 'styles', 'routing'].includes(scope)),
      origins: [],
      expiresInSeconds: 600,
    },
    Date.now(),
  );
  const tried = await smokeTest({
    origin: options.smokeOrigin ?? publicOrigin,
    publicOrigin,
    token,
    hasDatabase: databaseUrl !== undefined,
    attempts: 10,
    pauseMs: options.smokePauseMs,
  });
  for (const one of tried)
    say(one.problem === undefined ? `  good: ${one.name}` : `  BAD : ${one.name}: ${one.problem}`);
  const problem = tried.find((one) => one.problem !== undefined)?.problem;
  if (problem === undefined) {
    say(`Leadline runs at ${publicOrigin}.`);
    return;
  }
  if (before.service === undefined) {
    throw new Error(
      `The smoke test failed: ${problem}. There is no earlier version to roll back to.`,
    );
  }
  await rollBack(deployment, before, `smoke test: ${problem}`);
  throw new Error(`The smoke test failed: ${problem}. Version ${before.service} serves again.`);
}

/**
 * Deploy one Worker with its secrets. Their file is removed even if the process is stopped.
 * @throws Error with wrangler's output
 */
export async function deployWorker(
  { wrangler, name }: Pick<Deployment, 'wrangler' | 'name'>,
  config: string,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-deploy-'));
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  const end = (signal: NodeJS.Signals) => {
    remove();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    const file = join(scratch, 'secrets.json');
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    const where = ['--env', name, '--config', config];
    const withSecrets = Object.keys(secrets).length === 0 ? [] : ['--secrets-file', file];
    await checked(wrangler('deploy', ...where, '--minify', ...withSecrets), 'deploying');
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    remove();
  }
}

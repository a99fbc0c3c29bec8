// A deployment: look at everything, make what is missing, deploy with the secrets, try it, and go back
// to the version before where it does not work.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCOPES } from '../../../shared/contract/scopes.ts';
import { loadKeys, loadUserTokenSecret, mintToken, publicKeySet } from '../admin/keys.ts';
import { must } from '../admin/run-wrangler.ts';
import { readEnvironment } from './environment-file.ts';
import { smokeTest } from './smoke-test.ts';
import type { Deployment, Found } from './step.ts';
import { STEPS } from './steps.ts';
import { currentVersions, rollBack, type Versions } from './versions.ts';

export interface DeployOptions {
  /** Only look, and try to bundle. */
  readonly isDryRun: boolean;
  /** Where it is tried, if not at its domain. */
  readonly smokeOrigin: string | undefined;
  readonly smokePauseMs: number;
  readonly say: (line: string) => void;
  /** Asked once, when all is known. */
  readonly confirm: () => Promise<boolean>;
}

/** The operator has something to do first, or said no. */
export class DeployStopped extends Error {}

/** @throws DeployStopped before anything was made; Error where the deployment failed, rolled back */
export async function deploy(deployment: Deployment, options: DeployOptions): Promise<void> {
  const { say } = options;
  say(`Leadline to ${deployment.name}:`);
  const found = await lookAtAll(deployment, say);
  if (found.some(({ state }) => state === 'missing')) {
    throw new DeployStopped('Something is missing that only you can give; nothing was changed.');
  }
  if (options.isDryRun) {
    // What changes nothing but this machine is done: it is what a preflight is for.
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
    // Looked at again: what came before may have made it.
    if ((await step.look(deployment)).state !== 'to make') continue;
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
    // Without an account nothing else can be known.
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
  // First the one that the other calls.
  await deployWorker(deployment, heavyConfig, database);
  try {
    await deployWorker(deployment, config, {
      TOKEN_KEYS: JSON.stringify(publicKeySet(keys)),
      USER_TOKEN_SECRET: await loadUserTokenSecret(data),
      ...database,
    });
  } catch (error) {
    await rollBack(deployment, { ...before, service: undefined }, 'the service was not deployed');
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
  for (const one of tried) say(`  ${one.problem === undefined ? 'good' : 'BAD '}: ${one.name}`);
  const problem = tried.find((one) => one.problem !== undefined)?.problem;
  if (problem === undefined) {
    say(`Leadline runs at ${publicOrigin}.`);
    return;
  }
  if (before.service === undefined) {
    throw new Error(
      `It does not work: ${problem}. It is the first version, so there is none to go back to.`,
    );
  }
  await rollBack(deployment, before, `smoke test: ${problem}`);
  throw new Error(`It does not work: ${problem}. Version ${before.service} serves again.`);
}

/** Deploy one of the two Workers with its secrets. @throws Error with what wrangler said */
async function deployWorker(
  { wrangler, name }: Deployment,
  config: string,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-deploy-'));
  try {
    const file = join(scratch, 'secrets.json');
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    const where = ['--env', name, '--config', config];
    const withSecrets = Object.keys(secrets).length === 0 ? [] : ['--secrets-file', file];
    await must(wrangler('deploy', ...where, '--minify', ...withSecrets), 'deploying');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

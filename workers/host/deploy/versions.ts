// The versions of the two Workers of a deployment, as the platform keeps them: which ones serve, and back
// to them.

import { jsonIn, must } from '../admin/run-wrangler.ts';
import type { Deployment } from './step.ts';

interface Listed {
  readonly created_on: string;
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
}

/** Wrangler's words for a Worker that was never deployed (error 10007 of the platform). */
const NEVER_DEPLOYED = /does not exist on your account|code: 10007/i;

/** What serves all requests now; undefined before the first deployment. */
export interface Versions {
  readonly service: string | undefined;
  readonly heavyWorker: string | undefined;
}

/** @throws Error where it cannot be known: without it there would be nothing to go back to */
export async function currentVersions(deployment: Deployment): Promise<Versions> {
  const { config, heavyConfig } = deployment;
  return {
    service: await currentVersion(deployment, config),
    heavyWorker: await currentVersion(deployment, heavyConfig),
  };
}

/** Of the Worker that a configuration describes. @throws Error where it cannot be known */
export async function currentVersion(
  { wrangler, name }: Deployment,
  config: string,
): Promise<string | undefined> {
  const ran = await wrangler('deployments', 'list', '--env', name, '--config', config, '--json');
  if (ran.code !== 0 && NEVER_DEPLOYED.test(ran.said)) return undefined;
  const list = jsonIn(await must(ran, 'listing deployments')) as readonly Listed[];
  const newest = [...list].sort((a, b) => a.created_on.localeCompare(b.created_on)).at(-1);
  return newest?.versions.find(({ percentage }) => percentage === 100)?.version_id;
}

/**
 * Let the versions before serve again: first the service, which may call what the other has no longer.
 * Who was there for the first time stays.
 */
export async function rollBack(
  deployment: Deployment,
  { service, heavyWorker }: Versions,
  reason: string,
): Promise<void> {
  const { wrangler, name, config, heavyConfig } = deployment;
  // The platform takes no longer messages.
  const message = reason.slice(0, 100);
  const both = [
    [service, config],
    [heavyWorker, heavyConfig],
  ] as const;
  for (const [version, path] of both) {
    if (version === undefined) continue;
    const where = ['--env', name, '--config', path];
    await must(
      wrangler('rollback', version, ...where, '--message', message, '--yes'),
      'rolling back',
    );
  }
}

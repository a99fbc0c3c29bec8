// Finds the deployed versions of the two Workers, and rolls back to them.

import { checked, jsonIn } from '../admin/run-wrangler.ts';
import type { Deployment } from './step.ts';

interface Listed {
  readonly created_on: string;
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
}

/** Wrangler's message for a Worker that was never deployed (platform error 10007). */
const NEVER_DEPLOYED = /does not exist on your account|code: 10007/i;

/** Ids of the versions that serve all requests; `undefined` before the first deployment. */
export interface Versions {
  readonly service: string | undefined;
  readonly heavyWorker: string | undefined;
}

/** @throws Error if a version cannot be determined, because a rollback would then be impossible */
export async function currentVersions(deployment: Deployment): Promise<Versions> {
  const { config, heavyConfig } = deployment;
  return {
    service: await currentVersion(deployment, config),
    heavyWorker: await currentVersion(deployment, heavyConfig),
  };
}

/**
 * @param config path of the Worker's configuration
 * @throws Error if the version cannot be determined, or several versions serve requests
 */
export async function currentVersion(
  { wrangler, name }: Deployment,
  config: string,
): Promise<string | undefined> {
  const ran = await wrangler('deployments', 'list', '--env', name, '--config', config, '--json');
  if (ran.code !== 0 && NEVER_DEPLOYED.test(ran.output)) return undefined;
  const list = jsonIn(await checked(ran, 'listing deployments')) as readonly Listed[];
  const newest = [...list].sort((a, b) => a.created_on.localeCompare(b.created_on)).at(-1);
  if (newest === undefined) return undefined;
  const version = newest.versions.find(({ percentage }) => percentage === 100);
  if (version === undefined)
    throw new Error(
      `Several versions of the Worker serve ${name}. Finish the gradual deployment, then try again: npx wrangler versions deploy --env ${name} --config ${config}`,
    );
  return version.version_id;
}

/**
 * Roll back to earlier versions, the service first, because it calls the Worker for heavy work. A Worker
 * without an earlier version stays.
 */
export async function rollBack(
  deployment: Deployment,
  { service, heavyWorker }: Versions,
  reason: string,
): Promise<void> {
  const { wrangler, name, config, heavyConfig } = deployment;
  // The platform's limit for messages.
  const message = reason.slice(0, 100);
  const both = [
    [service, config],
    [heavyWorker, heavyConfig],
  ] as const;
  for (const [version, path] of both) {
    if (version === undefined) continue;
    const where = ['--env', name, '--config', path];
    await checked(
      wrangler('rollback', version, ...where, '--message', message, '--yes'),
      `rolling back after: ${reason}`,
    );
  }
}

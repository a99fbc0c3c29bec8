// The versions of a deployment, as the platform keeps them: which one serves, and back to it.

import { jsonIn, must } from '../admin/run-wrangler.ts';
import type { Deployment } from './step.ts';

interface Listed {
  readonly created_on: string;
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
}

/** Wrangler's words for a Worker that was never deployed (error 10007 of the platform). */
const NEVER_DEPLOYED = /does not exist on your account|code: 10007/i;

/**
 * The version that serves all requests now; undefined before the first deployment.
 * @throws Error where it cannot be known: without it there would be nothing to go back to
 */
export async function currentVersion({
  wrangler,
  name,
  config,
}: Deployment): Promise<string | undefined> {
  const ran = await wrangler('deployments', 'list', '--env', name, '--config', config, '--json');
  if (ran.code !== 0 && NEVER_DEPLOYED.test(ran.said)) return undefined;
  const list = jsonIn(await must(ran, 'listing deployments')) as readonly Listed[];
  const newest = [...list].sort((a, b) => a.created_on.localeCompare(b.created_on)).at(-1);
  return newest?.versions.find(({ percentage }) => percentage === 100)?.version_id;
}

/** Let a version serve again. */
export async function rollBack(
  { wrangler, name, config }: Deployment,
  version: string,
  reason: string,
): Promise<void> {
  const where = ['--env', name, '--config', config];
  // The platform takes no longer messages.
  const message = `smoke test: ${reason}`.slice(0, 100);
  await must(
    wrangler('rollback', version, ...where, '--message', message, '--yes'),
    'rolling back',
  );
}

// GET /api/portal/v1/admin/builds

import { buildsSchema, type ChartBuild, MAX_BUILDS } from '../../../shared/contract/builds.ts';
import { type ListedBuild, listBuilds } from '../charts/build-history.ts';
import { currentManifest } from '../charts/catalog.ts';
import { requireAdministrator } from '../db/account-store.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import type { Env } from '../runtime/env.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

const CURRENT: ChartBuild = {
  id: '1f0c5a9b7d3e2f4a',
  isCurrent: true,
  builtAt: 1_764_547_200_000,
  sourcedAt: 1_764_460_800_000,
  cells: 12,
  rollback: null,
};

export const portalBuilds = portalEndpoint({
  method: 'get',
  path: `${PORTAL_PATH}/admin/builds`,
  id: 'portalListBuilds',
  summary: `Lists the current build of the charts and up to ${MAX_BUILDS - 1} earlier ones.`,
  description:
    'The newest comes first. The service has read-only access to the bucket of the charts, so a rollback is a command that the operator runs. The command checks the archives first.',
  access: 'administrator',
  answers: {
    200: jsonAnswer('The builds', buildsSchema, [CURRENT]),
    503: { description: 'The charts cannot be read', error: 'charts_unavailable' },
  },
  handle: async ({ c, env, member }) => {
    await requireAdministrator(env, member.sessionId);
    const current = await currentManifest(env, Date.now(), c.get('cost'));
    const builds = await listBuilds(env, current, MAX_BUILDS);
    return builds.map((build) => toChartBuild(env, build, build.id === current.buildId));
  },
});

function toChartBuild(env: Env, { id, manifest }: ListedBuild, isCurrent: boolean): ChartBuild {
  // PACKED exists only in self-hosted services, whose bucket is a local folder.
  const bucketOption = env.PACKED === undefined ? '--remote' : '--local';
  const newest = (times: readonly number[]) => (times.length === 0 ? null : Math.max(...times));
  const datasets = manifest?.datasets ?? [];
  return {
    id,
    isCurrent,
    builtAt: newest(datasets.map(({ dataProcessedAt }) => dataProcessedAt)),
    sourcedAt: newest(datasets.map(({ dataSourcedAt }) => dataSourcedAt)),
    cells: manifest?.cells.length ?? null,
    rollback: isCurrent ? null : `npm run charts -- rollback --to ${id} ${bucketOption}`,
  };
}

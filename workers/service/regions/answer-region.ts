// Plans the response to a region request: selects the build of the charts and applies the limit of the file's size.

import { REGION_PARAMETERS, type RegionPlanAnswer } from '../../../shared/contract/region.ts';
import type { RegionPlan } from '../../../shared/region/plan-region.ts';
import { manifestFor } from '../charts/catalog.ts';
import { publishedCrowd } from '../charts/crowd-catalog.ts';
import { clientNetwork } from '../http/client-network.ts';
import { withConcurrencyLimit } from '../http/concurrency.ts';
import type { AppContext, Endpoint } from '../http/endpoint.ts';
import { queryOf, queryParameters } from '../http/query.ts';
import { limitHeavyWork } from '../http/rate-limit.ts';
import { ApiError, invalidInput } from '../runtime/errors.ts';
import { deltaOf, type PlannedDelta } from './choose-delta.ts';
import { planOf } from './choose-region.ts';
import type { SourceOf } from './read-sources.ts';

/** Documented errors of both region endpoints. */
export const REGION_REFUSALS: Endpoint['answers'] = {
  400: {
    description: 'A parameter is missing or invalid; `errors` lists it',
    error: 'bad_region',
  },
  403: {
    description:
      'The token does not permit this request, or the licence of the charts does not permit files',
    error: 'region_not_licensed',
  },
  404: {
    description:
      'There is no data in the box, the file in `from` is unknown, or the service has no crowdsourced depths',
    error: 'no_chart_data',
  },
  413: {
    description:
      'The file exceeds `limitBytes`, the limit of the account’s plan, or there is too much to compare with the file in `from`',
    error: 'region_too_large',
  },
};

export const REGION_QUERY = queryParameters(REGION_PARAMETERS);

export interface PlannedRegion {
  readonly plan: RegionPlan;
  readonly etag: string;
  /** Present if the request contains `from`, an older file. */
  readonly delta: (PlannedDelta & { readonly etag: string }) | undefined;
  readonly source: SourceOf;
}

/** @throws ApiError 400, 401, 403, 404, 413, 429, 503 */
export async function plannedRegion(c: AppContext): Promise<PlannedRegion> {
  const query = queryOf(c, REGION_PARAMETERS, 'bad_region');
  const { bbox: bounds, maxZoom, from, crowd: wantsCrowd } = query;
  if (wantsCrowd && from !== undefined) {
    const message = 'is not permitted with crowd=true';
    throw invalidInput('bad_region', [{ path: 'from', message }]);
  }
  const caller = c.get('caller');
  if (caller === undefined) throw new ApiError('token_required');
  const cost = c.get('cost');
  const manifest = await manifestFor(c.env, c.get('caller')?.chartSet, Date.now(), cost);
  const crowd = wantsCrowd ? await publishedCrowd(c.env, cost) : undefined;
  const { regionMaxBytes, regionMaxBytesEnterprise } = c.get('settings');
  const maxBytes = caller.plan === 'enterprise' ? regionMaxBytesEnterprise : regionMaxBytes;
  const context = {
    env: c.env,
    manifest,
    crowd,
    request: { bounds, maxZoom, ...(wantsCrowd ? { crowd: true } : {}) },
    maxBytes,
    cost,
    heavily: <T>(work: () => Promise<T>) => withConcurrencyLimit(c, caller, work),
  };
  const plan = await planOf(context);
  const heavily = <T>(work: () => Promise<T>) =>
    withConcurrencyLimit(c, caller, async () => {
      // Comparing two builds takes seconds.
      await limitHeavyWork(c, caller, { id: `compareRegions ${clientNetwork(c)}` });
      return work();
    });
  const delta = from === undefined ? undefined : await deltaOf({ ...context, heavily }, plan, from);
  return {
    plan,
    etag: `"${plan.note.id}"`,
    delta: delta === undefined ? undefined : { ...delta, etag: `"${from!.text}_${plan.note.id}"` },
    source: { env: c.env, manifest, crowd, cost },
  };
}

/** The response that describes a file before its download. */
export function presentPlan({ plan, etag, delta }: PlannedRegion): RegionPlanAnswer {
  return {
    ...plan.note,
    bounds: [...plan.note.bounds],
    notices: [...plan.note.notices],
    cells: [...plan.note.cells],
    attributions: [...plan.note.attributions],
    bytes: plan.bytes,
    etag,
    delta:
      delta === undefined
        ? null
        : {
            from: delta.note.from.id,
            bytes: delta.bytes,
            etag: delta.etag,
            changed: delta.note.changed,
            removed: delta.note.removed,
          },
  };
}

// Query parameters that would have no effect, over the whole app without charts.

import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { baseStyleDocument } from '../../workers/service/endpoints/base-style.ts';
import { bathymetrySoundings } from '../../workers/service/endpoints/bathymetry-soundings.ts';
import { bathymetryTracks } from '../../workers/service/endpoints/bathymetry-tracks.ts';
import { names } from '../../workers/service/endpoints/names.ts';
import { regionPlan } from '../../workers/service/endpoints/region-plan.ts';
import { regions } from '../../workers/service/endpoints/regions.ts';
import { userReports } from '../../workers/service/endpoints/user-reports.ts';
import type { AppContext, AppEnv, Endpoint } from '../../workers/service/http/endpoint.ts';
import { checkQueryNames } from '../../workers/service/http/query-names.ts';
import { ApiError } from '../../workers/service/runtime/errors.ts';

/** The error for a query; `undefined` if the query is valid. */
async function faultOf(endpoint: Endpoint, query: string): Promise<ApiError | undefined> {
  let fault: unknown;
  const app = new Hono<AppEnv>().get('/here', (c) => {
    try {
      checkQueryNames(c as AppContext, endpoint);
    } catch (error) {
      fault = error;
    }
    return c.text('');
  });
  await app.request(`/here?${query}`);
  if (fault !== undefined && !(fault instanceof ApiError)) throw fault;
  return fault as ApiError | undefined;
}

const LISTS: readonly Endpoint[] = [
  names,
  bathymetryTracks,
  bathymetrySoundings,
  regionPlan,
  regions,
];

describe('a query parameter', () => {
  it.each(LISTS.map((one) => [one.id, one] as const))('of %s must be known', async (_, list) => {
    for (const name of ['page', 'skip', 'includeHidden']) {
      const fault = await faultOf(list, `token=x&${name}=1`);
      expect(fault?.status).toBe(400);
      expect(fault?.code).toBe('bad_query');
      expect(fault?.message).toContain(
        `${name} is not a parameter of this endpoint, whose parameters are`,
      );
      expect(fault?.details).toMatchObject([{ path: name }]);
    }
    const known = (list.parameters ?? []).filter((one) => one.in === 'query');
    expect(known.length).toBeGreaterThan(0);
    const all = known.map(({ name }) => `${name}=1`).join('&');
    expect(await faultOf(list, `${all}&token=x&_=17&Token=y`)).toBeUndefined();
  });

  it.each(['depthlimit', 'DepthLimit', 'depth_limit', 'depth-limit', 'showsatellite'])(
    '%s of base.json is refused, as it is nearly spelt right',
    async (name) => {
      const fault = await faultOf(baseStyleDocument, `${name}=10`);
      expect(fault?.code).toBe('bad_query');
      expect(fault?.message).toMatch(/ must be spelt \w+\.$/);
    },
  );

  it.each([
    ['base.json', baseStyleDocument],
    ['the list of reports', userReports.find(({ id }) => id === 'listUserReports')!],
  ])('with an unknown name is ignored by %s, and so is a misspelt token', async (_, endpoint) => {
    expect(await faultOf(endpoint, 'v=3&brand=x&Token=y&to-ken=z')).toBeUndefined();
  });
});

// Query parameters that would have no effect, over the whole app without charts.

import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../workers/service/app.ts';
import { baseStyleDocument } from '../../workers/service/endpoints/base-style.ts';
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

describe('a query parameter', () => {
  it('with an unknown name is ignored, except by the import of a log', async () => {
    for (const endpoint of ENDPOINTS) {
      const fault = await faultOf(endpoint, 'token=x&page=1&v=3&_=17&Token=y&to-ken=z');
      if (endpoint.id !== 'importSoundings') {
        expect([endpoint.id, fault]).toEqual([endpoint.id, undefined]);
        continue;
      }
      expect([fault?.status, fault?.code]).toEqual([400, 'bad_query']);
      expect(fault?.message).toContain('page is not a parameter of this endpoint, whose');
      expect(fault?.details).toMatchObject([{ path: 'page' }, { path: 'v' }]);
    }
  });

  it.each(['depthlimit', 'DepthLimit', 'depth_limit', 'depth-limit', 'showsatellite'])(
    '%s of base.json is refused, as it is nearly spelt right',
    async (name) => {
      const fault = await faultOf(baseStyleDocument, `${name}=10`);
      expect(fault?.code).toBe('bad_query');
      expect(fault?.message).toMatch(/ must be spelt \w+\.$/);
    },
  );
});

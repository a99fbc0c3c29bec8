// GET /api/v1/demo-token

import * as z from 'zod';
import { type AppContext, type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { authenticate } from '../identity/auth.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';

const demoTokenSchema = z
  .strictObject({
    token: z.string().nullable().describe('A public token; null if the service has no demo'),
  })
  .meta({ id: 'DemoToken', description: 'The token of the chart on the landing page' });

export const demoToken: Endpoint = {
  method: 'get',
  path: '/api/v1/demo-token',
  id: 'getDemoToken',
  summary: 'Returns the token of the chart on the landing page.',
  description:
    'The operator sets it with DEMO_TOKEN. It is a public token that is not restricted to origins. It may be revoked at any time.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: {
    200: jsonAnswer('The token', demoTokenSchema, { token: '00112233445566778899aabbccddeeff' }),
  },
  handle: async (c) =>
    c.json({ token: await usableToken(c) }, 200, { 'cache-control': 'no-cache' }),
};

/**
 * Returns the token of the setting DEMO_TOKEN if it is public and not restricted to origins. For any other
 * token, logs the reason and returns `null`: a secret token must not be published by mistake.
 * @throws ApiError 503
 */
async function usableToken(c: AppContext): Promise<string | null> {
  const token = c.get('settings').demoToken;
  if (token === undefined) return null;
  const headers = { authorization: `Bearer ${token}` };
  const request = new Request(c.req.url, { headers });
  try {
    const caller = await authenticate(request, c.env, Date.now(), c.get('cost').defer);
    if (caller.isPublic && !caller.isRestrictedToOrigins) return token;
    logFault(
      'DEMO_TOKEN',
      new Error(
        `DEMO_TOKEN must be a public token that is not restricted to origins. The landing page has no demo.`,
      ),
    );
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    logFault(
      'DEMO_TOKEN',
      new Error(`DEMO_TOKEN is not accepted, so the landing page has no demo. ${error.message}`),
    );
  }
  return null;
}

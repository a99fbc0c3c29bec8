// GET /api/portal/v1/admin/system

import { systemSchema } from '../../../shared/contract/system.ts';
import { requireAdministrator } from '../db/account-store.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import { settingsInForce } from '../runtime/settings-in-force.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';
import { partsOf } from './status.ts';

export const portalSystem = portalEndpoint({
  method: 'get',
  path: `${PORTAL_PATH}/admin/system`,
  id: 'portalSystem',
  summary: 'Returns the state of each part of the service, and its settings.',
  description:
    'The parts are those of `/status`. The settings are those in force: a value that is invalid is replaced by its default. The value of a secret is never returned, only whether it is set.',
  access: 'administrator',
  answers: {
    200: jsonAnswer('State and settings', systemSchema, {
      parts: [{ name: 'Charts', isGood: true, text: '12 cells, build 20260601-4f1c.' }],
      settings: [
        {
          name: 'TILE_MAX_AGE_SECONDS',
          value: '86400',
          source: 'default',
          isSecret: false,
          isValid: true,
          description:
            'max-age of tiles in seconds; that of raster tiles ends at 12:00 UTC at the latest',
        },
      ],
    }),
  },
  handle: async ({ c, env, member }) => {
    await requireAdministrator(env, member.sessionId);
    return { parts: await partsOf(c), settings: settingsInForce(env) };
  },
});

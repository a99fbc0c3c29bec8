// GET /api/portal/v1/admin/system

import { systemSchema } from '../../../shared/contract/system.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { settingsInForce } from '../runtime/settings-in-force.ts';
import { PORTAL_PATH } from './portal-auth.ts';
import { NO_STORE } from './portal-tokens.ts';
import { partsOf } from './status.ts';

export const portalSystem: Endpoint = {
  method: 'get',
  path: `${PORTAL_PATH}/admin/system`,
  id: 'portalSystem',
  summary: 'Returns the state of each part of the service, and its settings.',
  description:
    'The parts are those of `/status`. The settings are those in force: a value that is invalid is replaced by its default. The value of a secret is never returned, only whether it is set.',
  tag: 'Portal',
  access: { kind: 'session', role: 'administrator' },
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
          description: 'max-age of tiles in seconds',
        },
      ],
    }),
  },
  handle: async (c) =>
    c.json({ parts: await partsOf(c), settings: settingsInForce(c.env) }, 200, NO_STORE),
};

// The state and the settings of the service in the portal: what is in force, and that secrets are hidden.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SystemState } from '../../shared/contract/system.ts';
import type { Env } from '../../workers/service/runtime/env.ts';
import { SETTINGS } from '../../workers/service/runtime/setting-table.ts';
import { settingsInForce } from '../../workers/service/runtime/settings-in-force.ts';
import { type PortalService, startPortal } from '../support/portal-service.ts';

/** Settings in force, by name. */
const inForce = (env: object) =>
  Object.fromEntries(
    settingsInForce(env as Env).map(({ description: _, ...one }) => [one.name, one]),
  );

describe('the settings in force', () => {
  test('contain every setting of the table, and its default', () => {
    const found = inForce({});
    for (const name of Object.keys(SETTINGS)) expect(found[name]).toMatchObject({ isValid: true });
    expect(found['TILE_MAX_AGE_SECONDS']).toMatchObject({ value: '86400', source: 'default' });
    expect(found['GEOJSON_MIN_ZOOM']).toMatchObject({ value: '10', source: 'profile' });
  });

  test('contain the values of the deployment, also those of an alias or a profile', () => {
    const found = inForce({
      CONTRACT_PROFILE: 'enterprise',
      TRACK_GAP_MS: '7',
      ROUTING_GATE: 'off',
    });
    expect(found['GEOJSON_MIN_ZOOM']).toMatchObject({ value: '12', source: 'profile' });
    expect(found['trackGapMs']).toMatchObject({ value: '7', source: 'set' });
    expect(found['ROUTING_GATE']).toMatchObject({ value: 'off', source: 'set' });
  });

  test('contain the default of an invalid value, and not the value', () => {
    const setting = inForce({ TILE_MAX_AGE_SECONDS: 'hunter2' })['TILE_MAX_AGE_SECONDS'];
    expect(setting).toMatchObject({ value: '86400', source: 'default', isValid: false });
  });

  test('do not state a number for a limit that a binding replaces', () => {
    const setting = inForce({ RATE_LIMIT_READS: '7', LIMIT_READS: {} })['RATE_LIMIT_READS'];
    expect(setting).toMatchObject({ value: null, source: 'wrangler' });
  });

  const long = 'ab'.repeat(400);
  test.each([
    ['TOKEN_SECRET', long],
    ['DEMO_TOKEN', 'ba'.repeat(16)],
    ['SATELLITE_TILE_URL', 'https://b.example/{quadkey}', 'https://a.example/{quadkey}'],
    ['TOKEN_KEYS', long],
    ['USER_TOKEN_SECRET', long],
    ['DATABASE_URL', long],
  ])('state only whether %s is set', (name, other, first = 'ab'.repeat(16)) => {
    const setting = inForce({ [name]: first })[name];
    expect(setting).toEqual({ name, value: null, source: 'set', isSecret: true, isValid: true });
    expect(inForce({ [name]: other })[name]).toEqual(setting);
    expect(inForce({})[name]).toEqual({ ...setting, source: 'default' });
  });
});

describe('the endpoint', () => {
  let portal: PortalService;
  beforeAll(async () => {
    portal = await startPortal();
  });
  afterAll(() => portal?.stop());

  test('returns the parts of the status page and no secret', async () => {
    const headers = await portal.sessionOf('administrator');
    const { status, json } = await portal.send('GET', '/admin/system', { headers });
    expect(status).toBe(200);
    const { parts, settings } = json as unknown as SystemState;
    expect(parts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Charts', 'Tokens', 'Reports, soundings, saved styles', 'Settings']),
    );
    expect(settings.find(({ name }) => name === 'DATABASE_URL')).toMatchObject({
      value: null,
      source: 'set',
    });
    expect(JSON.stringify(json)).not.toMatch(/postgres:\/\//);
  });
});

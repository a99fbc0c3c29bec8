// A service with users of the portal in two accounts and an administrator, and the requests of its tests.

import { expect } from 'vitest';
import type { PortalRole } from '../../shared/contract/portal.ts';
import type { SavedStyle } from '../../shared/contract/saved-style.ts';
import { createAccount } from '../../workers/host/registry/accounts.ts';
import { createUser } from '../../workers/host/registry/portal-users.ts';
import { type Administrator, withRegistry } from '../../workers/host/registry/registry.ts';
import { type CrowdService, startCrowdService } from './crowd-service.ts';
import type { TestDatabase } from './database.ts';
import { jsonOf } from './http-client.ts';

export const PORTAL = '/api/portal/v1';
export const PASSWORD = 'seven grey herons';
const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';

export const users = {
  member: { email: 'member@acme.example', account: 'acme', role: 'member' },
  moderator: { email: 'moderator@acme.example', account: 'acme', role: 'moderator' },
  owner: { email: 'owner@acme.example', account: 'acme', role: 'owner' },
  rival: { email: 'owner@rival.example', account: 'rival', role: 'owner' },
  administrator: { email: 'admin@leadline.example', account: 'operator', role: 'administrator' },
} as const satisfies Record<string, { email: string; account: string; role: PortalRole }>;
export type UserName = keyof typeof users;

type Headers = Readonly<Record<string, string>>;

export interface Sent {
  readonly body?: unknown;
  readonly headers?: Headers;
}

/** A token of an answer. */
export interface PortalToken {
  readonly id: string;
  readonly token: string;
  readonly [name: string]: unknown;
}

export type PortalService = Awaited<ReturnType<typeof startPortal>>;

export const cookiesIn = (headers: Readonly<Record<string, unknown>>): string[] =>
  // The client of the tests joins the headers.
  `${headers['set-cookie'] ?? ''}`.split(/,(?=(?:__Host-)?leadline)/).filter((one) => one !== '');

export async function startPortal(
  database?: TestDatabase,
  settings: Readonly<Record<string, string>> = {},
) {
  const crowd = await startCrowdService(settings, database);
  const administer = <T>(work: (administrator: Administrator) => Promise<T>) =>
    withRegistry(crowd.database.ownerUrl, (registry) => work({ registry, actor: 'test' }));
  await administer(addUsers);
  // Hashing the same password for each user would take most of the time.
  await crowd.database.query(`
    INSERT INTO portal_credential (id, user_id, provider_id, account_id, password, created_at, updated_at)
    SELECT gen_random_uuid(), u.id, provider_id, u.id, password, c.created_at, c.updated_at
    FROM portal_credential c, portal_user u WHERE u.id <> c.user_id`);
  const send = async (method: string, path: string, { body, headers = {} }: Sent = {}) => {
    const address = path.startsWith('/api/') ? path : `${PORTAL}${path}`;
    const answer = await crowd.ask(address, { method, body, headers });
    const isJson = String(answer.headers['content-type']).includes('json');
    return { ...answer, json: isJson && method !== 'HEAD' ? jsonOf(answer) : undefined };
  };
  const signIn = (email: string, password = PASSWORD, headers = {}) =>
    send('POST', '/auth/login', { body: { username: email, password }, headers });
  /** Bearer of a new session. */
  const newSession = async (name: UserName): Promise<Headers> => {
    const { status, json } = await signIn(users[name].email);
    expect(status).toBe(200);
    return { authorization: `Bearer ${(json as { token: { id: string } }).token.id}` };
  };
  /** Sessions by user, for tests that do not end them. */
  const sessions = new Map<UserName, Promise<Headers>>();
  return {
    crowd,
    administer,
    send,
    signIn,
    newSession,
    sessionOf: (name: UserName) => {
      const known = sessions.get(name) ?? newSession(name);
      sessions.set(name, known);
      return known;
    },
    /** Makes the next `sessionOf` a new session. */
    forget: (name: UserName) => void sessions.delete(name),
    /** The cookie of a new session. */
    cookieOf: async (name: UserName) =>
      cookiesIn((await signIn(users[name].email)).headers)
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    whoami: async (headers: Headers) => (await send('GET', '/auth/whoami', { headers })).status,
    makeToken: async (headers: Headers, more = {}): Promise<PortalToken> => {
      const body = { name: 'Harbour page', ...more };
      const { status, json } = await send('POST', '/apiTokens', { headers, body });
      expect(status).toBe(201);
      return json as unknown as PortalToken;
    },
    makeStyle: async (headers: Headers, more = {}): Promise<SavedStyle> => {
      const body = { name: `Style ${crypto.randomUUID()}`, ...more };
      const { status, json } = await send('POST', '/styles', { headers, body });
      expect(status).toBe(201);
      return json as unknown as SavedStyle;
    },
    /** The status of a request for a tile. */
    tile: async (token: string, origin?: string) =>
      (await crowd.ask(`${TILE}?token=${token}`, { headers: origin ? { origin } : {} })).status,
    stop: (): Promise<void> => crowd.stop(),
  } satisfies { crowd: CrowdService } & Record<string, unknown>;
}

async function addUsers(administrator: Administrator): Promise<void> {
  const rights = { plan: 'standard', pilot: false, admin: false, note: null } as const;
  for (const id of ['acme', 'rival', 'operator']) await createAccount(administrator, id, rights);
  const [first, ...others] = Object.values(users);
  await createUser(administrator, { ...first!, password: PASSWORD });
  for (const user of others) await createUser(administrator, user);
}

// A browser that a user has signed in with has its own count of attempts. Strangers who use up the count
// of an address cannot keep its user out ("device cookies", OWASP).

import { parseSigned, serializeSigned } from 'hono/utils/cookie';
import { derivedSecret, userTokenSecret } from '../identity/user-token.ts';
import type { Env } from '../runtime/env.ts';
import { sha256 } from '../runtime/sha256.ts';
import { cookiePrefix } from './auth.ts';

const LIFE_SECONDS = 180 * 86_400;

/** The mark of the browser if a user with this address has signed in with it. */
export async function knownBrowser(
  request: Request,
  env: Env,
  address: string,
): Promise<string | undefined> {
  const secret = await secretOf(env);
  const cookie = request.headers.get('cookie');
  if (secret === undefined || cookie === null) return undefined;
  const name = nameFor(request);
  const mark = (await parseSigned(cookie, secret, name))[name];
  if (!mark) return undefined;
  const [id = ''] = mark.split('.');
  return mark === (await markOf(id, address)) ? mark : undefined;
}

/** The `Set-Cookie` header that marks the browser of a user who has signed in. */
export async function rememberBrowser(
  request: Request,
  env: Env,
  address: string,
): Promise<string[]> {
  const secret = await secretOf(env);
  if (secret === undefined) return [];
  const mark = await markOf(crypto.randomUUID(), address);
  const isSecure = new URL(request.url).protocol === 'https:';
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: LIFE_SECONDS } as const;
  return [await serializeSigned(nameFor(request), mark, secret, { ...options, secure: isSecure })];
}

const nameFor = ({ url }: Request): string => `${cookiePrefix(url)}.browser`;

/** A random id, and a hash that only the address of the user matches. */
const markOf = async (id: string, address: string): Promise<string> =>
  `${id}.${await sha256(new TextEncoder().encode(`${id} ${address.trim().toLowerCase()}`))}`;

async function secretOf(env: Env): Promise<string | undefined> {
  const secret = userTokenSecret(env);
  return secret === undefined ? undefined : derivedSecret(secret, 'leadline portal browsers');
}

// Signing keys kept below the data folder, made on first use by whoever needs them first, and the
// tokens signed with them.

import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { type Plan, SCOPES, type Scope } from '../../shared/contract/scopes.ts';

/** Private keys, the newest last; it signs, all verify. */
export interface KeyStore {
  readonly keys: readonly JWK[];
}

const FILE = 'signing-keys.json';

/** The keys below a data folder; one is made where there is none. */
export async function loadKeys(dataDir: string): Promise<KeyStore> {
  const path = join(dataDir, 'keys', FILE);
  try {
    return JSON.parse(await readFile(path, 'utf8')) as KeyStore;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return saveKeys(dataDir, { keys: [await newKey()] });
}

/** Add a key that signs from now on; older ones verify until they are retired. */
export async function rotateKeys(dataDir: string): Promise<KeyStore> {
  const { keys } = await loadKeys(dataDir);
  return saveKeys(dataDir, { keys: [...keys, await newKey()] });
}

/** @throws Error for an unknown key or the last one */
export async function retireKey(dataDir: string, kid: string): Promise<KeyStore> {
  const { keys } = await loadKeys(dataDir);
  const left = keys.filter((key) => key.kid !== kid);
  if (left.length === keys.length) throw new Error(`There is no key ${kid}.`);
  if (left.length === 0) throw new Error('The last key cannot be retired; rotate first.');
  return saveKeys(dataDir, { keys: left });
}

export async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return { ...(await exportJWK(privateKey)), kid: `k-${randomUUID().slice(0, 8)}`, alg: 'EdDSA' };
}

async function saveKeys(dataDir: string, store: KeyStore): Promise<KeyStore> {
  const folder = join(dataDir, 'keys');
  // The mode would be every new parent's too, and the database's user must pass through those.
  await mkdir(dataDir, { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, FILE);
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(store, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, path);
  return store;
}

/** What the Worker may know: the keys without their private part. */
export function publicKeySet({ keys }: KeyStore): { readonly keys: readonly JWK[] } {
  return { keys: keys.map(({ d: _private, ...shown }) => shown) };
}

export interface TokenWish {
  readonly subject: string;
  readonly account: string;
  readonly plan: Plan;
  readonly pilot: boolean;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  readonly expiresInSeconds: number;
  /** Votes per end user; for tokens kept on servers. */
  readonly votesForUsers?: boolean;
}

/** Sign a token. @returns its text and id */
export async function mintToken(
  { keys }: KeyStore,
  wish: TokenWish,
  nowMs: number,
): Promise<{ token: string; tokenId: string }> {
  const key = keys.at(-1);
  if (key?.kid === undefined) throw new Error('There is no signing key.');
  const issuedAt = Math.floor(nowMs / 1000);
  const tokenId = randomUUID();
  const secret = wish.scopes.some((scope) => scope === 'reports:admin') || wish.votesForUsers;
  const token = await new SignJWT({
    acc: wish.account,
    typ: secret ? 'sk' : 'pk',
    plan: wish.plan,
    pilot: wish.pilot,
    scp: wish.scopes,
    ...(wish.origins.length === 0 ? {} : { org: wish.origins }),
    ...(wish.votesForUsers === true ? { ext: true } : {}),
  })
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid })
    .setJti(tokenId)
    .setSubject(wish.subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + wish.expiresInSeconds)
    .sign(await importJWK(key, 'EdDSA'));
  return { token, tokenId };
}

const WEEK_SECONDS = 7 * 86_400;

/** A token that may do everything, for this machine. */
export async function mintDevelopmentToken(keys: KeyStore): Promise<string> {
  const wish: TokenWish = {
    subject: 'developer',
    account: 'development',
    plan: 'enterprise',
    pilot: true,
    scopes: SCOPES,
    origins: [],
    expiresInSeconds: WEEK_SECONDS,
  };
  return (await mintToken(keys, wish, Date.now())).token;
}

// Signing keys in the data folder, and tokens signed with them. Only commands that set up a service create
// the first key; other commands fail without one, so that a mistyped folder is noticed.

import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';
import type * as z from 'zod';
import { examine } from '../../../shared/contract/examine.ts';
import { faultsOf, sentenceOf } from '../../../shared/contract/faults.ts';
import {
  kindOf,
  type Plan,
  SCOPES,
  type Scope,
  type TokenKind,
} from '../../../shared/contract/scopes.ts';
import { MAX_LIFE_SECONDS, tokenClaimsSchema } from '../../../shared/contract/token-claims.ts';
import { isTokenText, MAX_TOKEN_CHARACTERS } from '../../../shared/contract/token-text.ts';
import { createOnce, parseStored, replaceFile } from '../database/create-once.ts';

/** Private keys, the newest last. The last key signs; all keys verify. */
export interface KeyStore {
  readonly keys: readonly JWK[];
}

const FILE = 'signing-keys.json';

/** Load the keys of a data folder. @throws Error if the folder contains no keys */
export async function loadKeys(dataDir: string): Promise<KeyStore> {
  const keys = await keysIn(dataDir);
  if (keys !== undefined) return keys;
  throw new Error(
    `${dataDir} contains no signing keys. Set --data to the data folder of the service.\n` +
      `npm start and npm run serve create keys there. To create them now: npm run tokens -- keys create --data ${dataDir}`,
  );
}

/** Load the keys of a data folder, or create the first key. */
export async function ensureKeys(dataDir: string): Promise<KeyStore> {
  const known = await keysIn(dataDir);
  if (known !== undefined) return known;
  const path = await keyFile(dataDir);
  return JSON.parse(createOnce(path, textOf({ keys: [await newKey()] }))) as KeyStore;
}

async function keysIn(dataDir: string): Promise<KeyStore | undefined> {
  const path = join(dataDir, 'keys', FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (text === undefined) return undefined;
  return parseStored<KeyStore>(path, text, ({ keys }) => keys.length > 0);
}

/** Add a key that signs from now on; older ones verify until they are retired. */
export async function rotateKeys(dataDir: string, kid = newKeyId()): Promise<KeyStore> {
  const { keys } = await loadKeys(dataDir);
  return saveKeys(dataDir, { keys: [...keys, await newKey(kid)] });
}

/** @throws Error for an unknown key or the last one */
export async function retireKey(dataDir: string, kid: string): Promise<KeyStore> {
  const { keys } = await loadKeys(dataDir);
  const left = keys.filter((key) => key.kid !== kid);
  if (left.length === keys.length)
    throw new Error(`There is no key ${kid}. To list the keys: npm run tokens -- keys list`);
  if (left.length === 0)
    throw new Error(
      'The last key cannot be retired. Add another first: npm run tokens -- keys rotate',
    );
  return saveKeys(dataDir, { keys: left });
}

const USER_TOKEN_FILE = 'user-tokens.json';

/** Names of the key files that a data folder does not have. */
export const missingKeyFiles = (dataDir: string): string[] =>
  [FILE, USER_TOKEN_FILE].filter((file) => !existsSync(join(dataDir, 'keys', file)));

/** Load the secret that signs tokens of end users, or create it. */
export async function loadUserTokenSecret(dataDir: string): Promise<string> {
  await mkdir(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  const newContent = `${JSON.stringify({ secret: newUserTokenSecret() })}\n`;
  const path = join(dataDir, 'keys', USER_TOKEN_FILE);
  const kept = createOnce(path, newContent);
  return parseStored<{ secret: string }>(path, kept, ({ secret }) => secret !== '').secret;
}

export const newUserTokenSecret = (): string => randomBytes(32).toString('base64url');

export const newKeyId = (): string => `k-${randomUUID().slice(0, 8)}`;

export async function newKey(kid = newKeyId()): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'EdDSA' };
}

/** Replace the file of the keys. */
async function saveKeys(dataDir: string, store: KeyStore): Promise<KeyStore> {
  replaceFile(await keyFile(dataDir), textOf(store));
  return store;
}

const textOf = (store: KeyStore): string => `${JSON.stringify(store, null, 2)}\n`;

/** The path of the file, in a folder that exists. */
async function keyFile(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'keys');
  // The mode would be every new parent's too, and the database's user must pass through those.
  await mkdir(dataDir, { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, FILE);
}

/** The public keys, for the Worker. */
export function publicKeySet({ keys }: KeyStore): { readonly keys: readonly JWK[] } {
  return { keys: keys.map(publicPart) };
}

const publicPart = ({ d: _private, ...shown }: JWK): JWK => shown;

export interface TokenRequest {
  readonly subject: string;
  readonly account: string;
  readonly plan: Plan;
  readonly pilot: boolean;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  /** Undefined for a token that does not expire: see `mayLastForever`. */
  readonly expiresInSeconds: number | undefined;
  /** Votes per end user; for tokens kept on servers. */
  readonly votesForUsers?: boolean;
  /** Token generation of the account; default 0. */
  readonly generation?: number;
}

/** A token and the metadata that is stored. The text itself is never stored. */
export interface MintedToken {
  readonly token: string;
  readonly tokenId: string;
  readonly kind: TokenKind;
  /** Null for an opaque token. */
  readonly keyId: string | null;
  /** Epoch milliseconds, whole seconds. */
  readonly issuedAt: number;
  /** Null for a token that does not expire. */
  readonly expiresAt: number | null;
}

/** The key that signs. */
export function signingKey({ keys }: KeyStore): JWK & { readonly kid: string } {
  const key = keys.at(-1);
  if (key?.kid === undefined) throw new Error('There is no signing key.');
  return { ...key, kid: key.kid };
}

/** Sign a token without recording it. `registry/issue-token.ts` issues recorded tokens. */
export async function mintToken(
  { keys }: KeyStore,
  request: TokenRequest,
  nowMs: number,
  made = newToken(request, nowMs),
): Promise<MintedToken> {
  const key = signingKey({ keys });
  const { kind, issuedAt, expiresAt } = made;
  const unsigned = new SignJWT({
    acc: request.account,
    typ: kind,
    plan: request.plan,
    pilot: request.pilot,
    scp: request.scopes,
    ...(request.origins.length === 0 ? {} : { org: request.origins }),
    ...(request.votesForUsers === true ? { ext: true } : {}),
    ...(request.generation ? { gen: request.generation } : {}),
  })
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid })
    .setJti(made.tokenId)
    .setSubject(request.subject)
    .setIssuedAt(issuedAt / 1000);
  if (expiresAt !== null) unsigned.setExpirationTime(expiresAt / 1000);
  const token = await unsigned.sign(await importJWK(key, 'EdDSA'));
  if (token.length > MAX_TOKEN_CHARACTERS) {
    throw new Error(
      `The token would have ${token.length} characters; the limit is ${MAX_TOKEN_CHARACTERS}. Use fewer origins.`,
    );
  }
  return { ...made, token, keyId: key.kid };
}

/** Id, kind and times of a new token. */
export function newToken(
  { scopes, votesForUsers = false, expiresInSeconds }: TokenRequest,
  nowMs: number,
): Omit<MintedToken, 'token' | 'keyId'> {
  const issuedAt = Math.floor(nowMs / 1000) * 1000;
  const expiresAt = expiresInSeconds === undefined ? null : issuedAt + expiresInSeconds * 1000;
  return { tokenId: randomUUID(), kind: kindOf(scopes, votesForUsers), issuedAt, expiresAt };
}

/** @throws Error that names each claim for which the service would refuse a token */
export const assertUsable = (token: string): void =>
  assertClaims(tokenClaimsSchema, decodeJwt(token));

/** @throws Error that names each claim that the schema rejects */
export function assertClaims(schema: z.ZodType, claims: object): void {
  const { error } = examine(schema, claims);
  if (error === undefined) return;
  throw new Error(`The service would refuse this token. ${sentenceOf(faultsOf(error))}`);
}

/**
 * Whether one of the keys or the shared secret signed a token. As in the Worker, the key determines the
 * algorithm, not the token. Expiry is ignored.
 * @param secret value of the setting TOKEN_SECRET; `undefined` if it is not set
 */
export async function isSignedByOne(
  token: string,
  { keys }: KeyStore,
  secret: string | undefined,
): Promise<boolean> {
  if (!isTokenText(token)) return false;
  try {
    const { kid } = decodeProtectedHeader(token);
    const key = keys.find((one) => one.kid !== undefined && one.kid === kid);
    if (key !== undefined) {
      await compactVerify(token, await importJWK(publicPart(key), 'EdDSA'), {
        algorithms: ['EdDSA'],
      });
      return true;
    }
    if (kid !== undefined || secret === undefined || secret === '') return false;
    await compactVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] });
    return true;
  } catch {
    return false;
  }
}

const WEEK_SECONDS = 7 * 86_400;

/** The public token of the landing page of `npm start`. */
const DEMO: TokenRequest = {
  subject: 'demo',
  account: 'development',
  plan: 'standard',
  pilot: false,
  scopes: ['tiles', 'styles', 'query'],
  origins: [],
  expiresInSeconds: MAX_LIFE_SECONDS,
};

/** A token with all rights, for development. */
export const DEVELOPMENT: TokenRequest = {
  subject: 'developer',
  account: 'development',
  plan: 'enterprise',
  pilot: true,
  scopes: SCOPES,
  origins: [],
  expiresInSeconds: WEEK_SECONDS,
};

/** Sign a token for the chart on the landing page, without recording it. */
export const mintDemoToken = async (keys: KeyStore): Promise<string> =>
  (await mintToken(keys, DEMO, Date.now())).token;

/** Sign a development token without recording it. */
export const mintDevelopmentToken = async (keys: KeyStore): Promise<string> =>
  (await mintToken(keys, DEVELOPMENT, Date.now())).token;

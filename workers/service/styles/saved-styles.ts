// Saved styles of an account for the style endpoint: from the memory of the isolate for a short
// time, then from the database, or from a copy in the key-value store if the database is not
// available.

import type { LRUCache } from 'lru-cache';
import * as z from 'zod';
import {
  type SavedStyle,
  savedStyleSchema,
  savedStylesKey,
} from '../../../shared/contract/saved-style.ts';
import { listStyles } from '../db/style-store.ts';
import { type Env, hasDatabase } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import { isUnexpired } from '../runtime/periods.ts';
import { withinLimit } from '../runtime/time-limit.ts';

/** Other isolates may use a style for this time after it was changed. */
const FRESH_MS = 20_000;
/** An older list is read again before a style counts as absent. Limits the reads for guessed names. */
const ABSENT_MS = 1000;
/** Interval of retries while the database is not available. */
const RETRY_MS = 5000;
/** A request must not wait long for the database if there is a copy. */
const DATABASE_LIMIT_MS = 1000;
const COPY_LIMIT_MS = 1000;
/** Memory of an entry without its styles. */
const ACCOUNT_BYTES = 500;
/** Memory per character of JSON: two bytes, and the same for objects. */
const BYTES_A_LETTER = 4;

interface Held {
  readonly styles: readonly SavedStyle[];
  /** Whether the styles are from the database and not from a copy. */
  readonly isConfirmed: boolean;
  readonly askAgainAt: number;
}

/** Cache: styles by account, per deployment. */
const memory = new WeakMap<Env, LRUCache<string, Held>>();

const copySchema = z.array(savedStyleSchema);
type Defer = (work: Promise<unknown>) => void;

/**
 * The style with an id or a name, or `undefined` if the account has no such style.
 *
 * @throws ApiError 503 if that cannot be determined
 */
export async function knownStyle(
  env: Env,
  account: string,
  wanted: { readonly id?: string | undefined; readonly name?: string | undefined },
  defer: Defer,
): Promise<SavedStyle | undefined> {
  const isWanted = ({ id, name }: SavedStyle) =>
    wanted.id === undefined ? name === wanted.name : id === wanted.id.toLowerCase();
  let { styles, isConfirmed } = await stylesOf(env, account, defer);
  let found = styles.find(isWanted);
  if (found === undefined && isConfirmed && askAgain(env, account)) {
    ({ styles, isConfirmed } = await stylesOf(env, account, defer));
    found = styles.find(isWanted);
  }
  // A copy may be older than the style.
  if (found === undefined && !isConfirmed) throw new ApiError('database_unavailable');
  return found;
}

/**
 * Lets the next request read the styles again, because another isolate may have saved one since.
 * @returns whether they are older than `ABSENT_MS`
 */
function askAgain(env: Env, account: string): boolean {
  const held = heldBy(env).get(account);
  if (held === undefined || !hasDatabase(env)) return false;
  if (held.askAgainAt - FRESH_MS + ABSENT_MS > Date.now()) return false;
  heldBy(env).set(account, { ...held, askAgainAt: 0 });
  return true;
}

/** Updates the memory of this isolate and the copy after a change. */
export async function refreshStyles(env: Env, account: string, defer: Defer): Promise<void> {
  heldBy(env).delete(account);
  await readStyles(env, account, defer).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}

async function stylesOf(env: Env, account: string, defer: Defer): Promise<Held> {
  const known = heldBy(env).get(account);
  if (known !== undefined && isUnexpired(Date.now(), known.askAgainAt, FRESH_MS)) return known;
  try {
    return await readStyles(env, account, defer);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const styles = (hasDatabase(env) ? known?.styles : undefined) ?? (await readCopy(env, account));
    const askAgainAt = Date.now() + RETRY_MS;
    if (styles !== undefined) {
      return remember(env, account, { styles, isConfirmed: false, askAgainAt });
    }
    // A deployment without a database has no styles.
    if (hasDatabase(env)) throw error;
    return remember(env, account, { styles: [], isConfirmed: true, askAgainAt });
  }
}

async function readStyles(env: Env, account: string, defer: Defer): Promise<Held> {
  const before = heldBy(env).get(account);
  const styles = await listStyles(env, account, DATABASE_LIMIT_MS);
  const isNews = JSON.stringify(before?.styles) !== JSON.stringify(styles);
  if (isNews) defer(writeCopy(env, account, styles));
  return remember(env, account, {
    styles,
    isConfirmed: true,
    askAgainAt: Date.now() + FRESH_MS,
  });
}

function heldBy(env: Env): LRUCache<string, Held> {
  const held =
    memory.get(env) ??
    boundedCache<Held>('savedStyles', {
      sizeOf: ({ styles }) => ACCOUNT_BYTES + JSON.stringify(styles).length * BYTES_A_LETTER,
      // An account may have 100 styles of 32 KiB, which may fill the cache.
      mostOfOne: 1,
    });
  memory.set(env, held);
  return held;
}

function remember(env: Env, account: string, held: Held): Held {
  heldBy(env).set(account, held);
  return held;
}

async function readCopy(env: Env, account: string): Promise<readonly SavedStyle[] | undefined> {
  if (env.KV === undefined) return undefined;
  try {
    const copy = await withinLimit(env.KV.get(savedStylesKey(account), 'json'), COPY_LIMIT_MS);
    return copy === null ? undefined : copySchema.parse(copy);
  } catch (error) {
    logFault('copy of saved styles', error);
    return undefined;
  }
}

/** Does not write an equal copy, because writes cost more than reads. */
async function writeCopy(env: Env, account: string, styles: readonly SavedStyle[]): Promise<void> {
  if (env.KV === undefined) return;
  try {
    const text = JSON.stringify(styles);
    const before = await env.KV.get(savedStylesKey(account));
    if (before !== text && (before !== null || styles.length > 0)) {
      await env.KV.put(savedStylesKey(account), text);
    }
  } catch (error) {
    logFault('copy of saved styles', error);
  }
}

// The saved styles of an account as the style endpoint needs them: from the isolate's memory for a
// moment, then from the database, and from a copy at the edge while there is no database.

import type { LRUCache } from 'lru-cache';
import * as z from 'zod';
import {
  type SavedStyle,
  savedStyleSchema,
  savedStylesKey,
} from '../../../shared/contract/saved-style.ts';
import { listStyles } from '../db/style-store.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError, databaseUnavailable } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import { isUnexpired } from '../runtime/periods.ts';
import { withinLimit } from '../runtime/time-limit.ts';

/** How long another isolate may draw with a style after it was changed. */
const FRESH_MS = 20_000;
/** While the database is away it is asked this often, not by every request. */
const RETRY_MS = 5000;
/** A style must not wait for a database that hangs when there is a copy. */
const DATABASE_LIMIT_MS = 1000;
const COPY_LIMIT_MS = 1000;
/** Beside what its styles say. */
const ACCOUNT_BYTES = 500;
/** Text as it is kept: two bytes a letter, and what surrounds the values. */
const BYTES_A_LETTER = 4;

interface Held {
  readonly styles: readonly SavedStyle[];
  /** Whether the database said so last time, rather than a copy. */
  readonly isConfirmed: boolean;
  readonly askAgainAt: number;
}

/** A cache named as one: styles by account, per deployment. */
const memory = new WeakMap<Env, LRUCache<string, Held>>();

const copySchema = z.array(savedStyleSchema);
type Defer = (work: Promise<unknown>) => void;

/**
 * The style with an id or a name. @returns undefined where the account has none such
 * @throws ApiError 503 where that cannot be known
 */
export async function knownStyle(
  env: Env,
  account: string,
  wanted: { readonly id?: string | undefined; readonly name?: string | undefined },
  defer: Defer,
): Promise<SavedStyle | undefined> {
  const { styles, isConfirmed } = await stylesOf(env, account, defer);
  const found = styles.find(({ id, name }) =>
    wanted.id === undefined ? name === wanted.name : id === wanted.id.toLowerCase(),
  );
  // An old copy cannot know what was saved since.
  if (found === undefined && !isConfirmed) throw databaseUnavailable();
  return found;
}

/** After a change: what this isolate knows and the copy at the edge follow the database at once. */
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
    const hasDatabase = env.DATABASE_URL !== undefined && env.DATABASE_URL !== '';
    const styles = (hasDatabase ? known?.styles : undefined) ?? (await readCopy(env, account));
    const askAgainAt = Date.now() + RETRY_MS;
    if (styles !== undefined) {
      return remember(env, account, { styles, isConfirmed: false, askAgainAt });
    }
    // A deployment that never had a database has no styles, and that is certain.
    if (hasDatabase) throw error;
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
      // An account may have 100 styles of 32 KiB: its styles are kept alone, if need be.
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

/** Writes cost more than reads: an equal copy is left alone. */
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

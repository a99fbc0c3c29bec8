// Classifies database errors: the server is unavailable, busy or lacks a migration, or the
// statement was rejected; and whether it is certain that nothing was changed.

import { NeonDbError } from '@neondatabase/serverless';
import { DrizzleQueryError } from 'drizzle-orm';

/** `answer`: the statement was rejected because of its content; the caller must handle this. */
type FaultKind = 'away' | 'busy' | 'unprepared' | 'stopped' | 'answer' | 'ours';

/**
 * PostgreSQL, Appendix A: shutdown or startup, connections, storage, damaged pages and internal
 * errors.
 */
const AWAY = /^(57P0[1-5]|08\w{3}|58\w{3}|XX\w{3})$/;
/**
 * Time limits, locks, exhausted resources, serialization failures, deadlocks; and read-only
 * transactions (25006), as on a standby or with a full disk.
 */
const BUSY = /^(57014|25P0[34]|55P03|53\w{3}|40001|40P01|25006)$/;
/** Login failed, or the database, tables or grants are missing. */
const UNPREPARED = /^(28\w{3}|3D000|42P01|42703|42883|42501)$/;
/** Raised by `require_standing`: the token is revoked. */
const STOPPED = 'LL401';

/** The server was starting or not reachable, so no statement ran. */
const NOT_CONNECTED = /^(57P03|08001|08004)$/;
/**
 * The connection or the server ended, perhaps after the commit; and requests that Neon's proxy
 * cancelled (08P01).
 */
const ENDED = /^(57P0[1245]|08\w{3}|58\w{3}|XX\w{3})$/;
/** Errors of Neon's proxy, without a code, if it could not reach the server. */
const NOT_REACHED =
  /Control plane request failed|Couldn't connect to compute|Failed to acquire permit|Too many database connection attempts|exceeded the .*quota/i;
/** The response exceeds the limit of Neon, which rolls the transaction back. */
const TOO_LARGE = /HTTP status 507/;

export function faultKind(error: unknown): FaultKind {
  const source = sourceOf(error);
  const isDatabase = error instanceof DrizzleQueryError || source instanceof NeonDbError;
  if (!isDatabase) return 'ours';
  const code = codeOf(source);
  // Without a code, the query or the response was lost.
  if (code === undefined || AWAY.test(code)) return 'away';
  if (BUSY.test(code)) return 'busy';
  if (code === STOPPED) return 'stopped';
  return UNPREPARED.test(code) ? 'unprepared' : 'answer';
}

/**
 * Whether a transaction that failed with this error certainly changed nothing: the server rejected
 * it or never received it. If the response was lost, nothing is certain.
 */
export function isWithoutEffect(error: unknown): boolean {
  const source = sourceOf(error);
  const code = codeOf(source);
  if (code !== undefined) return NOT_CONNECTED.test(code) || !ENDED.test(code);
  const message = source instanceof Error ? source.message : '';
  return NOT_REACHED.test(message) || TOO_LARGE.test(message);
}

/** The name of the unique constraint that a statement violated. */
export function brokenUnique(error: unknown): string | undefined {
  const source = sourceOf(error);
  if (codeOf(source) !== '23505') return undefined;
  return (source as NeonDbError).constraint ?? '';
}

/** Raised by `refuse`: the message is the code of a rule. */
const REFUSED = 'LL409';

/** The code of the rule that rejected a statement. */
export function refusedRule(error: unknown): string | undefined {
  const source = sourceOf(error);
  return codeOf(source) === REFUSED ? (source as NeonDbError).message : undefined;
}

const sourceOf = (error: unknown): unknown =>
  error instanceof DrizzleQueryError ? error.cause : error;

function codeOf(source: unknown): string | undefined {
  return source instanceof NeonDbError && source.code !== undefined && source.code !== ''
    ? source.code
    : undefined;
}

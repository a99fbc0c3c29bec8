// What an error of the database means: a server that is away, one that is busy, one that was not
// prepared for this code, or an answer to the question itself; and whether it is certain that nothing
// was changed.

import { NeonDbError } from '@neondatabase/serverless';
import { DrizzleQueryError } from 'drizzle-orm';

/** `answer`: the statement was refused for its content, which only its author can judge. */
type FaultKind = 'away' | 'busy' | 'unprepared' | 'stopped' | 'answer' | 'ours';

/**
 * Codes of PostgreSQL, Appendix A: shutting down or starting, connections, storage, and what the server
 * says of itself where a page is damaged or its own code failed.
 */
const AWAY = /^(57P0[1-5]|08\w{3}|58\w{3}|XX\w{3})$/;
/**
 * Cancelled by a time limit, of the transaction too, locked, too many of something, serialization,
 * deadlock; and for now without writes (25006), as a replica that stands in, or where the disk is full.
 */
const BUSY = /^(57014|25P0[34]|55P03|53\w{3}|40001|40P01|25006)$/;
/** Login refused, no such database, or tables that a migration has still to make or grant. */
const UNPREPARED = /^(28\w{3}|3D000|42P01|42703|42883|42501)$/;
/** Raised by `require_standing`: the token of the request was stopped. */
const STOPPED = 'LL401';

/** The server was starting, or no connection to it could be made: no statement ran. */
const NOT_CONNECTED = /^(57P03|08001|08004)$/;
/**
 * The server's connection or the server itself ended, perhaps after the commit; and what Neon's proxy
 * says of a request that it cancelled (08P01).
 */
const ENDED = /^(57P0[1245]|08\w{3}|58\w{3}|XX\w{3})$/;
/** What Neon's proxy says, without a code, where it could not get to the server to ask it. */
const NOT_REACHED =
  /Control plane request failed|Couldn't connect to compute|Failed to acquire permit|Too many database connection attempts|exceeded the .*quota/i;
/** An answer that Neon does not carry: the transaction of a batch is rolled back first. */
const TOO_LARGE = /HTTP status 507/;

export function faultKind(error: unknown): FaultKind {
  const source = sourceOf(error);
  const isDatabase = error instanceof DrizzleQueryError || source instanceof NeonDbError;
  if (!isDatabase) return 'ours';
  const code = codeOf(source);
  // No code: the question did not get there, or the answer did not get here.
  if (code === undefined || AWAY.test(code)) return 'away';
  if (BUSY.test(code)) return 'busy';
  if (code === STOPPED) return 'stopped';
  return UNPREPARED.test(code) ? 'unprepared' : 'answer';
}

/**
 * Whether it is certain that a transaction which ended with this error changed nothing: the server
 * refused it, or was never asked. Of an answer that did not arrive nothing is certain.
 */
export function isWithoutEffect(error: unknown): boolean {
  const source = sourceOf(error);
  const code = codeOf(source);
  if (code !== undefined) return NOT_CONNECTED.test(code) || !ENDED.test(code);
  const message = source instanceof Error ? source.message : '';
  return NOT_REACHED.test(message) || TOO_LARGE.test(message);
}

/** The name of the unique constraint that a statement broke. */
export function brokenUnique(error: unknown): string | undefined {
  const source = sourceOf(error);
  if (codeOf(source) !== '23505') return undefined;
  return (source as NeonDbError).constraint ?? '';
}

const sourceOf = (error: unknown): unknown =>
  error instanceof DrizzleQueryError ? error.cause : error;

function codeOf(source: unknown): string | undefined {
  return source instanceof NeonDbError && source.code !== undefined && source.code !== ''
    ? source.code
    : undefined;
}

// Errors for the log, without the text and the values of SQL statements.

export interface Loggable {
  readonly message: string;
  /** The frames only: the engine's `stack` begins with the message. */
  readonly stack: string | undefined;
}

/**
 * Prepares an error for the log. An error with the values of a statement (`params`, such as
 * Drizzle's) is replaced by its cause. Messages of PostgreSQL go through `loggableMessage`.
 */
export function loggable(error: unknown): Loggable {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined };
  const stack = framesOf(error);
  if ('params' in error) {
    const cause = error.cause === undefined ? undefined : loggable(error.cause);
    return { message: cause?.message ?? 'A statement failed.', stack: cause?.stack ?? stack };
  }
  const { code } = error as { code?: unknown };
  const isSql = typeof code === 'string' && SQLSTATE.test(code);
  const message = isSql ? loggableMessage(code, error.message) : error.message;
  return { message: `${error.name}: ${message}`, stack };
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** PostgreSQL, Appendix A: messages of class 22, data exceptions, quote the invalid value. */
const QUOTES_VALUES = /^22/;

/** A PostgreSQL error's code and message, without values. */
export const loggableMessage = (code: string, message: string): string =>
  QUOTES_VALUES.test(code) ? `${code}: invalid value` : `${code}: ${message}`;

function framesOf({ stack = '' }: Error): string | undefined {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.length === 0 ? undefined : frames.join('\n');
}

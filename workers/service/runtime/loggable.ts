// Errors as a log may show them: without the text and the values of a statement.

/** What may be logged of an error. */
export interface Loggable {
  readonly message: string;
  /** The frames alone: the engine repeats the message before them. */
  readonly stack: string | undefined;
}

/**
 * An error for a log. An error that carries the values of a statement (`params`, as Drizzle's does) is
 * replaced by its cause; of an error of PostgreSQL only what `loggableMessage` leaves is kept.
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
/** PostgreSQL, Appendix A: the messages of class 22, data exceptions, quote the value at fault. */
const QUOTES_VALUES = /^22/;

/** The message of an error of PostgreSQL with its code, and without values. */
export const loggableMessage = (code: string, message: string): string =>
  QUOTES_VALUES.test(code) ? `${code}: a value was refused` : `${code}: ${message}`;

function framesOf({ stack = '' }: Error): string | undefined {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.length === 0 ? undefined : frames.join('\n');
}

// The log of an error never contains the text or the values of a statement.

import { NeonDbError } from '@neondatabase/serverless';
import { DrizzleQueryError } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { logFault } from '../../workers/service/runtime/log.ts';

const SECRET = 'skipper-seven';

function refused(code: string, message: string): NeonDbError {
  const error = new NeonDbError(message);
  error.code = code;
  error.detail = `Key (name)=(${SECRET}) already exists.`;
  return error;
}

function logged(error: unknown): string {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    logFault('handler', error, 'request-1');
    return log.mock.calls.map(([line]) => String(line)).join('\n');
  } finally {
    log.mockRestore();
  }
}

describe('logFault', () => {
  test('leaves out the statement and its values, and keeps the cause with its frames', () => {
    const cause = refused('42P01', 'relation "saved_style" does not exist');
    const line = logged(new DrizzleQueryError('SELECT $1', [SECRET], cause));
    expect(line).not.toContain(SECRET);
    expect(line).not.toContain('SELECT');
    expect(JSON.parse(line)).toMatchObject({
      message: 'NeonDbError: 42P01: relation "saved_style" does not exist',
      stack: expect.stringMatching(/^ +at /),
      requestId: 'request-1',
    });
  });

  test('leaves them out of a statement that failed without a cause, and of a cause of a cause', () => {
    for (const error of [
      new DrizzleQueryError('SELECT $1', [SECRET]),
      new DrizzleQueryError(
        'SELECT $1',
        [SECRET],
        new DrizzleQueryError('SELECT $2', [SECRET], new Error('gone')),
      ),
    ]) {
      const line = logged(error);
      expect(line).not.toContain(SECRET);
      expect(line).not.toContain('SELECT');
    }
  });

  test('leaves out the message of a data exception, which quotes the value', () => {
    const line = logged(refused('22P02', `invalid input syntax for type json: "${SECRET}"`));
    expect(line).not.toContain(SECRET);
    expect(line).toContain('22P02');
  });

  test('keeps the message and the frames of any other error', () => {
    expect(JSON.parse(logged(new TypeError('x is not a function')))).toMatchObject({
      message: 'TypeError: x is not a function',
      stack: expect.stringMatching(/^ +at .*loggable\.test/),
    });
    expect(JSON.parse(logged('a text'))).toMatchObject({ message: 'a text' });
  });
});

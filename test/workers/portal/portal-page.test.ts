// Parts of the portal's page that work without a browser: names to type, errors, all pages of a list.

import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../../workers/service/runtime/errors.ts';
import { problemParts } from '../../../workers/service/runtime/errors.ts';
import {
  passwordRequired,
  passwordWrong,
  presenceRequired,
  sessionTooOld,
} from '../../../workers/service/runtime/portal-errors.ts';
import { allEntries, errorOf } from '../../../workers/web/portal/api.ts';
import { isTyped } from '../../../workers/web/portal/confirm-form.ts';

describe('the name that confirms an action', () => {
  it.each([
    ['two spaces', 'Harbour  page', 'Harbour page'],
    ['a space that does not break the line', 'Harbour\u00a0page', 'Harbour page'],
    ['an invisible character', 'Har\u200bbour\u202e', 'Harbour'],
    ['a letter in two parts', 'Ha\u0308fen', 'Häfen'],
    ['spaces at the ends', ' Harbour ', 'Harbour'],
  ])('can be typed if it has %s', (_, name, typed) => expect(isTyped(name, typed)).toBe(true));

  it.each(['harbour', 'Harbourpage', 'Harbour', ''])('is not %j', (typed) =>
    expect(isTyped('Harbour page', typed)).toBe(false),
  );
});

describe('the message of an error', () => {
  const messageOf = (error: ApiError) =>
    errorOf(error.status, problemParts(error, 'id').text).message;

  it.each([
    ['passwordRequired', passwordRequired()],
    ['passwordWrong', passwordWrong()],
    ['presenceRequired', presenceRequired()],
    ['sessionTooOld', sessionTooOld()],
  ])('%s is for people', (_, error) =>
    expect(messageOf(error)).toMatch(/^The (current )?password is (missing|wrong)(?!.*POST)/),
  );

  it.each(['', 'null', '<html>Bad gateway</html>', '{"title":"Error"}'])(
    'is known if the text of the response is %j',
    (text) =>
      expect(errorOf(502, text)).toMatchObject({
        status: 502,
        message: 'The service failed. Try again later.',
      }),
  );
});

describe('all entries of a list', () => {
  /** A list of three pages. @param failures how often the second page fails */
  const read = (failures: number) => {
    let left = failures;
    return async (from = '0') => {
      if (from === '1' && left-- > 0) throw new Error('lost');
      const page = Number(from);
      return { entries: [page, page], next: page < 2 ? `${page + 1}` : undefined };
    };
  };

  it('include those of a page that failed once, and are counted', async () => {
    const counts: number[] = [];
    const all = await allEntries<number>(read(1), (count) => counts.push(count));
    expect(all).toEqual([0, 0, 1, 1, 2, 2]);
    expect(counts).toEqual([2, 4, 6]);
  });

  it('fail with a page that fails again', async () => {
    await expect(allEntries(read(2), () => {})).rejects.toThrow('lost');
  });
});

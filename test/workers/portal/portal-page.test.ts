// Parts of the portal's page that work without a browser: names to type, errors, all pages of a list.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, problemParts } from '../../../workers/service/runtime/errors.ts';
import {
  passwordRequired,
  passwordWrong,
  presenceRequired,
  sessionTooOld,
} from '../../../workers/service/runtime/portal-errors.ts';
import { allEntries, ask, errorOf } from '../../../workers/web/portal/api.ts';
import { isTyped } from '../../../workers/web/portal/confirm-form.ts';

describe('the name that confirms an action', () => {
  it.each([
    ['two spaces', 'Harbour  page', 'Harbour page'],
    ['a space that does not break the line', 'Harbour\u00a0page', 'Harbour page'],
    ['an invisible character', 'Har\u200bbour\u202e', 'Harbour'],
    ['a letter in two parts', 'Ha\u0308fen', 'Häfen'],
    ['spaces at the ends', ' Harbour ', 'Harbour'],
  ])('can be typed if it has %s', (_, name, typed) => expect(isTyped(name, typed)).toBe(true));

  it('cannot be typed if none of its characters is visible', () =>
    expect(isTyped('\u200b\u202e\u3164\u2800\ufe0f', '')).toBe(false));

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
  ])('has a text for people: %s', (_, error) =>
    expect(messageOf(error)).toMatch(/^The (current )?password is (missing|wrong)(?!.*POST)/),
  );

  it('has a text for people by its code', () => {
    const text = messageOf(new ApiError('track_not_corrected'));
    expect(text).toMatch(/^The corrections of the track are not known yet\. [^`]*$/);
  });

  it.each(['', 'null', '<html>Bad gateway</html>', '{"title":"Error"}'])(
    'has a general text if the response is %j',
    (text) =>
      expect(errorOf(502, text)).toMatchObject({
        status: 502,
        message: 'The service failed. Try again later.',
      }),
  );
});

describe('a successful response', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('that is cut off is an error, because its result is not known', async () => {
    vi.stubGlobal('fetch', async () => new Response('{"id":"to', { status: 201 }));
    await expect(ask('POST', '/apiTokens', {})).rejects.toMatchObject({
      status: 0,
      message: 'The response was lost. Reload the page to see what changed.',
    });
    await expect(ask('GET', '/apiTokens')).rejects.toMatchObject({
      message: 'The response was lost. Try again.',
    });
  });
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

// Requests to the portal API. The browser adds the session cookie.

import { csvLine } from '../../../shared/contract/csv.ts';
import { downloadText } from '../chart/parts/download-text.ts';

export type { NewPortalToken, PortalToken, PortalUser } from '../client/portal-wire.ts';

/** An error response, with a message for the user. */
export class PortalError extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @throws PortalError */
export async function ask<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
  const response = await fetch(`/api/portal/v1${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new PortalError(0, 'The service does not respond. Check the connection and try again.');
  });
  if (response.status === 204) return undefined as T;
  if (response.ok) {
    return (await response.json().catch(() => {
      const advice = method === 'GET' ? 'Try again.' : 'Reload the page to see what changed.';
      throw new PortalError(0, `The response was lost. ${advice}`);
    })) as T;
  }
  throw errorOf(response.status, await response.text().catch(() => ''));
}

/**
 * Texts for people, for error details that are written for programs. The key is the path and message of the first
 * invalid field.
 */
const TEXTS: Readonly<Record<string, string>> = {
  'currentPassword is missing or wrong': 'The current password is missing or wrong.',
  'currentPassword is missing, and the session is too old':
    'The current password is missing. If you have no password yet, sign in again first.',
  'password is wrong, or the user has no password':
    'The password is wrong. If you have no password yet, set one in the section Security first.',
  'password is missing or wrong': 'The password is missing or wrong. Enter it, or sign in again.',
};

/** The same by the code of the error. */
const TEXTS_BY_CODE: Readonly<Record<string, string>> = {
  track_not_corrected:
    'The corrections of the track are not known yet. Wait until the crowdsourced depths are built again. A track with another reference of depths than transducer, waterline, keel or unknown has no corrections.',
};

interface Problem {
  readonly detail?: string;
  readonly code?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** The error of an error response. @param text a problem document, or another text of a proxy */
export function errorOf(status: number, text: string): PortalError {
  const otherwise = 'The service failed. Try again later.';
  try {
    const { detail, code, errors = [] } = JSON.parse(text) as Problem;
    const [known] = errors.map(({ path, message }) => TEXTS[`${path} ${message}`]);
    const message = known ?? TEXTS_BY_CODE[code ?? ''] ?? detail ?? otherwise;
    return new PortalError(status, message, code);
  } catch {
    return new PortalError(status, otherwise);
  }
}

/** The message of an error, for the user. */
export const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** A day such as 1 Dec 2026, in the reader's language. @param timeZone by default that of the reader */
export const dayOf = (ms: number | null, timeZone?: 'UTC'): string =>
  ms === null
    ? 'never'
    : new Date(ms).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone });

/** A time such as 1 Jun 2026, 14:05, in the reader's language. */
export const timeText = (ms: number): string =>
  new Date(ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time for a file; empty for `null`. */
export const isoOf = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

export interface ListPage<T> {
  readonly entries: readonly T[];
  /** Where the next page begins; `undefined` for the last page. */
  readonly next: string | undefined;
}

const FILE_PAGE = 100;

/**
 * All entries of a list, also those that the page does not show yet.
 *
 * @param read reads the page at `from`; a page that fails is read once more
 * @param onCount called with the number of entries so far
 */
export async function allEntries<T>(
  read: (from: string | undefined, limit: number) => Promise<ListPage<T>>,
  onCount: (count: number) => void,
): Promise<T[]> {
  const all: T[] = [];
  let from: string | undefined;
  do {
    const page = () => read(from, FILE_PAGE);
    const { entries, next } = await page().catch(page);
    for (const entry of entries) all.push(entry);
    onCount(all.length);
    from = next;
  } while (from !== undefined);
  return all;
}

/** Download rows as CSV. */
export function downloadCsv(name: string, rows: readonly (readonly (string | number)[])[]): void {
  downloadText(rows.map(csvLine).join(''), `${name}.csv`, 'text/csv');
}

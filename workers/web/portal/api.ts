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
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as T;
  const { detail, code } = answer as { readonly detail?: string; readonly code?: string };
  throw new PortalError(response.status, detail ?? 'The service failed. Try again later.', code);
}

/** The message of an error, for the user. */
export const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** A day such as 1 Dec 2026, in the reader's language. @param timeZone by default that of the reader */
export const dayOf = (ms: number | null, timeZone?: 'UTC'): string =>
  ms === null
    ? 'never'
    : new Date(ms).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone });

/** A time for a file; empty for `null`. */
export const isoOf = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

export interface ListPage<T> {
  readonly entries: readonly T[];
  /** Where the next page begins; `undefined` for the last page. */
  readonly next: string | undefined;
}

const FILE_PAGE = 100;

/** All entries of a list, also those that the page does not show yet. @param read reads the page at `from` */
export async function allEntries<T>(
  read: (from: string | undefined, limit: number) => Promise<ListPage<T>>,
): Promise<T[]> {
  const all: T[] = [];
  let from: string | undefined;
  do {
    const { entries, next } = await read(from, FILE_PAGE);
    for (const entry of entries) all.push(entry);
    from = next;
  } while (from !== undefined);
  return all;
}

/** Download rows as CSV. */
export function downloadCsv(name: string, rows: readonly (readonly (string | number)[])[]): void {
  downloadText(rows.map(csvLine).join(''), `${name}.csv`, 'text/csv');
}

// The endpoints of user reports, as the page asks them, and every refusal in words for the reader.

import type { Box } from '../../client/chart/box.ts';
import type { Position, Report, ReportKind } from './report.ts';
import { openUserToken } from './user-token.ts';

/** Why something did not work, in a sentence to show. */
export class Refusal extends Error {
  /** 0 where no answer came. */
  readonly status: number;
  readonly isOwned: boolean;

  constructor(message: string, status = 0, isOwned = false) {
    super(message);
    this.status = status;
    this.isOwned = isOwned;
  }
}

export interface NewReport {
  /** Made here, so that asking again cannot make a second report. */
  readonly id: string;
  readonly reportType: ReportKind;
  readonly position: Position;
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Listed {
  readonly reports: readonly Report[];
  /** There are more than one answer holds. */
  readonly isCut: boolean;
}

export interface ReportsClient {
  create(report: NewReport): Promise<Report>;
  vote(id: string, vote: 'valid' | 'invalid'): Promise<Report>;
  remove(id: string): Promise<Report>;
  read(id: string): Promise<Report>;
  list(box: Box): Promise<Listed>;
  /** Whether reports can be had: the service tells without failing. */
  isUp(): Promise<boolean>;
}

const PATH = '/api/v1/user-reports';
const MOST = 500;
const PATIENCE_MS = 15_000;

interface Collection {
  readonly features: readonly { readonly properties: Report }[];
  readonly nextCursor?: string | null;
}

/** @param userId who sits at this page, as votes and reports name it to the service */
export function openClient(token: string, userId: string): ReportsClient {
  const user = openUserToken(token);
  const ask = async <T>(method: string, path: string, body?: object, tries = 2): Promise<T> => {
    if (!navigator.onLine) throw new Refusal('You are offline.');
    const response = await fetch(path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(await user.headers(method !== 'GET')) },
      // What another sailor changed a moment ago must show.
      cache: 'no-cache',
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Refusal('The service cannot be reached.');
    });
    if (!response.ok) {
      const { refusal, code } = await refusalOf(response);
      if (code !== 'user_token_invalid' || tries < 2) throw refusal;
      user.forget();
      return ask<T>(method, path, body, tries - 1);
    }
    return (await response.json().catch(() => {
      throw new Refusal('The answer was lost on its way.');
    })) as T;
  };
  const at = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  return {
    create: (report) => ask('POST', PATH, { ...report, externalUserId: userId }),
    vote: (id, vote) => ask('POST', `${at(id)}/votes`, { vote, externalUserId: userId }),
    remove: (id) => ask('DELETE', at(id)),
    read: (id) => ask('GET', at(id)),
    list: async ({ west, south, east, north }) => {
      const bbox = [west, south, east, north].map((degrees) => degrees.toFixed(5)).join(',');
      const query = new URLSearchParams({ format: 'geojson', bbox, limit: String(MOST) });
      const found = await ask<Collection>('GET', `${PATH}?${query}`);
      const reports = found.features.map(({ properties }) => properties);
      return { reports, isCut: (found.nextCursor ?? null) !== null };
    },
    isUp: async () => {
      const { database } = await ask<{ database: string }>('GET', '/readyz');
      return database === 'up';
    },
  };
}

async function refusalOf(
  response: Response,
): Promise<{ readonly refusal: Refusal; readonly code: string | undefined }> {
  const { status } = response;
  const problem = (await response.json().catch(() => ({}))) as {
    readonly detail?: string;
    readonly code?: string;
    readonly owned?: boolean;
  };
  const wait = Number(response.headers.get('retry-after'));
  const again = wait > 0 ? `Try again in ${wait} s.` : 'Try again in a moment.';
  const words: Readonly<Record<number, string>> = {
    401: 'This page’s token is not valid any more: open a new link.',
    404: 'There is no such report.',
    410: 'This report is gone: it was deleted, or it expired.',
    429: `That was often. ${again}`,
    503: `Reports cannot be reached right now. ${again}`,
  };
  const { code, detail, owned } = problem;
  const message =
    code === 'scope_required'
      ? 'This page’s token may not do that.'
      : code === 'outcome_unknown'
        ? `It may have arrived, or not: sending it again is safe. ${again}`
        : (words[status] ?? detail ?? `The service could not do that. ${again}`);
  return { refusal: new Refusal(message, status, owned === true), code };
}

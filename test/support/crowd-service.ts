// The service with a separate database, for tests of reports and tracks: callers with tokens, and a check of every
// response against the service's OpenAPI document.

import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import type { TokenRequest } from '../../workers/host/admin/keys.ts';
import { freshDatabase, type TestDatabase } from './database.ts';
import { type Answer, jsonOf, sendHttp } from './http-client.ts';
import { type AnswerCheck, answerCheck, type OpenApiDocument } from './openapi.ts';
import { type Service, startService } from './service.ts';

export const REPORTS = '/api/v1/user-reports';

export interface Ask {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CrowdService {
  readonly service: Service;
  readonly database: TestDatabase;
  /** A caller with every scope but administration, unless the request says otherwise. */
  caller(request?: Partial<TokenRequest>): Promise<Caller>;
  /** Send a request without a token, or with one in the path or the headers. */
  ask(path: string, wanted?: Ask): Promise<Answer>;
  stop(): Promise<void>;
}

export interface Caller {
  readonly token: string;
  ask(path: string, wanted?: Ask): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Create a report and return its body. */
  report(more?: Readonly<Record<string, unknown>>): Promise<ReportBody>;
  vote(id: string, vote: 'valid' | 'invalid', more?: object): Promise<Answer>;
}

export interface ReportBody {
  readonly id: string;
  readonly reportType: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly upvoteCount: number;
  readonly downvoteCount: number;
  readonly isOwner: boolean;
  readonly externalUserId?: string;
  readonly namespace: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiredAt: number | null;
  readonly deletedAt: number | null;
}

export const HAZARD = {
  reportType: 'hazard',
  position: { latitude: 47.6, longitude: -122.4 },
  properties: { description: 'Log adrift' },
} as const;

export async function startCrowdService(
  settings: Readonly<Record<string, string>> = {},
  database?: TestDatabase,
): Promise<CrowdService> {
  const own = database ?? (await freshDatabase());
  const service = await startService({
    charts: inject('demoCharts'),
    database: own.bindings,
    settings,
  });
  documented ??= checkOf(service);
  return crowdOver(service, own, await documented);
}

/** The check for all files in this process, because all services have the same document. */
let documented: Promise<AnswerCheck> | undefined;

const checkOf = async ({ address }: Service): Promise<AnswerCheck> =>
  answerCheck((await (await fetch(`${address}/openapi.json`)).json()) as OpenApiDocument);

function crowdOver(service: Service, database: TestDatabase, check: AnswerCheck): CrowdService {
  const ask = async (path: string, { method = 'GET', body, raw, headers = {} }: Ask = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await sendHttp(service.port, path, {
      method,
      headers: {
        ...(sent === undefined || 'transfer-encoding' in headers
          ? {}
          : { 'content-length': `${Buffer.byteLength(sent)}` }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    expect(check(method, path, answer), `${method} ${path} → ${answer.status}`).toEqual([]);
    return answer;
  };
  return {
    service,
    database,
    ask,
    caller: async (request) => {
      const token = await service.token({
        scopes: ['styles', 'reports:write', 'bathymetry:write'],
        ...request,
      });
      const askAs = (path: string, wanted: Ask = {}) =>
        ask(path, { ...wanted, headers: { authorization: `Bearer ${token}`, ...wanted.headers } });
      const caller: Caller = {
        token,
        ask: askAs,
        post: (path, body) => askAs(path, { method: 'POST', body }),
        get: (path) => askAs(path),
        delete: (path) => askAs(path, { method: 'DELETE' }),
        report: async (more = {}) => {
          const answer = await caller.post(REPORTS, { ...HAZARD, id: randomUUID(), ...more });
          expect(answer.status).toBe(201);
          return jsonOf(answer) as ReportBody;
        },
        vote: (id, vote, more = {}) => caller.post(`${REPORTS}/${id}/votes`, { vote, ...more }),
      };
      return caller;
    },
    stop: async () => {
      await service.stop();
      await database.stop();
    },
  };
}

/** Status and code of an error response. */
export const refusalOf = (answer: Answer): readonly [number, string] => [
  answer.status,
  jsonOf(answer).code as string,
];

/** Fields named by a 400 response. */
export const faultPaths = (answer: Answer): string[] =>
  ((jsonOf(answer).errors ?? []) as { path: string }[]).map(({ path }) => path).sort();

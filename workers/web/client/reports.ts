// User reports and user tokens.

import type { AddressOptions, TilePlace } from './charts.ts';
import { wasDeletedHere } from './delete-thing.ts';
import { ConflictError, GoneError } from './errors.ts';
import { randomId } from './random-id.ts';
import {
  type CallOptions,
  type KeyedOptions,
  queryText,
  readBytes,
  readJson,
  sendRequest,
} from './send-request.ts';
import type { Session } from './session.ts';
import type {
  NewReport,
  Report,
  ReportCollection,
  ReportPage,
  ReportQuestion,
  ReportTile,
  UserToken,
  UserTokenQuestion,
  Vote,
} from './wire.ts';

export interface Reports {
  /**
   * Creates a report. All attempts have the same `id`, so that it is created once.
   * @throws ConflictError if the id belongs to another user or a different report; GoneError if an earlier
   *   attempt created the report and it was deleted or has expired since
   */
  create(report: NewReport, options?: KeyedOptions): Promise<Report>;
  get(id: string, options?: CallOptions): Promise<Report>;
  /** One page, newest first. */
  list(question?: ReportQuestion, options?: CallOptions): Promise<ReportPage>;
  /** All reports, newest first. Requests further pages as needed. */
  all(question?: ReportQuestion, options?: CallOptions): AsyncGenerator<Report, void>;
  /** One page as GeoJSON. */
  geojson(question?: ReportQuestion, options?: CallOptions): Promise<ReportCollection>;
  /** URL template of vector tiles of reports with `{z}`, `{x}` and `{y}`, for map libraries. */
  tilesAddress(options?: AddressOptions): string;
  /** Bytes of a vector tile of reports, with clusters below zoom 9. */
  tile(tile: TilePlace, options?: CallOptions): Promise<Uint8Array>;
  /** The same as GeoJSON. */
  tileGeojson(tile: TilePlace, options?: CallOptions): Promise<ReportTile>;
  /** Each user has one vote: a new vote replaces the earlier one. */
  vote(id: string, vote: Vote['vote'] | Vote, options?: CallOptions): Promise<Report>;
  /**
   * Returns the deleted report, or `undefined` if an earlier attempt of this call deleted it and its response
   * was lost.
   */
  delete(id: string, options?: CallOptions): Promise<Report | undefined>;
  /** Creates a user token for `withUser`: for a device, or with a secret token for a named user. */
  createUserToken(question?: UserTokenQuestion, options?: CallOptions): Promise<UserToken>;
}

const PATH = '/api/v1/user-reports';

const tilePath = ({ z, x, y }: TilePlace, suffix: 'mvt' | 'json'): string =>
  `${PATH}/tiles/${z}/${x}/${y}.${suffix}`;

export function reportsOf(session: Session): Reports {
  const at = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  const get = <T>(path: string, { signal }: CallOptions = {}, query = {}) =>
    sendRequest(session, { path, query, signal }, readJson<T>);
  const reports: Reports = {
    create: async (report, { signal, key = randomId() } = {}) => {
      const body = { ...report, id: report.id ?? randomId() };
      try {
        return await sendRequest(
          session,
          { method: 'POST', path: PATH, body, key, signal, isRepeatable: true },
          readJson<Report>,
        );
      } catch (error) {
        // The service stores idempotency keys for a day, and ids permanently.
        if (!(error instanceof ConflictError && isMade(error))) throw error;
        const made = await reports.get(body.id, { signal });
        if (!isSame(made, report)) throw error;
        return made;
      }
    },
    get: (id, options) => get<Report>(at(id), options),
    list: (question = {}, options = {}) => get<ReportPage>(PATH, options, question),
    all: async function* (question = {}, options = {}) {
      let cursor = question.cursor;
      for (;;) {
        const page = await reports.list(
          cursor === undefined ? question : { ...question, cursor },
          options,
        );
        yield* page.reports;
        if (page.nextCursor === null) return;
        cursor = page.nextCursor;
      }
    },
    geojson: (question = {}, options = {}) =>
      get<ReportCollection>(PATH, options, { ...question, format: 'geojson' }),
    tilesAddress: ({ withToken = true } = {}) =>
      `${session.address}${PATH}/tiles/{z}/{x}/{y}.mvt${queryText(withToken ? { token: session.token } : {})}`,
    tile: (tile, { signal } = {}) =>
      sendRequest(session, { path: tilePath(tile, 'mvt'), signal }, readBytes),
    tileGeojson: (tile, options) => get<ReportTile>(tilePath(tile, 'json'), options),
    vote: (id, vote, { signal } = {}) => {
      const body = typeof vote === 'string' ? { vote } : vote;
      return sendRequest(
        session,
        { method: 'POST', path: `${at(id)}/votes`, body, signal, isRepeatable: true },
        readJson<Report>,
      );
    },
    delete: async (id, { signal } = {}) => {
      const request = { method: 'DELETE', path: at(id), signal, isRepeatable: true } as const;
      try {
        return await sendRequest(session, request, readJson<Report>);
      } catch (error) {
        if (error instanceof GoneError && wasDeletedHere(error)) return undefined;
        throw error;
      }
    },
    // Safe to repeat: a token whose response is lost is never used.
    createUserToken: (body = {}, { signal } = {}) =>
      sendRequest(
        session,
        { method: 'POST', path: '/api/v1/user-tokens', body, signal, isRepeatable: true },
        readJson<UserToken>,
      ),
  };
  return reports;
}

/** Whether an earlier attempt of this call may have created the report. */
const isMade = (error: ConflictError): boolean =>
  error.code === 'report_exists' && (error.mayBeDone || error.problem['owned'] === true);

const isSame = (made: Report, { reportType, position }: NewReport): boolean =>
  made.reportType === reportType &&
  made.latitude === position.latitude &&
  made.longitude === position.longitude;

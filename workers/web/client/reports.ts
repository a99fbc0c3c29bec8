// User reports and user tokens.

import type { TilePlace, UrlOptions } from './charts.ts';
import { mayBeDeletedByThisCall } from './delete-thing.ts';
import { ConflictError, GoneError } from './errors.ts';
import { randomId } from './random-id.ts';
import {
  type CallOptions,
  jsonRequests,
  type KeyedOptions,
  queryText,
  readBytes,
  sendRequest,
} from './send-request.ts';
import type { Session } from './session.ts';
import type {
  NewReport,
  Report,
  ReportCollection,
  ReportPage,
  ReportQuery,
  ReportTile,
  UserToken,
  UserTokenRequest,
  Vote,
} from './wire.ts';

export interface ReportsApi {
  /**
   * Creates a report. All attempts have the same `id`, so that it is created once.
   * @throws ConflictError if the id belongs to another user or a different report; GoneError if an earlier
   *   attempt created the report and it was deleted or has expired since
   */
  create(report: NewReport, options?: KeyedOptions): Promise<Report>;
  get(id: string, options?: CallOptions): Promise<Report>;
  /** One page, newest first. */
  list(query?: ReportQuery, options?: CallOptions): Promise<ReportPage>;
  /** All reports, newest first. Requests further pages as needed. */
  all(query?: ReportQuery, options?: CallOptions): AsyncGenerator<Report, void>;
  /** One page as GeoJSON. */
  geojson(query?: ReportQuery, options?: CallOptions): Promise<ReportCollection>;
  /** URL template of the vector tiles of reports, for map libraries. It contains `{z}`, `{x}` and `{y}`. */
  tileUrlTemplate(options?: UrlOptions): string;
  /** Bytes of a vector tile of reports, with clusters below zoom 9. */
  tile(tile: TilePlace, options?: CallOptions): Promise<Uint8Array>;
  /** The reports of a tile as GeoJSON. */
  tileGeojson(tile: TilePlace, options?: CallOptions): Promise<ReportTile>;
  /** Each user has one vote: a new vote replaces the earlier one. */
  vote(id: string, vote: Vote['vote'] | Vote, options?: CallOptions): Promise<Report>;
  /**
   * Returns the deleted report, or `undefined` if an earlier attempt of this call deleted it and its response
   * was lost.
   */
  delete(id: string, options?: CallOptions): Promise<Report | undefined>;
  /**
   * Creates a user token to pass to `Client.withUser`. It identifies an anonymous device or, if the client has
   * a secret token, the user that the request names.
   */
  createUserToken(request?: UserTokenRequest, options?: CallOptions): Promise<UserToken>;
}

const PATH = '/api/v1/user-reports';

const tilePath = ({ z, x, y }: TilePlace, suffix: 'mvt' | 'json'): string =>
  `${PATH}/tiles/${z}/${x}/${y}.${suffix}`;

export function createReportsApi(session: Session): ReportsApi {
  const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  const { get, send } = jsonRequests(session);
  const reports: ReportsApi = {
    create: async (report, { signal, key = randomId() } = {}) => {
      const body = { ...report, id: report.id ?? randomId() };
      try {
        return await send<Report>('POST', PATH, { body, key, signal });
      } catch (error) {
        // The service keeps an idempotency key for a day, but the id of a report for ever. A retry after a day
        // is therefore a conflict, and the existing report is the result of this call.
        if (!(error instanceof ConflictError && mayBeOwnReport(error))) throw error;
        const existing = await reports.get(body.id, { signal });
        if (!isSame(existing, report)) throw error;
        return existing;
      }
    },
    get: (id, options) => get<Report>(pathOf(id), options),
    list: (query = {}, options = {}) => get<ReportPage>(PATH, options, query),
    all: async function* (query = {}, options = {}) {
      let cursor = query.cursor;
      for (;;) {
        const page = await reports.list(
          cursor === undefined ? query : { ...query, cursor },
          options,
        );
        yield* page.reports;
        if (page.nextCursor === null) return;
        cursor = page.nextCursor;
      }
    },
    geojson: (query = {}, options = {}) =>
      get<ReportCollection>(PATH, options, { ...query, format: 'geojson' }),
    tileUrlTemplate: ({ withToken = true } = {}) =>
      `${session.address}${PATH}/tiles/{z}/{x}/{y}.mvt${queryText(withToken ? { token: session.token } : {})}`,
    tile: (tile, { signal } = {}) =>
      sendRequest(session, { path: tilePath(tile, 'mvt'), signal }, readBytes),
    tileGeojson: (tile, options) => get<ReportTile>(tilePath(tile, 'json'), options),
    vote: (id, vote, { signal } = {}) => {
      const body = typeof vote === 'string' ? { vote } : vote;
      return send('POST', `${pathOf(id)}/votes`, { body, signal });
    },
    delete: async (id, { signal } = {}) => {
      try {
        return await send<Report>('DELETE', pathOf(id), { signal });
      } catch (error) {
        if (error instanceof GoneError && mayBeDeletedByThisCall(error)) return undefined;
        throw error;
      }
    },
    // Safe to retry: if the response is lost, no client knows the token.
    createUserToken: (body = {}, { signal } = {}) =>
      send('POST', '/api/v1/user-tokens', { body, signal }),
  };
  return reports;
}

/** Whether the existing report may be the caller's own, from an earlier attempt of this call or an earlier call. */
const mayBeOwnReport = (error: ConflictError): boolean =>
  error.code === 'report_exists' && (error.mayHaveSucceeded || error.problem['owned'] === true);

const isSame = (existing: Report, { reportType, position }: NewReport): boolean =>
  existing.reportType === reportType &&
  existing.latitude === position.latitude &&
  existing.longitude === position.longitude;

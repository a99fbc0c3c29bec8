// User reports, and tokens of the people who send them.

import { wasDeletedHere } from './delete-thing.ts';
import { ConflictError, GoneError } from './errors.ts';
import { randomId } from './random-id.ts';
import { type CallOptions, type KeyedOptions, readJson, sendRequest } from './send-request.ts';
import type { Session } from './session.ts';
import type {
  NewReport,
  Report,
  ReportCollection,
  ReportPage,
  ReportQuestion,
  UserToken,
  UserTokenQuestion,
  Vote,
} from './wire.ts';

export interface Reports {
  /**
   * The report has one `id` in all attempts, so that it is made once.
   * @throws ConflictError where the id was used by somebody else, or for another report; GoneError
   *   where an earlier attempt made it, and it was deleted or has expired since
   */
  create(report: NewReport, options?: KeyedOptions): Promise<Report>;
  get(id: string, options?: CallOptions): Promise<Report>;
  /** A page, newest first. */
  list(question?: ReportQuestion, options?: CallOptions): Promise<ReportPage>;
  /** Page after page. */
  all(question?: ReportQuestion, options?: CallOptions): AsyncGenerator<Report, void>;
  /** A page as GeoJSON. */
  geojson(question?: ReportQuestion, options?: CallOptions): Promise<ReportCollection>;
  /** One vote a person: the last one counts. */
  vote(id: string, vote: Vote['vote'] | Vote, options?: CallOptions): Promise<Report>;
  /**
   * The report as it was deleted; undefined where an earlier attempt of this call had deleted it, and
   * its answer was lost.
   */
  delete(id: string, options?: CallOptions): Promise<Report | undefined>;
  /** A token of an end user, for `withUser`: of a device, or with a secret token of a named user. */
  createUserToken(question?: UserTokenQuestion, options?: CallOptions): Promise<UserToken>;
}

const PATH = '/api/v1/user-reports';

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
        // The key is forgotten after a day, the id never.
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
    // One that is lost on its way is used by no one.
    createUserToken: (body = {}, { signal } = {}) =>
      sendRequest(
        session,
        { method: 'POST', path: '/api/v1/user-tokens', body, signal, isRepeatable: true },
        readJson<UserToken>,
      ),
  };
  return reports;
}

/** The report is there because an earlier attempt of this call made it. */
const isMade = (error: ConflictError): boolean =>
  error.code === 'report_exists' && (error.mayBeDone || error.problem['owned'] === true);

const isSame = (made: Report, { reportType, position }: NewReport): boolean =>
  made.reportType === reportType &&
  made.latitude === position.latitude &&
  made.longitude === position.longitude;

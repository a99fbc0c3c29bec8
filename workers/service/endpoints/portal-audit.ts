// GET /api/portal/v1/admin/audit; GET /api/portal/v1/admin/audit.csv

import * as z from 'zod';
import {
  type AuditEntry,
  auditEntrySchema,
  MAX_AUDIT_ENTRIES_PER_PAGE,
} from '../../../shared/contract/audit.ts';
import { csvJson, csvLine } from '../../../shared/contract/csv.ts';
import { listActs } from '../db/audit-store.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import { CSV_ANSWER, checked, limitParameter, queryText, sendCsv } from './page-query.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

const AUDIT_PATH = `${PORTAL_PATH}/admin/audit`;
/** Rows of a query for the file. */
const FILE_PAGE = 1000;

const ENTRY: AuditEntry = {
  id: 1280,
  at: 1_764_547_200_000,
  actor: 'user:b0LZy4vKXtLQhWmG3nqYb4l1pVn7xkRd',
  act: 'token mint',
  accountId: 'acme',
  tokenId: '0b2f6c1e-8a55-4d5c-9f7e-2c4f1d3b6a90',
  detail: { kind: 'pk', scopes: ['tiles'] },
};

const FILTER = {
  account: checked('Id of an account', queryText(64)),
  actor: checked('The actor as in an entry, such as `user:` and an id', queryText(128)),
  act: checked('The action as in an entry, such as `token mint`', queryText(65)),
} as const;
const PAGE = {
  ...FILTER,
  limit: limitParameter(MAX_AUDIT_ENTRIES_PER_PAGE),
  before: checked(
    '`id` of the last entry of the previous page',
    z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  ),
} as const;

const common = { access: 'administrator', method: 'get' } as const;

export const portalAudit = [
  portalEndpoint({
    ...common,
    path: AUDIT_PATH,
    id: 'portalListAudit',
    summary: 'Lists the audit trail, newest first.',
    description: 'For the next page, set `before` to the `id` of the last entry.',
    query: PAGE,
    answers: { 200: jsonAnswer('A page of entries', z.array(auditEntrySchema), [ENTRY]) },
    handle: ({ env, sessionId, query }) => listActs(env, sessionId, query),
  }),
  portalEndpoint({
    ...common,
    path: `${AUDIT_PATH}.csv`,
    id: 'portalExportAudit',
    summary: 'Returns the audit trail as CSV, newest first.',
    description:
      'The file has a header line, then one line for each entry that matches (RFC 4180). Text that a spreadsheet would run as a formula is prefixed with a single quote.',
    query: FILTER,
    answers: { 200: CSV_ANSWER },
    handle: ({ c, env, sessionId, query: filter }) => {
      const head = ['number', 'time', 'actor', 'action', 'account', 'token', 'detail'];
      return sendCsv(c, 'audit', head, async (before?: number) => {
        const page = { ...filter, before, limit: FILE_PAGE };
        const entries = await listActs(env, sessionId, page);
        const next = entries.length < FILE_PAGE ? undefined : entries.at(-1)!.id;
        return { lines: entries.map(lineOf), next };
      });
    },
  }),
];

const lineOf = ({ id, at, actor, act, accountId, tokenId, detail }: AuditEntry): string =>
  csvLine([id, new Date(at).toISOString(), actor, act, accountId, tokenId, csvJson(detail)]);

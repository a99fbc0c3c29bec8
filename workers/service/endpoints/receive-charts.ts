// What all uploads of charts have in common: access, limits, accepted files, and their beginning.

import { isChartFile, MAX_OPEN_UPLOADS } from '../../../shared/contract/charts.ts';
import { withoutCopySuffix } from '../../../shared/contract/copied-file.ts';
import { abandonUpload, beginUpload, type ChartUser } from '../db/chart-store.ts';
import type { AppContext } from '../http/endpoint.ts';
import { badForm } from '../http/read-form.ts';
import { publishRevocations } from '../portal/publish.ts';
import { callerOf } from './report-requests.ts';
import { inUploadPlace, type UploadPlace } from './upload-places.ts';

/** Charts of an account change by a user with this role, or by a token with the scope. */
export const CHARTS_ACCESS = { kind: 'token', scope: 'charts:write', orRole: 'owner' } as const;
export const CHARTS_READ = { kind: 'token', scope: 'charts:write', orRole: 'member' } as const;

export function chartUserOf(c: AppContext): ChartUser {
  const member = c.get('member');
  return member === undefined ? callerOf(c) : { sessionId: member.sessionId };
}
export const accountOf = (c: AppContext): string => c.get('member')?.account ?? callerOf(c).account;

/**
 * Receives a body within the limits of the isolate, to its end if the client disconnects.
 * @throws ApiError 408, 429; errors of `store`
 */
export function receive<T>(c: AppContext, store: (place: UploadPlace) => Promise<T>): Promise<T> {
  const result = inUploadPlace(accountOf(c), store);
  c.get('cost').defer(result.catch(() => undefined));
  return result;
}

/**
 * The name of a file without folders, unusual characters and, for cells, the suffix of a copy.
 * @throws ApiError 400 if files of this kind are not accepted
 */
export function acceptedName(given: string): string {
  const name = withoutCopySuffix(
    given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1),
  )
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(-100);
  if (isChartFile(name)) return name;
  throw badForm(
    `The file ${name || 'without a name'} is not accepted. Send cells (.000 and updates), zips (.zip) or permits (.txt, .prm, .pmt).`,
  );
}

interface Transfer {
  readonly id: string;
  readonly isPublic: boolean;
  readonly filename: string;
  /** Of the file of a resumable upload. */
  readonly length?: number | undefined;
  readonly metadata?: string | undefined;
}

/** Records an upload before its first byte is stored. @throws ApiError 403, 409, 503 */
export async function beginTransfer(c: AppContext, transfer: Transfer): Promise<void> {
  const user = chartUserOf(c);
  await beginUpload(c.env, user, { ...transfer, most: MAX_OPEN_UPLOADS });
  if (transfer.isPublic) return;
  // Before the charts exist, so that requests find them when they do.
  await publishRevocations(c.env).catch(async (error: unknown) => {
    await abandonUpload(c.env, user, transfer.id);
    throw error;
  });
}

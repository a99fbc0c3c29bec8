// A JSON body of bounded size: its bytes are counted while they come, its values before any is made.

import {
  excessOfJson,
  MAX_JSON_NESTING,
  MAX_JSON_VALUES,
} from '../../../shared/contract/json-walk.ts';
import { type ApiError, badRequest, tooManyValues, unsupportedMedia } from '../runtime/errors.ts';
import { joinChunks } from '../runtime/join-chunks.ts';
import type { AppContext } from './endpoint.ts';
import { readPieces } from './read-pieces.ts';

/**
 * The body as a JSON object. Lenient about the declared type unless the deployment is strict.
 * @throws ApiError 413 for too many bytes or values, 415 for encoded or multipart ones, 400 for no JSON object
 */
export async function readJsonObject(
  c: AppContext,
  limitBytes: number,
): Promise<Readonly<Record<string, unknown>>> {
  return (await readJsonBody(c, limitBytes)).object;
}

/** The same with the bytes that it was read from, which tell one body from another. */
export async function readJsonBody(
  c: AppContext,
  limitBytes: number,
): Promise<{ object: Readonly<Record<string, unknown>>; bytes: Uint8Array<ArrayBuffer> }> {
  checkMedia(c);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  await readPieces(c.req.raw, limitBytes, (piece) => {
    chunks.push(piece);
    size += piece.length;
  });
  const bytes = joinChunks(chunks, size);
  const excess = excessOfJson(bytes);
  if (excess === 'depth') throw tooDeep();
  if (excess === 'values') throw tooManyValues(MAX_JSON_VALUES);
  let value: unknown;
  try {
    value = parseJson(bytes);
  } catch {
    throw notJson();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notJson();
  return { object: value as Record<string, unknown>, bytes };
}

/** JSON in UTF-8, a byte order mark before it or not. @throws for what is not that */
export const parseJson = (bytes: Uint8Array): unknown => JSON.parse(textOf(bytes));

/** UTF-8 without the byte order mark. @throws TypeError for what is no UTF-8 */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);

export const notJson = (): ApiError =>
  badRequest('bad_json', 'The body must be a JSON object in UTF-8.');

export const tooDeep = (): ApiError =>
  badRequest('bad_json', `The body is nested deeper than ${MAX_JSON_NESTING}.`);

/** @throws ApiError 415 for a body that is encoded, in parts, or not declared as a strict deployment asks */
export function checkMedia(c: AppContext): void {
  const encoding = c.req.header('content-encoding')?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    throw unsupportedMedia('The body must be sent without Content-Encoding.');
  }
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type.startsWith('multipart/'))
    throw unsupportedMedia('The body must be JSON, with Content-Type: application/json.');
  if (c.get('settings').strictContentType && !/^application\/(json|[\w.+-]+\+json)$/.test(type)) {
    throw unsupportedMedia('The body must be JSON, with Content-Type: application/json.');
  }
}

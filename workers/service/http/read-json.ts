// Reads JSON bodies. The number of bytes and the number of values are limited before parsing.

import type * as z from 'zod';
import { examine } from '../../../shared/contract/examine.ts';
import { faultsOf } from '../../../shared/contract/faults.ts';
import { exceededJsonLimit, MAX_JSON_NESTING } from '../../../shared/contract/json-walk.ts';
import { ApiError, badRequest, invalidInput } from '../runtime/errors.ts';
import { joinChunks } from '../runtime/join-chunks.ts';
import type { RefusalCode } from '../runtime/refusals.ts';
import type { AppContext } from './endpoint.ts';
import { readPieces } from './read-pieces.ts';

/**
 * Parses the body as a JSON object. The Content-Type is checked only with STRICT_CONTENT_TYPE.
 * @throws ApiError 413 for too many bytes or values, 415 for a compressed or multipart body, 400 if
 *   it is not a JSON object
 */
export async function readJsonObject(
  c: AppContext,
  limitBytes: number,
): Promise<Readonly<Record<string, unknown>>> {
  return (await readJsonBody(c, limitBytes)).object;
}

/** Reads a body that a schema checks. @throws ApiError 400 with every invalid field, 413, 415 */
export async function readBody<Schema extends z.ZodType>(
  c: AppContext,
  schema: Schema,
  limitBytes: number,
  code: RefusalCode = 'bad_query',
): Promise<z.output<Schema>> {
  const parsed = examine(schema, await readJsonObject(c, limitBytes));
  if (parsed.success) return parsed.data;
  throw invalidInput(code, faultsOf(parsed.error));
}

/** The same, with the bytes of the body, for its digest. */
export async function readJsonBody(
  c: AppContext,
  limitBytes: number,
): Promise<{ object: Readonly<Record<string, unknown>>; bytes: Uint8Array<ArrayBuffer> }> {
  checkMedia(c);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  await readPieces(c.req.raw, limitBytes, (piece) => {
    // A small piece can keep a large buffer of the runtime in memory.
    chunks.push(piece.length < piece.buffer.byteLength ? piece.slice() : piece);
    size += piece.length;
  });
  const bytes = joinChunks(chunks, size);
  const excess = exceededJsonLimit(bytes);
  if (excess === 'depth') throw tooDeep();
  if (excess === 'values') throw new ApiError('too_many_values');
  let value: unknown;
  try {
    value = parseJson(bytes);
  } catch {
    throw notJson();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notJson();
  return { object: value as Record<string, unknown>, bytes };
}

/** Parses JSON in UTF-8 with or without a byte order mark. @throws for anything else */
export const parseJson = (bytes: Uint8Array): unknown => JSON.parse(textOf(bytes));

/** Decodes UTF-8 without the byte order mark. @throws TypeError for invalid UTF-8 */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);

export const notJson = (): ApiError =>
  badRequest('bad_json', 'The body must be a JSON object in UTF-8. Check its syntax and encoding.');

export const tooDeep = (): ApiError =>
  badRequest(
    'bad_json',
    `The body has more than ${MAX_JSON_NESTING} levels of nesting. Reduce the nesting.`,
  );

/** The type of the body in lower case, without parameters. */
export const mediaTypeOf = (c: AppContext): string =>
  c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';

/** @throws ApiError 415 for a compressed body */
export function checkEncoding(c: AppContext): void {
  const encoding = c.req.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') throw new ApiError('unsupported_media_type');
}

/**
 * @throws ApiError 415 for a compressed or multipart body, or without a JSON type in strict mode
 */
export function checkMedia(c: AppContext): void {
  checkEncoding(c);
  const type = mediaTypeOf(c);
  if (type.startsWith('multipart/')) throw new ApiError('unsupported_media_type');
  if (c.get('settings').strictContentType && !/^application\/(json|[\w.+-]+\+json)$/.test(type)) {
    throw new ApiError('unsupported_media_type');
  }
}

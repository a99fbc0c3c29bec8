// A JSON body of bounded size: counted while it streams in, and refused for what it is.

import { badRequest, bodyTooLarge, unsupportedMedia } from '../runtime/errors.ts';
import { joinChunks } from '../runtime/join-chunks.ts';
import type { AppContext } from './endpoint.ts';

/**
 * The body as a JSON object. Lenient about the declared type unless the deployment is strict.
 * @throws ApiError 413 for too many bytes, 415 for encoded or multipart ones, 400 for no JSON object
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
  const bytes = await readBytes(c.req.raw, limitBytes);
  const notJson = () => badRequest('bad_json', 'The body must be a JSON object in UTF-8.');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw notJson();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notJson();
  return { object: value as Record<string, unknown>, bytes };
}

function checkMedia(c: AppContext): void {
  const encoding = c.req.header('content-encoding')?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    throw unsupportedMedia('The body must not be encoded.');
  }
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type.startsWith('multipart/')) throw unsupportedMedia('The body must be JSON.');
  if (c.get('settings').strictContentType && !/^application\/(json|[\w.+-]+\+json)$/.test(type)) {
    throw unsupportedMedia('The body must be JSON.');
  }
}

async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  // What HTTP has counted needs no second count.
  if (declared <= limitBytes) return new Uint8Array(await request.arrayBuffer());
  // The rest of what is refused is read when the answer is on its way (`read-rest.ts`).
  if (declared > limitBytes) throw bodyTooLarge(limitBytes);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = request.body?.getReader() as
    | ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>
    | undefined;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limitBytes) {
      reader.releaseLock();
      throw bodyTooLarge(limitBytes);
    }
    chunks.push(value);
  }
  return joinChunks(chunks, size);
}

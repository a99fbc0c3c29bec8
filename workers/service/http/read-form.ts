// Reads the files of a multipart form (RFC 7578) while it arrives. Each file is a stream that its
// reader limits: the connection waits while a piece is stored.

import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { ApiError, badRequest } from '../runtime/errors.ts';
import type { AppContext } from './endpoint.ts';
import { checkEncoding } from './read-json.ts';
import { type MeasureRead, readPieces } from './read-pieces.ts';

interface FormLimits {
  /** Of the whole body. */
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** Other parts of a form than files are ignored. */
const MAX_FIELDS = 16;
const MAX_FIELD_BYTES = 1024;

export const badForm = (message: string) =>
  badRequest('bad_upload', message, [{ path: 'file', message: 'is missing or invalid' }]);

/**
 * Passes each file of a form to `take`, one after the other.
 * @param take must read the file to its end
 * @throws ApiError 400 for an invalid form, 408, 413, 415; and errors of `take`
 */
export async function readFormFiles(
  c: AppContext,
  { maxBytes, maxFiles }: FormLimits,
  take: (name: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>,
  measured: MeasureRead,
): Promise<void> {
  checkEncoding(c);
  const type = c.req.header('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new ApiError(
      'unsupported_media_type',
      'Expected a form: Content-Type: multipart/form-data.',
    );
  }
  const form = formOf(type, maxFiles);
  let failure: unknown;
  let wake: () => void = () => undefined;
  const fail = (error: unknown) => {
    failure ??= error;
    wake();
  };
  let taken: Promise<void> = Promise.resolve();
  form.on('file', (_field, file, name) => {
    // A form that ends early destroys the stream, even after `take` has stopped reading it.
    file.on('error', () => fail(new ApiError('incomplete_body')));
    taken = taken.then(() => take(name ?? '', file as AsyncIterable<Uint8Array>)).catch(fail);
  });
  form.on('filesLimit', () => fail(badForm(`The form has more than ${maxFiles} files.`)));
  form.on('error', () => fail(badForm('The form is not valid multipart/form-data.')));
  const finished = new Promise<void>((done) => form.on('finish', done));
  /** @throws the first failure */
  const until = async (event: Promise<unknown>) => {
    const failed = new Promise<void>((done) => {
      wake = done;
    });
    if (failure === undefined) await Promise.race([event, failed]);
    if (failure !== undefined) throw failure;
  };
  const write = (piece: Uint8Array) => {
    const isReady = form.write(piece as Buffer);
    return until(isReady ? Promise.resolve() : new Promise((done) => form.once('drain', done)));
  };
  await readPieces(c.req.raw, maxBytes, write, measured);
  form.end();
  await until(finished);
  await until(taken);
}

/** @throws ApiError 400 for a boundary that is missing or too long */
function formOf(type: string, files: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { files, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, headerSize: 8192 },
    });
  } catch {
    throw badForm('The Content-Type of the form has no boundary of 1 to 70 characters.');
  }
}

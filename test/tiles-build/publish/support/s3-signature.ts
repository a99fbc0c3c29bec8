// Verifies AWS Signature Version 4 of a request, independently of the client that signed it.

import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The S3 error code, or `undefined` if the signature is valid. */
export function signatureFault(
  request: IncomingMessage,
  body: Buffer,
  keys: { readonly id: string; readonly secret: string },
): string | undefined {
  const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/;
  const [, credential, names, signature] =
    header.exec(String(request.headers.authorization ?? '')) ?? [];
  if (credential === undefined) return 'AccessDenied';
  const [id, day, region, service, end] = credential.split('/') as string[];
  if (id !== keys.id) return 'InvalidAccessKeyId';
  const declared = String(request.headers['x-amz-content-sha256']);
  const hash = createHash('sha256').update(body).digest('hex');
  if (declared !== 'UNSIGNED-PAYLOAD' && declared !== hash) return 'XAmzContentSHA256Mismatch';

  const url = new URL(request.url!, 'http://s3');
  const question = [...url.searchParams]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const signed = names!.split(';');
  const headers = signed
    .map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
    .join('');
  const canonical = [request.method, url.pathname, question, headers, names, declared].join('\n');
  const scope = [day, region, service, end].join('/');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, digest].join('\n');
  const key = [day!, region!, service!, end!].reduce<Buffer>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    Buffer.from(`AWS4${keys.secret}`),
  );
  const expected = createHmac('sha256', key).update(text).digest('hex');
  return expected === signature ? undefined : 'SignatureDoesNotMatch';
}

/** URI encoding of Signature Version 4: everything except A-Z a-z 0-9 - . _ ~ as %XX. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

// The local R2 bucket: the persistence folder of the Workers runtime, written through a runtime of
// our own whose small worker streams objects in and out. Files of any size pass in constant memory.

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { digestStream } from '../../tiles-build/archive/file-digest.ts';
import { BUCKET_BINDING, BUCKET_NAME, type Bucket } from '../../tiles-build/publish/bucket.ts';

/** Where the local runtime keeps the objects of its buckets, below the data folder. */
function localBucketFolder(dataDir: string): string {
  return join(dataDir, 'r2');
}

const SECRET_HEADER = 'x-seed-secret';

/** Streams objects in and out. The secret keeps other local programs from writing charts. */
const SEEDING_WORKER = `export default {
  async fetch(request, env) {
    if (request.headers.get('${SECRET_HEADER}') !== env.SECRET) return new Response(null, { status: 403 });
    const url = new URL(request.url);
    const key = decodeURIComponent(url.pathname.slice(1));
    if (url.searchParams.has('list')) {
      const keys = [];
      for (let cursor; ; ) {
        const page = await env.${BUCKET_BINDING}.list({ prefix: key, cursor });
        for (const object of page.objects) keys.push(object.key);
        if (!page.truncated) return Response.json(keys);
        cursor = page.cursor;
      }
    }
    if (request.method === 'PUT') {
      const sha256 = request.headers.get('x-sha256') ?? undefined;
      await env.${BUCKET_BINDING}.put(key, request.body ?? '', sha256 ? { sha256 } : {});
      return new Response(null, { status: 201 });
    }
    if (request.method === 'DELETE') {
      await env.${BUCKET_BINDING}.delete(key);
      return new Response(null, { status: 204 });
    }
    const object = await env.${BUCKET_BINDING}.get(key);
    return object ? new Response(object.body) : new Response(null, { status: 404 });
  },
};`;

/** Open the bucket kept below `dataDir`; close it, or the process stays alive. */
export async function openLocalBucket(dataDir: string): Promise<Bucket> {
  const secret = randomUUID();
  // Not before it is needed: it takes a third of a second, which every command would wait.
  const { Miniflare } = await import('./miniflare.ts');
  const runtime = new Miniflare({
    modules: true,
    script: SEEDING_WORKER,
    compatibilityDate: '2026-04-20',
    cf: false,
    host: '127.0.0.1',
    port: 0,
    bindings: { SECRET: secret },
    r2Buckets: { [BUCKET_BINDING]: BUCKET_NAME },
    r2Persist: localBucketFolder(dataDir),
  });
  const base = await runtime.ready;

  const send = (
    method: string,
    key: string,
    headers: Readonly<Record<string, string | number>> = {},
    writeBody?: (target: NodeJS.WritableStream) => Promise<unknown>,
    question = '',
  ): Promise<IncomingMessage> =>
    new Promise((done, fail) => {
      const url = new URL(`/${encodeURIComponent(key)}${question}`, base);
      const outgoing = request(
        url,
        // A connection of its own: the runtime ends idle ones after five seconds, and so does Node's
        // own pool, so that one which waited for a large file was reset just as it was used again.
        { method, headers: { ...headers, [SECRET_HEADER]: secret }, agent: false },
        done,
      );
      outgoing.on('error', fail);
      if (writeBody === undefined) outgoing.end();
      else writeBody(outgoing).catch(fail);
    });

  const settle = async (method: string, key: string, response: IncomingMessage) => {
    const text = await textOf(response);
    if ((response.statusCode ?? 500) >= 300) {
      const reason = text.split('\n')[0];
      throw new Error(
        `The local bucket refused ${method} ${key}: ${response.statusCode} ${reason}`,
      );
    }
  };

  return {
    async digest(key) {
      const response = await send('GET', key);
      if (response.statusCode !== 200) {
        response.resume();
        return undefined;
      }
      return digestStream(response);
    },
    async readText(key) {
      const response = await send('GET', key);
      const text = await textOf(response);
      return response.statusCode === 200 ? text : undefined;
    },
    async putFile(key, path, { bytes, sha256 }) {
      const headers = { 'content-length': bytes, 'x-sha256': sha256 };
      const response = await send('PUT', key, headers, (target) =>
        pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), target),
      );
      await settle('PUT', key, response);
    },
    async putText(key, text) {
      const body = Buffer.from(text);
      const response = await send('PUT', key, { 'content-length': body.length }, async (target) =>
        target.end(body),
      );
      await settle('PUT', key, response);
    },
    async list(prefix) {
      const response = await send('GET', prefix, {}, undefined, '?list');
      const text = await textOf(response);
      if (response.statusCode !== 200) {
        throw new Error(`The local bucket refused to list ${prefix}: ${response.statusCode}`);
      }
      return JSON.parse(text) as string[];
    },
    async delete(key) {
      await settle('DELETE', key, await send('DELETE', key));
    },
    // An object is stored in one request here: nothing is left of one that was killed.
    abandonUploads: async () => [],
    close: () => runtime.dispose(),
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

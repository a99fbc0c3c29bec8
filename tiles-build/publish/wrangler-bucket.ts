// The real R2 bucket, reached through `wrangler r2 object`, which knows the account and its login.
// Objects are read back through a temporary file, as wrangler gives no hash of what it stored.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { digestFile } from '../archive/file-digest.ts';
import { BUCKET_NAME, type Bucket } from './bucket.ts';

/** Largest object that wrangler uploads in one request. */
const MAX_UPLOAD_BYTES = 300 * 1024 * 1024;

/** Where wrangler works: the account's bucket, or a local folder (as its own `--local` does). */
type WranglerTarget = readonly ['--remote'] | readonly ['--local', '--persist-to', string];

/** Open the bucket; nothing is asked of the network before the first call. */
export async function openWranglerBucket(
  target: WranglerTarget = ['--remote'],
  bucketName = BUCKET_NAME,
): Promise<Bucket> {
  const scratch = await mkdtemp(join(tmpdir(), 'leadline-publish-'));
  const run = (action: string, key: string, ...more: string[]) =>
    runWrangler(['r2', 'object', action, `${bucketName}/${key}`, ...target, ...more]);

  /** Fetch an object into a temporary file and look at it there. */
  const withCopy = async <T>(key: string, look: (path: string) => Promise<T>) => {
    const path = join(scratch, 'object');
    const { code, said } = await run('get', key, '--file', path);
    if (code !== 0) {
      if (/key does not exist|not found|404/i.test(said)) return undefined;
      throw wranglerFailed(`reading ${key}`, said);
    }
    return look(path).finally(() => rm(path, { force: true }));
  };
  const put = async (key: string, path: string) => {
    const { code, said } = await run('put', key, '--file', path, '--force');
    if (code !== 0) throw wranglerFailed(`writing ${key}`, said);
  };

  return {
    digest: (key) => withCopy(key, digestFile),
    readText: (key) => withCopy(key, (path) => readFile(path, 'utf8')),
    async putFile(key, path, { bytes }) {
      if (bytes > MAX_UPLOAD_BYTES) {
        throw new Error(
          `${path} has ${bytes} bytes, and wrangler uploads ${MAX_UPLOAD_BYTES} at most. ` +
            'Publish with --r2 BUCKET, through the S3 API, which takes any size.',
        );
      }
      await put(key, path);
    },
    async putText(key, text) {
      const path = join(scratch, 'text');
      await writeFile(path, text);
      await put(key, path);
    },
    async delete(key) {
      const { code, said } = await run('delete', key, '--force');
      if (code !== 0) throw wranglerFailed(`deleting ${key}`, said);
    },
    // wrangler has no command for either.
    list: async () => undefined,
    abandonUploads: async () => [],
    close: () => rm(scratch, { recursive: true, force: true }),
  };
}

function wranglerFailed(doing: string, said: string): Error {
  return new Error(`wrangler failed ${doing}:\n${said.trim()}`);
}

function runWrangler(words: readonly string[]): Promise<{ code: number; said: string }> {
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
  // Another program with its commands, for trying a deployment without an account.
  const own = process.env['LEADLINE_WRANGLER'] ?? '';
  const script = own === '' ? join(dirname(manifest), 'bin', 'wrangler.js') : own;
  const env = { WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', ...process.env };
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [script, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('error', fail);
    child.on('close', (code) => done({ code: code ?? 1, said }));
  });
}

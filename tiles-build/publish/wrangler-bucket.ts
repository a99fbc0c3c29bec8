// The R2 bucket of an account through `wrangler r2 object`, which uses wrangler's login. Objects
// are read back to a temporary file because wrangler returns no hash.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { digestFile } from '../archive/file-digest.ts';
import { BUCKET_NAME, type Bucket, BucketUnavailable } from './bucket.ts';

/** Maximum object size that wrangler uploads. */
const MAX_UPLOAD_BYTES = 300 * 1024 * 1024;

/** The account's bucket, or a local folder (wrangler's `--local`). */
type WranglerTarget = readonly ['--remote'] | readonly ['--local', '--persist-to', string];

/** Open the bucket. No request is sent before the first call. */
export async function openWranglerBucket(
  target: WranglerTarget = ['--remote'],
  bucketName = BUCKET_NAME,
): Promise<Bucket> {
  const scratch = await mkdtemp(join(tmpdir(), 'leadline-publish-'));
  let files = 0;
  const run = (action: string, key: string, ...more: string[]) =>
    runWrangler(['r2', 'object', action, `${bucketName}/${key}`, ...target, ...more]);

  /** Download an object to a temporary file and pass its path to `look`. */
  const withCopy = async <T>(key: string, look: (path: string) => Promise<T>) => {
    const path = join(scratch, `object-${files++}`);
    const { code, output } = await run('get', key, '--file', path);
    if (code !== 0) {
      // The output also has the key and the name of a log, which may contain any digits.
      if (/the specified key does not exist/i.test(output)) return undefined;
      throw wranglerFailed(`reading ${key}`, output);
    }
    return look(path).finally(() => rm(path, { force: true }));
  };
  const put = async (key: string, path: string) => {
    const { code, output } = await run('put', key, '--file', path, '--force');
    if (code !== 0) throw wranglerFailed(`writing ${key}`, output);
  };

  return {
    digest: (key) => withCopy(key, digestFile),
    readText: (key) => withCopy(key, (path) => readFile(path, 'utf8')),
    async putFile(key, path, { bytes }) {
      if (bytes > MAX_UPLOAD_BYTES) {
        throw new Error(
          `${path} has ${bytes} bytes, but wrangler uploads at most ${MAX_UPLOAD_BYTES}. ` +
            'Use --r2 BUCKET: the S3 API accepts any size.',
        );
      }
      await put(key, path);
    },
    async putText(key, text) {
      const path = join(scratch, `text-${files++}`);
      await writeFile(path, text);
      await put(key, path);
    },
    async delete(key) {
      const { code, output } = await run('delete', key, '--force');
      if (code !== 0) throw wranglerFailed(`deleting ${key}`, output);
    },
    // wrangler has no commands for these operations.
    list: async () => undefined,
    abandonUploads: async () => [],
    close: () => rm(scratch, { recursive: true, force: true }),
  };
}

function wranglerFailed(doing: string, output: string): BucketUnavailable {
  return new BucketUnavailable(
    `wrangler failed ${doing}:\n${stripVTControlCharacters(output).trim()}`,
  );
}

function runWrangler(args: readonly string[]): Promise<{ code: number; output: string }> {
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
  // Replaces wrangler by another program with the same commands, to test a deployment without an
  // account.
  const configured = process.env['LEADLINE_WRANGLER'] ?? '';
  const script = configured === '' ? join(dirname(manifest), 'bin', 'wrangler.js') : configured;
  const env = { WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', ...process.env };
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    let output = '';
    const listen = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('error', fail);
    child.on('close', (code) => done({ code: code ?? 1, output }));
  });
}

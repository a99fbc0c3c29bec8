// Publishes with the AWS client to an S3 test double with configurable faults.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { POINTER_KEY } from '../../../shared/chart/manifest.ts';
import { type Bucket, BucketUnavailable } from '../../../tiles-build/publish/bucket.ts';
import { publishBuild, rollBack } from '../../../tiles-build/publish/publish.ts';
import { openS3Bucket } from '../../../tiles-build/publish/s3-bucket.ts';
import { scriptOf } from '../../support/programs.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { ROOT } from '../../support/source-files.ts';
import {
  openS3Double,
  S3_BUCKET,
  S3_KEYS,
  type S3Double,
  SMALLEST_PART,
} from './support/s3-double.ts';
import { type SmallBuild, writeSmallBuild } from './support/small-build.ts';

const scratch = scratchFolder();
let service: S3Double;
let bucket: Bucket;
/** Three full parts and a partial one. */
let large: SmallBuild;
let small: SmallBuild;

const settings = (more: { bucket?: string; secret?: string } = {}) => ({
  bucket: more.bucket ?? S3_BUCKET,
  endpoint: service.endpoint,
  region: 'auto',
  credentials: { accessKeyId: S3_KEYS.id, secretAccessKey: more.secret ?? S3_KEYS.secret },
});
const newFolder = () => mkdtempSync(join(scratch, 'build-'));
const partsSent = () => service.asked.filter((line) => line.includes('partNumber'));

beforeAll(async () => {
  large = await writeSmallBuild(newFolder(), 'large', 3 * SMALLEST_PART + 1000);
  small = await writeSmallBuild(newFolder(), 'small');
});
beforeEach(async () => {
  service = await openS3Double();
  bucket = openS3Bucket(settings(), { partBytes: SMALLEST_PART, atOnce: 2 });
});
afterEach(async () => {
  await bucket.close();
  await service.close();
});

/** Apply a fault to the first `times` requests that match. */
function failing(fault: ReturnType<S3Double['decide']>, match: RegExp, times = 1): void {
  let left = times;
  service.decide = (request) => (match.test(request) && left-- > 0 ? fault : 'none');
}

const expectStored = (build: SmallBuild) => {
  expect(
    service.objects.get(build.part)?.equals(readFileSync(join(build.folder, build.part))),
  ).toBe(true);
  expect(JSON.parse(String(service.objects.get(POINTER_KEY)))).toMatchObject({
    buildId: build.buildId,
  });
  expect(service.uploads.size).toBe(0);
};

describe('publishing to S3', () => {
  it('sends a large archive in equal parts, reads it back and moves the pointer last', async () => {
    await publishBuild(large.folder, bucket);
    expectStored(large);
    expect(partsSent().length).toBe(4);
    const writes = service.asked.filter((line) => /^(PUT|POST)/.test(line));
    expect(writes.at(-1)).toBe(`PUT ${POINTER_KEY}`);
    const readBack = service.asked.lastIndexOf(`GET ${large.part}`);
    expect(readBack).toBeGreaterThan(service.asked.lastIndexOf(partsSent().at(-1)!));
    expect(readBack).toBeLessThan(service.asked.indexOf(`PUT ${POINTER_KEY}`));
  });

  it('uploads nothing if the build is already published, and rolls back', async () => {
    await publishBuild(small.folder, bucket);
    await publishBuild(large.folder, bucket);
    service.asked.length = 0;
    expect(await publishBuild(large.folder, bucket)).toMatchObject({
      uploaded: [],
      pointerMoved: false,
    });
    expect(service.asked.filter((line) => !line.startsWith('GET'))).toEqual([]);
    expect(await rollBack(bucket)).toEqual({ from: large.buildId, to: small.buildId });
  });

  it.each([
    ['answers SlowDown to a part', 'slow-down', /partNumber=2/, 1],
    ['cuts the connection in the middle of a part', 'cut', /partNumber=3/, 2],
    ['loses the response to a part', 'lose-answer', /partNumber=1/, 1],
    ['loses the response to CompleteMultipartUpload', 'lose-answer', /^POST .*pmtiles$/, 1],
    [
      'returns an error with status 200 for CompleteMultipartUpload',
      'error-in-200',
      /^POST .*pmtiles$/,
      1,
    ],
    ['answers SlowDown to a listing', 'slow-down', /\?uploads/, 1],
    ['cuts the connection while an archive is read back', 'cut', /^GET parts.*pmtiles$/, 3],
  ] as const)('succeeds if the service %s', async (_name, fault, match, times) => {
    failing(fault, match, times);
    await publishBuild(large.folder, bucket);
    expectStored(large);
  });

  it('does not move the pointer if a part is damaged, and resumes on the next run', async () => {
    // One part at a time, so that part 1 is stored before part 2 fails.
    await bucket.close();
    bucket = openS3Bucket(settings(), { partBytes: SMALLEST_PART, atOnce: 1 });
    failing('damage', /partNumber=2/, 100);
    await expect(publishBuild(large.folder, bucket)).rejects.toThrow(/BadDigest/);
    expect(service.objects.has(POINTER_KEY)).toBe(false);
    service.decide = () => 'none';
    service.asked.length = 0;
    await publishBuild(large.folder, bucket);
    expectStored(large);
    expect(partsSent()).not.toContain(`PUT ${large.part}?partNumber=1`);
  });

  it('sends a part again if the stored part differs from the archive', async () => {
    failing('refuse', /partNumber=4/);
    await expect(publishBuild(large.folder, bucket)).rejects.toThrow(BucketUnavailable);
    const [upload] = service.uploads.values();
    upload!.parts.set(1, Buffer.alloc(SMALLEST_PART, 7));
    service.decide = () => 'none';
    await publishBuild(large.folder, bucket);
    expectStored(large);
  });

  it('starts a new upload if the unfinished one was aborted', async () => {
    failing('refuse', /partNumber=4/);
    await expect(publishBuild(large.folder, bucket)).rejects.toThrow(BucketUnavailable);
    service.decide = (request) => {
      if (request.includes('partNumber')) service.uploads.delete('upload-1');
      return 'none';
    };
    await publishBuild(large.folder, bucket);
    expectStored(large);
  });

  it.each([
    [
      'a wrong secret key',
      { secret: 'another' },
      'rejected the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (SignatureDoesNotMatch)',
    ],
    ['a missing bucket', { bucket: 'no-such-bucket' }, 'the bucket does not exist'],
  ])('reports %s without printing the keys', async (_name, more, message) => {
    const wrong = openS3Bucket(settings(more));
    const refusal = await publishBuild(small.folder, wrong).catch((error: Error) => error);
    expect(refusal).toBeInstanceOf(BucketUnavailable);
    expect(String(refusal)).toContain(message);
    expect(String(refusal)).not.toMatch(/secret\/of|KEYOFATEST|another/);
    await wrong.close();
  });

  it('aborts unfinished uploads except those that may be resumed', async () => {
    for (const text of ['one', 'two', 'three', 'four', 'five']) {
      const build = await writeSmallBuild(newFolder(), text, SMALLEST_PART + 10);
      failing('refuse', /partNumber=2/);
      await expect(publishBuild(build.folder, bucket)).rejects.toThrow(BucketUnavailable);
    }
    service.decide = () => 'none';
    const [kept] = [...service.uploads.values()].map(({ key }) => key);
    expect(await bucket.abandonUploads((key) => key === kept)).toHaveLength(4);
    expect([...service.uploads.values()].map(({ key }) => key)).toEqual([kept]);
  });

  describe('charts publish', () => {
    const run = (folder: string) =>
      spawn(
        process.execPath,
        [scriptOf('tiles-build/cli.ts'), 'publish', folder, '--s3', S3_BUCKET],
        {
          cwd: ROOT,
          stdio: ['ignore', 'pipe', 'pipe'],
          env: {
            ...process.env,
            AWS_ENDPOINT_URL_S3: service.endpoint,
            AWS_ACCESS_KEY_ID: S3_KEYS.id,
            AWS_SECRET_ACCESS_KEY: S3_KEYS.secret,
          },
        },
      );

    it('writes no pointer if it is killed between parts, and the next run sends only the missing parts', async () => {
      const build = await writeSmallBuild(newFolder(), 'killed', 33 * 1024 * 1024);
      service.decide = (request) => (/partNumber=[23]/.test(request) ? 'hang' : 'none');
      const killed = run(build.folder);
      const ended = new Promise((done) => killed.on('close', done));
      await expect
        .poll(() => [partsSent().length, [...service.uploads.values()][0]?.parts.size], {
          timeout: 600_000,
        })
        .toEqual([3, 1]);
      killed.kill('SIGKILL');
      await ended;
      expect(service.objects.has(POINTER_KEY)).toBe(false);

      service.decide = () => 'none';
      service.asked.length = 0;
      const again = run(build.folder);
      let said = '';
      for (const stream of [again.stdout, again.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          said += chunk.toString();
        });
      }
      expect(await new Promise((done) => again.on('close', done)), said).toBe(0);
      expect(partsSent().sort()).toEqual(
        [2, 3].map((number) => `PUT ${build.part}?partNumber=${number}`),
      );
      expectStored(build);
      expect(said).toContain(`Build ${build.buildId} is current now.`);
      expect(said).not.toContain(S3_KEYS.secret);
    });
  });

  it('detects a file that changes during the upload before the pointer moves', async () => {
    const build = await writeSmallBuild(newFolder(), 'changing', 2 * SMALLEST_PART);
    service.decide = (request) => {
      if (request.startsWith('POST')) {
        const bytes = readFileSync(join(build.folder, build.part));
        bytes[bytes.length - 5]! ^= 1;
        writeFileSync(join(build.folder, build.part), bytes);
      }
      return 'none';
    };
    await expect(publishBuild(build.folder, bucket)).rejects.toThrow('damaged during the upload');
    expect(service.objects.has(POINTER_KEY)).toBe(false);
  });
});

import { expect, it } from 'vitest';
import { r2Settings, s3Settings } from '../../../tiles-build/publish/s3-settings.ts';
import { planParts } from '../../../tiles-build/publish/s3-upload.ts';

const MEBIBYTE = 1024 * 1024;
const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const ACCOUNT = '0123456789abcdef0123456789abcdef';

it.each([1, 17, 300, 5_000, 200_000, 5_000_000])(
  'planParts keeps the limits of S3 and of memory for %i MiB',
  (mebibytes) => {
    const { partBytes, atOnce } = planParts(mebibytes * MEBIBYTE);
    expect(partBytes).toBeGreaterThanOrEqual(5 * MEBIBYTE);
    expect(Math.ceil((mebibytes * MEBIBYTE) / partBytes)).toBeLessThanOrEqual(10_000);
    expect(atOnce).toBeGreaterThanOrEqual(1);
    expect(partBytes * (atOnce - 1)).toBeLessThan(128 * MEBIBYTE);
  },
);

it('r2Settings derives the endpoint from the account, s3Settings takes it as given', () => {
  expect(r2Settings('charts', undefined, { ...KEYS, CLOUDFLARE_ACCOUNT_ID: ACCOUNT })).toEqual({
    bucket: 'charts',
    endpoint: `https://${ACCOUNT}.r2.cloudflarestorage.com`,
    region: 'auto',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
  const environment = { ...KEYS, AWS_ENDPOINT_URL: 'https://s3.example', AWS_SESSION_TOKEN: 't' };
  expect(s3Settings('charts', undefined, environment)).toMatchObject({
    endpoint: 'https://s3.example',
    credentials: { sessionToken: 't' },
  });
  expect(s3Settings('charts', 'http://127.0.0.1:9', environment).endpoint).toBe(
    'http://127.0.0.1:9',
  );
  expect(s3Settings('charts', undefined, { ...KEYS, AWS_REGION: 'eu-west-1' })).toEqual({
    bucket: 'charts',
    region: 'eu-west-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
});

it.each([
  ['no keys', () => s3Settings('charts', undefined, { AWS_ACCESS_KEY_ID: 'id' }), /Set AWS_/],
  ['no account', () => r2Settings('charts', undefined, KEYS), /Set CLOUDFLARE_ACCOUNT_ID/],
  ['a name with a slash', () => s3Settings('charts/x', undefined, KEYS), /Invalid bucket name/],
  [
    'an address without http',
    () => s3Settings('charts', 'r2.example', KEYS),
    /Invalid S3 endpoint/,
  ],
])('settings with %s are rejected without printing a key', (_name, ask, message) => {
  expect(ask).toThrow(message);
  expect(ask).not.toThrow(/secret(?!_)/);
});

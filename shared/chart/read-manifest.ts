// Reads a manifest and checks its schema and its sum. All readers use this function, because a damaged manifest may
// still match the schema: swapped records of two archives would send requests to the wrong file, in which tiles seem
// to be missing.

import type { Digest } from '../bytes/digest.ts';
import { utf8Bytes } from '../bytes/utf8.ts';
import { MANIFEST_FORMAT, type Manifest, manifestSchema } from './manifest.ts';

/** The text is not a manifest, or differs from the written one. */
export class DamagedManifest extends Error {}

/** Written by a version with another format of manifests. */
export class EarlierManifest extends DamagedManifest {}

/** SHA-256 in hexadecimal of a manifest without its sum, as JSON without spaces. */
const sumOf = (manifest: object, digest: Digest): Promise<string> =>
  digest(utf8Bytes(JSON.stringify({ ...manifest, sum: undefined })));

/** The same manifest with the sum of its other content. */
export async function withSum(manifest: Omit<Manifest, 'sum'>, digest: Digest): Promise<Manifest> {
  return { ...manifest, sum: await sumOf(manifest, digest) };
}

/**
 * Parse the text of a manifest.
 *
 * @throws DamagedManifest if the text is not a manifest or differs from the written one; EarlierManifest
 */
export async function readManifest(text: string, digest: Digest): Promise<Manifest> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DamagedManifest('is not JSON');
  }
  if (isEarlier(value)) throw new EarlierManifest('was written by an earlier version');
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) {
    const where = parsed.error.issues[0]!.path.join('.') || 'it';
    throw new DamagedManifest(`is not a manifest: ${where} is invalid`);
  }
  // The sum covers the raw value and not the parsed one: a newer version may have more members.
  if (parsed.data.sum !== (await sumOf(value as object, digest))) {
    throw new DamagedManifest('is damaged: its content does not match its sum');
  }
  return parsed.data;
}

const isEarlier = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'format' in value &&
  Number(value.format) < MANIFEST_FORMAT;

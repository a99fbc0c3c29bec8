// Reading a manifest: its text, its sum and its schema. Whatever reads one reads it here, as a manifest
// that was harmed may still be one: two records of archives that ran into each other send requests for
// tiles to the wrong file, which then seem not to be there.

import { type Manifest, manifestSchema } from './manifest.ts';

// Browsers, Workers and Node have these; this folder is compiled for none of them.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const crypto: {
  readonly subtle: { digest(name: string, data: Uint8Array): Promise<ArrayBuffer> };
};

/** The text of a manifest is not what was written. */
export class DamagedManifest extends Error {}

/** Written by a version whose manifests had no sum. */
export class EarlierManifest extends DamagedManifest {}

/** SHA-256 in hexadecimal of a manifest without its sum, as JSON without spaces. */
async function sumOf(manifest: object): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify({ ...manifest, sum: undefined }));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The same manifest with the sum of all the rest. */
export async function withSum(manifest: Omit<Manifest, 'sum'>): Promise<Manifest> {
  return { ...manifest, sum: await sumOf(manifest) };
}

/**
 * The manifest that a text holds.
 *
 * @throws DamagedManifest where the text is no manifest, or not the one that was written; EarlierManifest
 */
export async function readManifest(text: string): Promise<Manifest> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DamagedManifest('is not JSON');
  }
  if (typeof value === 'object' && value !== null && 'format' in value && value.format === 1) {
    throw new EarlierManifest('was written by an earlier version: build the charts again');
  }
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) {
    const first = parsed.error.issues[0]!;
    const where = first.path.join('.') || 'it';
    throw new DamagedManifest(`is not a manifest: ${where} ${first.message}`);
  }
  // Of what was read, not of what the schema made of it: a newer version may have said more.
  if (parsed.data.sum !== (await sumOf(value as object))) {
    throw new DamagedManifest('is damaged: it does not have the sum that it says');
  }
  return parsed.data;
}

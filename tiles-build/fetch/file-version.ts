// Stores the HTTP validators (entity tag, date) of a downloaded file next to it, for conditional
// requests and for resuming (RFC 9110, sections 13 and 14).

import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const versionSchema = z.object({
  url: z.string(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** Size and time of the downloaded file, to detect that it was replaced. */
  file: z.object({ bytes: z.number(), modifiedMs: z.number() }).optional(),
});
type Version = z.infer<typeof versionSchema>;

/** Path of the unfinished download. */
export const partOf = (path: string): string => `${path}.part`;
const partVersionOf = (path: string): string => `${path}.part.version`;
const versionOf = (path: string): string => `${path}.version`;

/** All files that can exist next to a downloaded file. */
export const companionFiles = (path: string): readonly string[] => [
  partOf(path),
  partVersionOf(path),
  versionOf(path),
];

/** Conditional headers: request the file only if it differs from the local one. */
export async function conditionFor(path: string): Promise<Record<string, string>> {
  const version = await readVersion(versionOf(path));
  const local = await stat(path).catch(() => undefined);
  if (version === undefined || local === undefined) return {};
  const { file } = version;
  // The file was restored from a copy, or the process was killed before it wrote the validators.
  if (file !== undefined && (file.bytes !== local.size || file.modifiedMs !== local.mtimeMs))
    return {};
  if (version.etag !== undefined) return { 'if-none-match': version.etag };
  if (version.lastModified !== undefined) return { 'if-modified-since': version.lastModified };
  return {};
}

/** Headers that request the rest of a file, if a part of the same version exists. */
export async function rangeFor(
  path: string,
  url: string,
): Promise<{ from: number; headers: Record<string, string> } | undefined> {
  const from = await sizeOf(partOf(path));
  const version = await readVersion(partVersionOf(path));
  const name = version?.url === url ? strongName(version) : undefined;
  if (from === undefined || from === 0 || name === undefined) return undefined;
  return { from, headers: { range: `bytes=${from}-`, 'if-range': name } };
}

/**
 * Start a part and store the validators of the response. A part without validators cannot be
 * resumed.
 */
export async function rememberPart(path: string, url: string, headers: Headers): Promise<void> {
  await forgetPart(path);
  const version = versionIn(url, headers);
  const isPacked = headers.get('content-encoding') !== null;
  if (strongName(version) === undefined || isPacked) return;
  await writeFile(partVersionOf(path), JSON.stringify(version));
}

/** Remove validators in a folder whose part is complete: the process was killed before it did this. */
export async function forgetCompleteParts(folder: string): Promise<void> {
  const files = new Set(await readdir(folder));
  for (const file of files) {
    const part = /^(.*\.part)\.version$/.exec(file)?.[1];
    if (part !== undefined && !files.has(part)) await rm(join(folder, file), { force: true });
  }
}

export async function forgetPart(path: string): Promise<void> {
  await rm(partVersionOf(path), { force: true });
  await rm(partOf(path), { force: true });
}

/** Store the validators and set the file time to `Last-Modified`. */
export async function rememberVersion(path: string, headers: Headers): Promise<void> {
  const version = versionIn('', headers);
  const modified = Date.parse(version.lastModified ?? '');
  if (Number.isFinite(modified)) await utimes(path, modified / 1000, modified / 1000);
  if (version.etag === undefined && version.lastModified === undefined) {
    await rm(versionOf(path), { force: true });
    return;
  }
  const { size, mtimeMs } = await stat(path);
  const file = { bytes: size, modifiedMs: mtimeMs };
  await writeFile(versionOf(path), JSON.stringify({ ...version, file }));
}

/** The validator for `If-Range`. A weak entity tag is not sufficient; the date is used instead. */
function strongName({ etag, lastModified }: Version): string | undefined {
  return etag !== undefined && !etag.startsWith('W/') ? etag : lastModified;
}

function versionIn(url: string, headers: Headers): Version {
  const etag = headers.get('etag');
  const lastModified = headers.get('last-modified');
  return {
    url,
    ...(etag === null ? {} : { etag }),
    ...(lastModified === null ? {} : { lastModified }),
  };
}

async function readVersion(path: string): Promise<Version | undefined> {
  try {
    return versionSchema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  );

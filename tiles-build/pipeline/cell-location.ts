// Where a cell's files lie, as plain data that can be sent to a worker, and how they are read there.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CellFile, CellFiles } from '../../shared/s57/read/read-cell.ts';
import {
  type CellFileSource,
  type CellSource,
  readOrReason,
} from '../exchange-set/exchange-set.ts';
import { readZipEntry } from '../exchange-set/zip.ts';

interface FileLocation {
  readonly name: string;
  readonly path: string;
  /** Set where `path` is a zip. */
  readonly entry?: string;
  /** CRC-32 of the file in each CATALOG.031 that lists it. */
  readonly crc32s?: readonly number[];
}

export interface CellLocation {
  readonly name: string;
  readonly base?: FileLocation;
  readonly updates: readonly FileLocation[];
  /** As of `CellSource`. */
  readonly acceptBadChecksums?: boolean;
}

/** A found cell without its functions. */
export function locationOf(source: CellSource): CellLocation {
  return {
    name: source.name,
    ...(source.acceptBadChecksums === true && { acceptBadChecksums: true }),
    updates: source.updates.map(fileLocation),
    ...(source.base !== undefined && { base: fileLocation(source.base) }),
  };
}

/** Read the files of a cell; one that cannot be read says why. */
export async function readLocation(location: CellLocation): Promise<CellFiles> {
  return {
    name: location.name,
    ...(location.acceptBadChecksums === true && { acceptBadChecksums: true }),
    updates: await Promise.all(location.updates.map(readFileAt)),
    ...(location.base !== undefined && { base: await readFileAt(location.base) }),
  };
}

/** SHA-256 over names and bytes of a cell's files, and whether files are refused for their checksums. */
export function digestOfFiles(files: CellFiles): string {
  const hash = createHash('sha256').update(files.name);
  for (const file of [files.base, ...files.updates]) {
    if (file === undefined) continue;
    const state = file.unreadable ?? file.bytes.length;
    const bad = file.badChecksum ?? '';
    const isAccepted = bad !== '' && files.acceptBadChecksums === true ? ' accepted' : '';
    hash.update(`\n${file.name} ${state}${bad}${isAccepted}\n`).update(file.bytes);
  }
  return hash.digest('hex');
}

/** An origin inside a zip reads `archive.zip:entry`. */
function fileLocation({ name, origin, crc32s }: CellFileSource): FileLocation {
  const inZip = /^(.*\.zip):(.+)$/i.exec(origin);
  const place = inZip === null ? { path: origin } : { path: inZip[1]!, entry: inZip[2]! };
  return { name, ...place, ...(crc32s !== undefined && { crc32s }) };
}

function readFileAt({ name, path, entry, crc32s }: FileLocation): Promise<CellFile> {
  const read = async () =>
    entry === undefined ? new Uint8Array(await readFile(path)) : await readZipEntry(path, entry);
  return readOrReason({ name, read, ...(crc32s !== undefined && { crc32s }) });
}

// The paths of a cell's files as plain data, so that they can be sent to a worker, and reading them
// there.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CellFiles } from '../../shared/s57/read/cell-files.ts';
import { unseal } from '../archive/seal.ts';
import type { CellFileSource, CellSource, EncryptedCell } from '../exchange-set/cell-source.ts';
import { readFilesOf } from '../exchange-set/exchange-set.ts';
import { readCellFile, readZipEntry } from '../exchange-set/zip.ts';

interface FileLocation {
  readonly name: string;
  readonly path: string;
  /** File inside the zip, if `path` is a zip. */
  readonly entry?: string;
  /** CRC-32 of the file in each CATALOG.031 that lists it. */
  readonly crc32s?: readonly number[];
  /** Where the file was found encrypted; `path` is then its decrypted and sealed form. */
  readonly foundAt?: string;
}

export interface CellLocation {
  readonly name: string;
  readonly base?: FileLocation;
  readonly updates: readonly FileLocation[];
  /** See `CellSource`. */
  readonly acceptBadChecksums?: boolean;
  readonly encrypted?: EncryptedCell;
}

/** The location of a cell, without the functions of `CellSource`. */
export function locationOf(source: CellSource): CellLocation {
  return {
    name: source.name,
    ...(source.acceptBadChecksums === true && { acceptBadChecksums: true }),
    updates: source.updates.map(fileLocation),
    ...(source.base !== undefined && { base: fileLocation(source.base) }),
    ...(source.encrypted !== undefined && { encrypted: source.encrypted }),
  };
}

/** Read the files of a cell. A file that cannot be read carries the reason in `unreadable`. */
export async function readLocation(location: CellLocation): Promise<CellFiles> {
  return {
    name: location.name,
    ...(location.acceptBadChecksums === true && { acceptBadChecksums: true }),
    ...(await readFilesOf({
      updates: location.updates.map(readableAt),
      ...(location.base !== undefined && { base: readableAt(location.base) }),
    })),
  };
}

/** SHA-256 of names and bytes of a cell's files, and of whether bad checksums are accepted. */
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

/** The path of a file, or of its zip and the entry: their origin has the form `archive.zip:entry`. */
export function placeOf({ origin }: Pick<CellFileSource, 'origin'>) {
  const inZip = /^(.*\.zip):(.+)$/i.exec(origin);
  return inZip === null ? { path: origin } : { path: inZip[1]!, entry: inZip[2]! };
}

function fileLocation(file: CellFileSource): FileLocation {
  const { name, crc32s, sealedAt } = file;
  const place = placeOf(file);
  const sums = crc32s !== undefined && { crc32s };
  if (sealedAt !== undefined) return { name, path: sealedAt, foundAt: place.path, ...sums };
  return { name, ...place, ...sums };
}

function readableAt({ name, path, entry, crc32s, foundAt }: FileLocation) {
  const read = async () => {
    if (entry !== undefined) return readZipEntry(path, entry);
    return foundAt === undefined ? readCellFile(path) : unseal(await readFile(path));
  };
  return { name, read, ...(crc32s !== undefined && { crc32s }) };
}

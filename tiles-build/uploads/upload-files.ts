// The files of uploads, downloaded from the bucket, whose pieces are joined: local copies that can be
// made again.

import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isShown } from '../../shared/contract/charts.ts';
import { flushFile } from '../archive/flush-file.ts';
import type { FileBucket } from '../publish/bucket.ts';
import type { Upload } from './job-store.ts';
import type { UploadFolder } from './licences.ts';

/** The upload cannot be used. The message is for its user. */
export class UploadRefused extends Error {}

/** Prefix of the keys of an upload. */
const prefixOf = ({ account_id, id }: Pick<Upload, 'account_id' | 'id'>): string =>
  `chart-uploads/${account_id}/${id}/`;

/**
 * Download the files of an upload, as one folder; files with the name of an earlier one are in further folders.
 * @returns the folder of these folders
 * @throws UploadRefused if a piece is missing
 */
export async function fetchUpload(
  bucket: FileBucket,
  work: string,
  upload: Upload,
): Promise<string> {
  const folder = join(work, 'uploads', upload.id);
  const places = placesIn(upload);
  if (places.every(([place, { bytes }]) => sizeOf(join(folder, place)) === bytes)) return folder;
  const unfinished = `${folder}.unfinished`;
  for (const one of [folder, unfinished]) rmSync(one, { recursive: true, force: true });
  try {
    const piece = join(unfinished, 'piece');
    for (const [i, [place, file]] of places.entries()) {
      const path = join(unfinished, place);
      mkdirSync(dirname(path), { recursive: true });
      await joinPieces(bucket, `${prefixOf(upload)}${i}-`, file, path, piece);
      await flushFile(path);
    }
    rmSync(piece, { force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** The files of an upload with their paths in its folder. */
function placesIn({ files }: Upload) {
  const repeats = new Map<string, number>();
  return files.map((file) => {
    // Lists and signature files apply to their folder, so files share it. Only a repeated name needs another.
    const name = file.name.toUpperCase();
    const repeat = repeats.get(name) ?? 0;
    repeats.set(name, repeat + 1);
    return [join(String(repeat), file.name), file] as const;
  });
}

const sizeOf = (path: string): number | undefined =>
  statSync(path, { throwIfNoEntry: false })?.size;

async function joinPieces(
  bucket: FileBucket,
  prefix: string,
  { bytes, pieces, name }: Upload['files'][number],
  path: string,
  piece: string,
): Promise<void> {
  const names = typeof pieces === 'number' ? Array.from({ length: pieces }, (_, i) => i) : pieces;
  for (const one of names) {
    if (!(await bucket.getFile(`${prefix}${one}`, piece))) throw incomplete(name);
    await pipeline(createReadStream(piece), createWriteStream(path, { flags: 'a' }));
  }
  if (sizeOf(path) !== bytes) throw incomplete(name);
}

const incomplete = (name: string) =>
  new UploadRefused(`${name} is not complete in the storage of the service. Upload it again.`);

/** The accepted cells of an upload that is part of the charts. */
export async function cellsOfLive(
  bucket: FileBucket,
  work: string,
  upload: Upload,
): Promise<UploadFolder> {
  const cells = upload.cells.filter(isShown).map(({ name }) => name);
  return { folder: await fetchUpload(bucket, work, upload), cells };
}

/** Delete the files of an upload, here and in the bucket. */
export async function removeUpload(
  bucket: FileBucket,
  work: string,
  upload: Pick<Upload, 'account_id' | 'id'>,
): Promise<void> {
  removeCopies(work, upload.id);
  for (const key of (await bucket.list(prefixOf(upload))) ?? []) await bucket.delete(key);
}

/** Delete the local copy of an upload. */
export const removeCopies = (work: string, id: string): void =>
  rmSync(join(work, 'uploads', id), { recursive: true, force: true });

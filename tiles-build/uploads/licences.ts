// The licences of an account for encrypted charts (S-63): its permit files, which are in its uploads, and
// the settings of the deployment. Decrypted cells are in memory and in a sealed folder of the account.

import { mkdirSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '../archive/system-error.ts';
import type { CellFileSource, Unlock } from '../exchange-set/cell-source.ts';
import { CELL_FILE } from '../exchange-set/listed-sums.ts';
import { listZip, readCellFile, readZipEntry } from '../exchange-set/zip.ts';
import { signedName } from '../s63/authenticate.ts';
import type { Identity } from '../s63/identity.ts';
import { type PermitFile, readPermitFile, refusedFile } from '../s63/permits.ts';
import { sealedStore } from '../s63/sealed-store.ts';
import { refuseEncrypted, type UnlockSettings, unlockWith } from '../s63/unlock.ts';

/** The settings of the deployment. */
export interface Licensing {
  readonly identity: Identity;
  /** Settings with these permits, on the day of the call. */
  readonly settingsFor: (permits: readonly PermitFile[]) => UnlockSettings;
}

/** The files of an upload on this machine. */
export interface UploadFolder {
  readonly folder: string;
  /** Names of the cells that are used. */
  readonly cells: readonly string[];
}

/**
 * Names of permit files, in capitals (S-63 edition 1.2.1, clause 4.3). Copies may be `PERMIT (1).TXT`. Zips made on a
 * Mac contain files with `._`.
 */
const PERMIT_FILE = /^(?!\._)(PERMIT( ?\(\d+\)|[ _-]?\d+|_[A-Z]{2})?\.TXT|.*\.(PMT|PRM))$/;

/** Maximum number of files in an upload, those in its zips too. */
export const MAX_UPLOAD_FILES = 250_000;

/** Maximum numbers of permit files in an upload, and of their bytes. */
const MAX_PERMIT_FILES = 1000;
const MAX_PERMIT_BYTES = 32 * 2 ** 20;
const NOT_READ = 'this one and the others after it are not read';
const TOO_MANY = `The upload has more than ${MAX_PERMIT_FILES} permit files, or more than ${MAX_PERMIT_BYTES} bytes of them; ${NOT_READ}`;

/** Whether a name is that of a permit file. */
const isPermitFile = (path: string): boolean =>
  PERMIT_FILE.test(path.slice(path.lastIndexOf('/') + 1).toUpperCase());

/**
 * The permit files in a folder and in the zips of it, in order of their paths. A damaged or too large file
 * is refused, and the others are used. The files after a maximum are not read.
 * @param maxEntries maximum number of files in all zips
 */
export async function permitFilesIn(
  folder: string,
  { hardwareId }: Pick<Identity, 'hardwareId'>,
  maxEntries = MAX_UPLOAD_FILES,
): Promise<readonly PermitFile[]> {
  const files: PermitFile[] = [];
  let total = 0;
  for await (const [name, read] of permitPathsIn(folder, maxEntries)) {
    if (read === undefined) {
      const message = `The zips of the upload have more than ${maxEntries} files; ${NOT_READ}`;
      files.push(refusedFile(12, name, message));
      break;
    }
    const bytes = await read().catch((error: unknown) => {
      if (isSystemError(error)) throw error;
      return undefined;
    });
    total += bytes?.length ?? 0;
    if (files.length === MAX_PERMIT_FILES || total > MAX_PERMIT_BYTES) {
      files.push(refusedFile(12, name, TOO_MANY));
      break;
    }
    files.push(
      bytes === undefined
        ? refusedFile(12, name, `${name} is damaged or too large`)
        : readPermitFile(bytes, name, hardwareId),
    );
  }
  return files;
}

/** Whether a permit file is in a folder or in a zip of it. */
export async function hasPermitFile(folder: string): Promise<boolean> {
  for await (const [, read] of permitPathsIn(folder, MAX_UPLOAD_FILES)) return read !== undefined;
  return false;
}

/** The names of permit files, with functions that read them; last, the zip that exceeds the maximum. */
async function* permitPathsIn(
  folder: string,
  maxEntries: number,
): AsyncGenerator<readonly [name: string, read?: () => Promise<Uint8Array>]> {
  let count = 0;
  for (const path of (await readdir(folder, { recursive: true })).sort()) {
    const whole = join(folder, path);
    if (isPermitFile(path)) yield [nameOf(path), () => readCellFile(whole)];
    else if (/\.zip$/i.test(path)) {
      // A damaged zip is reported with its cells.
      const countEntry = () => {
        if (++count > maxEntries) throw new Error('too many entries');
      };
      const entries = await listZip(whole, countEntry).catch(() => []);
      if (count > maxEntries) {
        yield [nameOf(path)];
        return;
      }
      for (const entry of entries.filter(isPermitFile)) {
        yield [nameOf(entry), () => readZipEntry(whole, entry)];
      }
    }
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Folder of the sealed cells of an account. */
const sealedFolder = (work: string, account: string): string => join(work, 'sealed', account);

/** Forget the decrypted cells of an account on this machine. */
export const removeSealed = (work: string, account: string): void =>
  rmSync(sealedFolder(work, account), { recursive: true, force: true });

/** Decrypts the cells of an account with its permits. */
export function unlockFor(
  work: string,
  account: string,
  licensing: Licensing,
  permits: readonly PermitFile[],
): Unlock {
  const folder = sealedFolder(work, account);
  mkdirSync(folder, { recursive: true });
  const sealed = sealedStore({ path: (_, digest) => join(folder, `${digest}.sealed`) });
  // What an expired permit still opens is in the older uploads. A file of a deleted upload is not used.
  const store = { ...sealed, kept: () => [] };
  return unlockWith({ ...licensing.settingsFor(permits), store });
}

export const NOT_CONFIGURED = refuseEncrypted(
  's63-not-configured',
  'The operator of this service has not set it up for encrypted charts.',
);
export const NOT_PUBLIC = refuseEncrypted(
  's63-not-public',
  'Encrypted charts cannot be part of the public charts. Upload them to the charts of the account.',
);

/** The same function for the used cells of uploads, and for all other files. */
export function onlyUsed(unlock: Unlock, uploads: readonly UploadFolder[]): Unlock {
  const folders = uploads.map(({ folder, cells }) => [`${folder}/`, new Set(cells)] as const);
  const isUsed = ({ name, origin }: CellFileSource) => {
    const [, own] = folders.find(([folder]) => origin.startsWith(folder)) ?? [];
    // A signature file has the cell in the name of the signed file.
    return own === undefined || [name, signedName(name)].some((one) => own.has(cellOf(one)));
  };
  return (files, texts) => unlock(files.filter(isUsed), texts);
}

const cellOf = (name = ''): string => CELL_FILE.exec(name)?.[1] ?? '';

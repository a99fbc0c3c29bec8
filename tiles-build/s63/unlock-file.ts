// Unlocks one file of an encrypted cell: signature, key, zip, checksum and date, in the order of the
// standard (S-63 edition 1.2.1, clauses 10.6 and 10.7).

import { createHash } from 'node:crypto';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import { decodeFile } from '../../shared/s57/read/decode.ts';
import type { CellFileSource } from '../exchange-set/cell-source.ts';
import { badChecksum } from '../exchange-set/listed-sums.ts';
import { authenticate } from './authenticate.ts';
import { dashed } from './days.ts';
import { decryptFile, isPlain, keyOfFile } from './decrypt-file.ts';
import type { CellPermit } from './permits.ts';
import { sse } from './sse.ts';
import type { TrustedKey } from './trusted-key.ts';

/** Where decrypted files are kept, sealed. */
export interface SealedStore {
  /** A file that was decrypted before; undefined if it is not there or was sealed with another key. */
  read(name: string, digest: string): Uint8Array | undefined;
  write(name: string, digest: string, bytes: Uint8Array): void;
  path(name: string, digest: string): string;
  /** The files of a cell that earlier builds kept. */
  kept(cell: string): readonly CellFileSource[];
}

export interface FileSettings {
  /** Installed keys; at least one. */
  readonly trusted: readonly TrustedKey[];
  readonly acceptBadChecksums?: boolean | undefined;
  /** Undefined if decrypted files may be in memory only: they are decrypted at each reading. */
  readonly store?: SealedStore | undefined;
}

/** A file of an encrypted delivery. */
export interface EncryptedFile {
  readonly file: CellFileSource;
  readonly cell: string;
  readonly signatures: CellFileSource | undefined;
  /** Of the delivery; undefined if it does not state one. */
  readonly dataServer: string | undefined;
}

export interface UnlockedFile {
  readonly file: CellFileSource;
  /** In the file; NaN if it states none. */
  readonly edition: number;
  readonly update: number;
  /** The permit whose key fits. */
  readonly permit: CellPermit;
  /** The installed key that authenticated the data server. */
  readonly by: TrustedKey;
}

/** Enough bytes for the identification in the first record. */
const HEAD_BYTES = 16_384;

/** @returns the file with its decrypted bytes, or why it is refused */
export async function unlockFile(
  { file, signatures }: EncryptedFile,
  given: CellPermit,
  { trusted, acceptBadChecksums, store }: FileSettings,
): Promise<UnlockedFile | Problem> {
  const bytes = await file.read().catch((error: Error) => error);
  if (bytes instanceof Error) {
    return sse(16, { found: `The file cannot be read: ${bytes.message}`, file: file.name });
  }
  const by = authenticate(bytes, await signatures?.read().catch(() => undefined), trusted);
  if ('code' in by) return { ...by, file: file.name };
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 40);
  const permit = fittingPermit(bytes, given);
  const plain = await decrypted(bytes, permit, () => store?.read(file.name, digest));
  if (plain === permit.otherwise) return permit.otherwise;
  if ('code' in plain) return { ...plain, file: file.name };
  const bad = badChecksum(plain, file.crc32s);
  if (bad !== undefined && acceptBadChecksums !== true) {
    return sse(16, { found: bad, file: file.name });
  }
  const { dataSet } = decodeFile(plain.subarray(0, HEAD_BYTES), file.name);
  const issued = dataSet?.issueDate ?? '';
  if (issued > permit.expires) {
    const found = `The file was issued on ${dashed(issued)}, and the permit ends on ${dashed(permit.expires)}`;
    return sse(15, { found, file: file.name });
  }
  store?.write(file.name, digest, plain);
  const read = async () => {
    const again = store?.read(file.name, digest) ?? (await decrypted(await file.read(), permit));
    if ('code' in again) throw new Error(again.message);
    return again;
  };
  const sealed = store && { sealedAt: store.path(file.name, digest) };
  const [edition, update] = [numberOf(dataSet?.edition), numberOf(dataSet?.update)];
  return { file: { ...file, read, ...sealed }, edition, update, permit, by };
}

function fittingPermit(bytes: Uint8Array, given: CellPermit): CellPermit {
  const { oneOf = [], otherwise } = given;
  const fits = oneOf.find(({ keys }) => !('code' in keyOfFile(bytes, keys)));
  return fits === undefined ? given : { ...fits, ...(otherwise !== undefined && { otherwise }) };
}

const numberOf = (text = ''): number => Number.parseInt(text, 10);

/** @param kept finds the decrypted file, if it was decrypted before */
async function decrypted(
  bytes: Uint8Array,
  { keys, otherwise }: CellPermit,
  kept: () => Uint8Array | undefined = () => undefined,
): Promise<Uint8Array | Problem> {
  if (isPlain(bytes)) return bytes;
  const key = keyOfFile(bytes, keys);
  return 'code' in key ? (otherwise ?? key) : (kept() ?? decryptFile(bytes, key));
}

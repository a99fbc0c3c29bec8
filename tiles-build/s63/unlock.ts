// Unlocks encrypted deliveries for `findCells`: finds the encrypted files among all files, and unlocks
// them cell by cell. A file that fails is refused with its reason, and the others continue.

import { pushTo } from '../../shared/geo/map-entries.ts';
import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { CellFileSource, EncryptedCell, Unlock } from '../exchange-set/cell-source.ts';
import { CELL_FILE } from '../exchange-set/listed-sums.ts';
import { signedName } from './authenticate.ts';
import { dashed } from './days.ts';
import { type Deliveries, readDeliveries } from './deliveries.ts';
import { sse } from './sse.ts';
import { type CellSettings, unlockCell } from './unlock-cell.ts';
import type { EncryptedFile } from './unlock-file.ts';

export interface UnlockSettings extends CellSettings {
  /** Problems of permit files and of installed keys, which belong to no cell. */
  readonly problems: readonly Problem[];
  /** Receives one line for each decrypted cell. */
  readonly note?: ((line: string) => void) | undefined;
}

/** A function for `findCells` that decrypts what the settings permit. */
export function unlockWith(settings: UnlockSettings): Unlock {
  return async (found, texts) => {
    const deliveries = await readDeliveries(texts);
    const { plain, encrypted } = sortFiles(found, deliveries);
    if (encrypted.size === 0) return { files: plain, cells: new Map(), problems: [] };
    const files = [...plain];
    const cells = new Map<string, EncryptedCell>();
    /** Licensed cells that do not reach their latest state. */
    const incomplete = new Set<string>();
    const otherKeys = new Set<string>();
    for (const [cell, own] of encrypted) {
      const unlocked = await unlockCell(cell, own, deliveries, settings);
      for (const file of unlocked.files) files.push(file);
      const { problems, licence } = unlocked;
      // Without the permit, which contains keys: this is sent to workers.
      cells.set(cell, { problems, ...(licence !== undefined && { licence }) });
      if (unlocked.permit !== undefined && !unlocked.isLatest) incomplete.add(cell);
      for (const key of unlocked.by) if (!key.isOfScheme) otherKeys.add(key.name);
      if (licence === undefined) continue;
      const count = `${unlocked.files.length} ${unlocked.files.length === 1 ? 'file' : 'files'}`;
      settings.note?.(
        `${cell}: ${count} of data server ${licence.dataServer || 'unknown'} decrypted, ` +
          `permit until ${dashed(licence.expires)}`,
      );
    }
    const warnings = [...otherKeys].map((name) => sse(26, { found: `The key is ${name}` }));
    const notices = deliveries.notices(incomplete, settings.today);
    return { files, cells, problems: [...settings.problems, ...warnings, ...notices] };
  };
}

/** A function for `findCells` that refuses all encrypted cells with a reason. */
export function refuseEncrypted(code: string, reason: string): Unlock {
  return async (found, texts) => {
    const { plain, encrypted } = sortFiles(found, await readDeliveries(texts));
    const cells = [...encrypted.keys()].map((cell) => {
      const message = `${cell} is encrypted (S-63) and is not used. ${reason}`;
      return [cell, { problems: [{ code, message, severity: 'error' as const }] }] as const;
    });
    return { files: plain, cells: new Map(cells), problems: [] };
  };
}

/** Refuses all encrypted cells, because there are no permits. */
export const NO_LICENCE = refuseEncrypted(
  's63-not-configured',
  'Use --permits with the permit file of the chart supplier, and the settings that its help names.',
);

interface SortedFiles {
  readonly plain: readonly CellFileSource[];
  /** By name of the cell. */
  readonly encrypted: ReadonlyMap<string, readonly EncryptedFile[]>;
}

/** Separate plain files from files with a signature file, and from others of the same deliveries. */
function sortFiles(found: readonly CellFileSource[], deliveries: Deliveries): SortedFiles {
  const folderOf = ({ origin, name }: CellFileSource) =>
    origin.slice(0, origin.length - name.length);
  const paths = new Set(found.map((file) => folderOf(file) + file.name));
  const signatures = new Map<string, CellFileSource>();
  const signedSets = new Set<unknown>();
  for (const file of found) {
    const signed = signedName(file.name);
    const path = folderOf(file) + signed;
    const set = deliveries.of(file);
    if (signed === undefined || !(paths.has(path) || set !== undefined)) continue;
    signatures.set(path, file);
    signedSets.add(set);
  }
  const isSignature = new Set(signatures.values());
  const plain: CellFileSource[] = [];
  const encrypted = new Map<string, EncryptedFile[]>();
  for (const file of found) {
    if (isSignature.has(file)) continue;
    const set = deliveries.of(file);
    const own = signatures.get(folderOf(file) + file.name);
    if (own === undefined && (set === undefined || !signedSets.has(set))) {
      plain.push(file);
      continue;
    }
    const cell = CELL_FILE.exec(file.name)![1]!;
    const one = { file, cell, signatures: own, dataServer: set?.dataServer };
    pushTo(encrypted, cell, one);
  }
  return { plain, encrypted };
}

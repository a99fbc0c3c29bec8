// Unlocks the files of one encrypted cell, and reports its licence (S-63 edition 1.2.1, clauses 10.5.5
// and 10.7.1).

import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { CellFileSource, EncryptedCell, Licence } from '../exchange-set/cell-source.ts';
import { dashed, daysBetween } from './days.ts';
import type { Deliveries } from './deliveries.ts';
import type { Product } from './media.ts';
import type { CellPermit, Permits } from './permits.ts';
import { sse } from './sse.ts';
import type { TrustedKey } from './trusted-key.ts';
import {
  type EncryptedFile,
  type FileSettings,
  type UnlockedFile,
  unlockFile,
} from './unlock-file.ts';

export interface CellSettings extends FileSettings {
  readonly permits: Permits;
  /** The day on which licences are checked, yyyymmdd. */
  readonly today: string;
}

export interface UnlockedCell extends EncryptedCell {
  readonly files: readonly CellFileSource[];
  readonly permit: CellPermit | undefined;
  /** Whether its files reach the latest state in the product list; false without a list. */
  readonly isLatest: boolean;
  /** The keys that authenticated its files. */
  readonly by: ReadonlySet<TrustedKey>;
}

/** The end of a subscription is announced this number of days before. */
const NOTICE_DAYS = 30;

/** Unlock the files of one cell, which may be from several data servers. */
export async function unlockCell(
  cell: string,
  found: readonly EncryptedFile[],
  deliveries: Deliveries,
  settings: CellSettings,
): Promise<UnlockedCell> {
  const problems: Problem[] = [];
  const files: CellFileSource[] = [];
  const unlocked: UnlockedFile[] = [];
  const used: [string | undefined, CellPermit][] = [];
  const by = new Set<TrustedKey>();
  const otherServers = new Set<string>();
  const permitOf = permitsOf(cell, found, settings, problems);
  for (const one of found) {
    const permit = permitOf.get(one.dataServer);
    if (permit === undefined) continue;
    const result = await unlockFile(one, permit, settings);
    if ('code' in result) {
      if (!problems.includes(result)) problems.push(result);
    } else {
      files.push(result.file);
      unlocked.push(result);
      used.push([one.dataServer, result.permit]);
      by.add(result.by);
      if (permit.otherwise !== undefined) otherServers.add(result.permit.dataServer);
    }
  }
  for (const server of otherServers) {
    const message = `${cell} is decrypted with the permit of another data server, ${server}, whose key fits`;
    problems.push({ code: 's63-other-server', message, severity: 'warning' });
  }
  // An expired subscription keeps what was installed.
  const isTooNew = problems.some(({ code, file }) => code === 'sse-15' && file?.endsWith('.000'));
  if (isTooNew && !files.some(({ name }) => name.endsWith('.000'))) {
    for (const kept of settings.store?.kept(cell) ?? []) files.push(kept);
  }
  const permits = used.length > 0 ? used : [...permitOf];
  const [server, permit] =
    permits.sort(([, a], [, b]) => (a.expires < b.expires ? 1 : -1))[0] ?? [];
  if (permit === undefined) return { problems, files, permit, isLatest: false, by };
  const dataServer = server ?? permit.dataServer;
  const latest = deliveries.latest(cell, dataServer);
  const notices = [...dateProblems(permit, settings.today), ...cancellation(latest)];
  const licence = licenceOf(permit, dataServer, latest);
  const isLatest = reaches(latest, unlocked);
  // A good copy replaces a refused update. Which edition a refused base is of is not known.
  const isReplaced = ({ file = '' }: Problem) =>
    isLatest && !file.endsWith('.000') && files.some(({ name }) => name === file);
  const all = [...problems.map((one) => (isReplaced(one) ? asWarning(one) : one)), ...notices];
  return { problems: all, files, permit, isLatest, by, ...(files.length > 0 && { licence }) };
}

const asWarning = (problem: Problem): Problem => ({ ...problem, severity: 'warning' });

/** Whether a base of the latest edition is there, with every update after it. */
function reaches(latest: Product | undefined, unlocked: readonly UnlockedFile[]): boolean {
  const ofLatest = unlocked.filter(({ edition }) => edition === latest?.edition);
  const bases = ofLatest.filter(({ file }) => file.name.endsWith('.000'));
  if (latest === undefined || bases.length === 0) return false;
  const updates = new Set(ofLatest.map(({ update }) => update));
  const base = Math.max(...bases.map(({ update }) => update));
  for (let next = base + 1; next <= latest.update; next++) if (!updates.has(next)) return false;
  return true;
}

/** The permit of each delivery of a cell. What prevents its use is added to `problems`. */
function permitsOf(
  cell: string,
  found: readonly EncryptedFile[],
  { permits, trusted }: CellSettings,
  problems: Problem[],
): ReadonlyMap<string | undefined, CellPermit> {
  const permitOf = new Map<string | undefined, CellPermit>();
  for (const dataServer of new Set(found.map((one) => one.dataServer))) {
    const permit = permits.of(cell, dataServer);
    if ('code' in permit) problems.push(permit);
    else if (trusted.length > 0) permitOf.set(dataServer, permit);
    else problems.push(sse(5, { found: `${cell} cannot be authenticated` }));
  }
  return permitOf;
}

/** Warnings for a subscription that has ended or ends soon. There are no warnings for a single purchase. */
export function dateProblems(
  { cell, expires, isSubscription }: CellPermit,
  today: string,
): readonly Problem[] {
  if (!isSubscription) return [];
  const found = `The permit of ${cell} ${expires < today ? 'ended' : 'ends'} on ${dashed(expires)}`;
  if (expires < today) return [sse(15, { found, isUsed: true }), sse(25, { found })];
  return daysBetween(today, expires) <= NOTICE_DAYS ? [sse(20, { found })] : [];
}

/** The notice of a cell that the product list names as cancelled, with the cells that replace it. */
function cancellation(product: Product | undefined): readonly Problem[] {
  if (product?.edition !== 0) return [];
  const { cell, replacedBy } = product;
  const message =
    replacedBy.length === 0
      ? `${cell} has been cancelled and may be out of date. It must not be used for navigation`
      : `${cell} has been cancelled and is replaced by ${replacedBy.join('; ')}. Get their permits from the chart supplier`;
  return [{ code: 's63-cancelled', message, severity: 'warning' }];
}

function licenceOf(
  { expires, isSubscription }: CellPermit,
  dataServer: string,
  latest: Product | undefined,
): Licence {
  const isListed = latest !== undefined && latest.edition > 0;
  const { edition = 0, update = 0 } = latest ?? {};
  return {
    ...{ dataServer, expires, isSubscription },
    ...(isListed && { latest: { edition, update } }),
  };
}

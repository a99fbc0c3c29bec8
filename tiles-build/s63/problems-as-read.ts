// The problems of a decrypted cell after it was read: those of its licence, those of the reader, and the
// codes of S-63 for a gap in the updates (SSE 23) and an outdated cell (SSE 27).

import type { CellHeader, Problem } from '../../shared/s57/cell/cell.ts';
import type { EncryptedCell } from '../exchange-set/cell-source.ts';
import { sse } from './sse.ts';

interface Read {
  readonly name: string;
  readonly problems: readonly Problem[];
  readonly found?: { readonly header: CellHeader };
}

/** Codes of the reader for an update without its predecessor. */
const GAPS = new Set(['base-missing', 'update-gap', 'update-edition-mismatch']);

/** @param encrypted undefined for a cell that was not encrypted: its problems are unchanged */
export function problemsAsRead(
  encrypted: EncryptedCell | undefined,
  { name, problems, found }: Read,
): readonly Problem[] {
  if (encrypted === undefined) return problems;
  const gaps = problems
    .filter(({ code, severity }) => GAPS.has(code) && severity === 'error')
    .map(({ message, file }) => sse(23, { found: message, ...(file !== undefined && { file }) }));
  const rest = problems.filter(({ code, severity }) => !GAPS.has(code) || severity !== 'error');
  return [...encrypted.problems, ...gaps, ...rest, ...outdated(name, encrypted, found?.header)];
}

function outdated(
  name: string,
  { licence }: EncryptedCell,
  header: CellHeader | undefined,
): readonly Problem[] {
  const { latest } = licence ?? {};
  if (latest === undefined || header === undefined) return [];
  const { edition, update } = header;
  const isLess = edition < latest.edition || (edition === latest.edition && update < latest.update);
  const found = `${name} is at edition ${edition}, update ${update}; the data server has edition ${latest.edition}, update ${latest.update}`;
  return isLess ? [sse(27, { found })] : [];
}

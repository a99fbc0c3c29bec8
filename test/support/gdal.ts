// Cells as GDAL reads them: the independent reference for reading S-57.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CellFile, CellFiles } from '../../shared/s57/read/read-cell.ts';
import { csvRows } from './csv-rows.ts';

export { hasGdal } from './machine.ts';

/** One feature as GDAL has it. */
export interface GdalFeature {
  readonly acronym: string;
  /** FOID as 16 hexadecimal digits. */
  readonly lnam: string;
  /** Texts of the attributes that are not empty. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Attributes that GDAL's class schema has a column for. */
  readonly columns: ReadonlySet<string>;
  /** LNAM of each related feature with its RIND. */
  readonly relations: readonly string[];
  /** WKT; empty without geometry. */
  readonly wkt: string;
}

const OWN_COLUMNS = new Set(
  'WKT RCID PRIM GRUP OBJL RVER AGEN FIDN FIDS LNAM LNAM_REFS FFPT_RIND'.split(' '),
);
const OPTIONS = [
  'UPDATES=APPLY',
  'SPLIT_MULTIPOINT=OFF',
  'LNAM_REFS=ON',
  'LIST_AS_STRING=ON',
  'RECODE_BY_DSSI=ON',
].join(',');

/** Every feature of a cell with its updates. */
export const readWithGdal = (files: CellFiles): GdalFeature[] => readCellWithGdal(files).features;

/** A cell with its updates: its usage band (INTU), its compilation scale (CSCL) and its features. */
export function readCellWithGdal({ name, base, updates }: CellFiles) {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-gdal-'));
  try {
    const write = ({ name: file, bytes }: CellFile) => writeFileSync(join(folder, file), bytes);
    if (base !== undefined) write(base);
    updates.forEach(write);
    const out = join(folder, 'csv');
    const words = ['-f', 'CSV', out, join(folder, `${name}.000`), '-lco', 'GEOMETRY=AS_WKT'];
    execFileSync('ogr2ogr', words, {
      stdio: 'ignore',
      env: { ...process.env, OGR_S57_OPTIONS: OPTIONS },
    });
    const [head, header] = rowsOf(join(out, 'DSID.csv'));
    const told = (column: string) => Number(header?.[head!.indexOf(column)]);
    const features = readdirSync(out)
      .filter((file) => file !== 'DSID.csv')
      .flatMap((file) => readLayer(join(out, file), file.replace(/\.csv$/, '')));
    return {
      usageBand: told('DSID_INTU'),
      scaleDenominator: told('DSPM_CSCL'),
      features,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const rowsOf = (path: string): string[][] => csvRows(readFileSync(path, 'utf8'));

function readLayer(path: string, acronym: string): GdalFeature[] {
  const [head = [], ...rows] = rowsOf(path);
  const columns = new Set(head);
  return rows.map((row) => {
    const told = (column: string) => row[head.indexOf(column)] ?? '';
    return {
      acronym,
      lnam: told('LNAM'),
      attributes: Object.fromEntries(
        head.flatMap((column, i) =>
          OWN_COLUMNS.has(column) || row[i] === '' ? [] : [[column, row[i]!]],
        ),
      ),
      columns,
      relations: relationsOf(told('LNAM_REFS'), told('FFPT_RIND')),
      wkt: told('WKT'),
    };
  });
}

/** `[ "AAAA", "BBBB" ]` and `[ 2, 2 ]`, paired. */
function relationsOf(names: string, kinds: string): string[] {
  const rinds = kinds.match(/\d+/g) ?? [];
  return (names.match(/[0-9A-F]{16}/g) ?? []).map((name, i) => `${name} ${rinds[i]}`);
}

// Cells as GDAL reads them: the independent reference for reading S-57.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CellFile, CellFiles } from '../../shared/s57/read/cell-files.ts';
import { type CopiedTable, copiedTables } from './copy-tables.ts';

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
  /** Well-known binary in hexadecimal (`wkb.ts`); empty without geometry. */
  readonly wkb: string;
}

const OWN_COLUMNS = new Set(
  'wkb_geometry RCID PRIM GRUP OBJL RVER AGEN FIDN FIDS LNAM LNAM_REFS FFPT_RIND'.split(' '),
);
const OPTIONS = [
  'UPDATES=APPLY',
  'SPLIT_MULTIPOINT=OFF',
  'LNAM_REFS=ON',
  'LIST_AS_STRING=ON',
  'RECODE_BY_DSSI=ON',
].join(',');
/** Names as they are, texts and numbers of any length, and nothing but the rows. */
const DUMP_OPTIONS = [
  'LAUNDER=NO',
  'PRECISION=NO',
  'CREATE_SCHEMA=OFF',
  'CREATE_TABLE=OFF',
  'DROP_TABLE=OFF',
  'SPATIAL_INDEX=NONE',
].flatMap((option) => ['-lco', option]);

/** Every feature of a cell with its updates. */
export const readWithGdal = (files: CellFiles): GdalFeature[] => readCellWithGdal(files).features;

/** A cell with its updates: its usage band (INTU), its compilation scale (CSCL) and its features. */
export function readCellWithGdal({ name, base, updates }: CellFiles) {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-gdal-'));
  try {
    const write = ({ name: file, bytes }: CellFile) => writeFileSync(join(folder, file), bytes);
    if (base !== undefined) write(base);
    updates.forEach(write);
    const out = join(folder, 'dump.sql');
    const words = ['-f', 'PGDUMP', out, join(folder, `${name}.000`), ...DUMP_OPTIONS];
    execFileSync('ogr2ogr', words, {
      stdio: 'ignore',
      env: { ...process.env, OGR_S57_OPTIONS: OPTIONS, PG_USE_COPY: 'YES' },
    });
    const tables = copiedTables(readFileSync(out, 'utf8'));
    const { columns, rows } = tables.find((table) => table.name === 'DSID')!;
    const told = (column: string) => Number(rows[0]?.[columns.indexOf(column)]);
    return {
      usageBand: told('DSID_INTU'),
      scaleDenominator: told('DSPM_CSCL'),
      features: tables.filter((table) => table.name !== 'DSID').flatMap(featuresOf),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function featuresOf({ name, columns: names, rows }: CopiedTable): GdalFeature[] {
  const columns = new Set(names);
  const at = (column: string) => names.indexOf(column);
  const [lnam, references, kinds] = [at('LNAM'), at('LNAM_REFS'), at('FFPT_RIND')];
  const geometry = at('wkb_geometry');
  const own = names.flatMap((column, i) => (OWN_COLUMNS.has(column) ? [] : [[column, i] as const]));
  return rows.map((row) => ({
    acronym: name,
    lnam: row[lnam] ?? '',
    attributes: Object.fromEntries(
      own.flatMap(([column, i]) =>
        row[i] === undefined || row[i] === '' ? [] : [[column, row[i]]],
      ),
    ),
    columns,
    relations: relationsOf(row[references] ?? '', row[kinds] ?? ''),
    wkb: row[geometry] ?? '',
  }));
}

/** `{"AAAA","BBBB"}` and `{2,2}`, paired. */
function relationsOf(names: string, kinds: string): string[] {
  const rinds = kinds.match(/\d+/g) ?? [];
  return (names.match(/[0-9A-F]{16}/g) ?? []).map((name, i) => `${name} ${rinds[i]}`);
}

// Reads tables in PostgreSQL's dumps (documentation of COPY, "Text Format"). GDAL writes them in a third of
// the time of CSV, because positions are not converted to decimals.

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Each row has a field for every column; NULL is `undefined`. */
  readonly rows: readonly (readonly (string | undefined)[])[];
}

const HEAD = /^COPY "[^"]*"\."([^"]*)" \((.*)\) FROM STDIN;$/;

/** The tables of a dump, in its order. @throws Error if a row has more or fewer fields than its table */
export function copiedTables(dump: string): CopiedTable[] {
  const tables: CopiedTable[] = [];
  const lines = dump.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const [, name, list] = HEAD.exec(lines[at]!) ?? [];
    if (name === undefined) continue;
    const columns = list!.split(', ').map((column) => column.slice(1, -1));
    const rows: (string | undefined)[][] = [];
    for (at++; lines[at] !== '\\.'; at++) {
      let line = lines[at];
      if (line === undefined) throw new Error(`${name} does not end`);
      while (endsEscaping(line)) line += `\n${lines[++at]}`;
      const fields = line.split('\t').map(plainField);
      if (fields.length !== columns.length) throw new Error(`${name}, row ${rows.length}: ${line}`);
      rows.push(fields);
    }
    tables.push({ name, columns, rows });
  }
  return tables;
}

const endsEscaping = (line: string): boolean =>
  line.endsWith('\\') && /\\*$/.exec(line)![0].length % 2 === 1;

function plainField(field: string): string | undefined {
  if (field === '\\N') return undefined;
  return field.includes('\\') ? field.replace(/\\([\s\S])/g, '$1') : field;
}

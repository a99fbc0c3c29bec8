// Tables in PostgreSQL's dumps (documentation of COPY, "Text Format"), which GDAL writes in a third of the
// time that CSV takes: positions are not put into decimals, nor read from them.

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Each has a field for every column; NULL is undefined. */
  readonly rows: readonly (readonly (string | undefined)[])[];
}

const HEAD = /^COPY "[^"]*"\."([^"]*)" \((.*)\) FROM STDIN;$/;

/** What a dump copies, in its order. @throws Error where a row has not as many fields as its table */
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
      // A line feed within a text.
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

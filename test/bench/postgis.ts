// PostGIS with a GiST index over the features of the bench's cells, as GDAL reads them, in a server
// of its own that lives in a temporary folder. CPU time is the backend's, from the scheduler.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CellFiles } from '../../shared/s57/read/cell-files.ts';
import { readWithGdal } from '../support/gdal.ts';
import { shapeOf } from '../support/wkb.ts';

const ROOT = '/usr/lib/postgresql';

/** Folder of a PostgreSQL with PostGIS; undefined if none is installed. */
export function postgisBinaries(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  return readdirSync(ROOT)
    .filter((version) => existsSync(`/usr/share/postgresql/${version}/extension/postgis.control`))
    .map((version) => join(ROOT, version, 'bin'))
    .at(-1);
}

export interface PlaceQuestion {
  readonly cell: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly radius: number;
}

const LEFT_OUT = new Set(['M_NSYS', 'M_QUAL', 'M_NPUB', 'MAGVAR', 'DSID', 'C_AGGR', 'C_ASSO']);

/** CPU milliseconds of each query, in a session in which each query has already run once. */
export function timePostgis(
  binaries: string,
  cells: readonly CellFiles[],
  questions: readonly PlaceQuestion[],
): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-postgis-'));
  chmodSync(folder, 0o777);
  const data = join(folder, 'data');
  const run = (command: string, input?: string): string => {
    // The server refuses to run as root.
    const words = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
    const [program, ...rest] = [...words, 'bash', '-c', command];
    const done = spawnSync(program!, rest, { input, encoding: 'utf8', cwd: folder });
    if (done.status !== 0) throw new Error(`${command}: ${done.stderr}`);
    return done.stdout;
  };
  try {
    run(`${binaries}/initdb -D ${data} -A trust -E UTF8 --locale=C -U bench`);
    run(
      `${binaries}/pg_ctl -w -D ${data} -l ${folder}/log -o "-k ${folder} -c listen_addresses='' -c jit=off -c max_parallel_workers_per_gather=0" start`,
    );
    const psql = (file: string) =>
      run(`${binaries}/psql -qAtX -v ON_ERROR_STOP=1 -h ${folder} -U bench -d postgres -f ${file}`);
    writeFileSync(join(folder, 'features.tsv'), cells.flatMap(rowsOf).join(''));
    writeFileSync(join(folder, 'load.sql'), LOAD.replace('FOLDER', folder));
    psql(join(folder, 'load.sql'));
    writeFileSync(join(folder, 'ask.sql'), askingAll(questions));
    const times = psql(join(folder, 'ask.sql'))
      .trim()
      .split('\n')
      .map((line) => Number(line.split(' ')[0]));
    // Two readings of the clock for each question.
    return questions.map((_, i) => (times[2 * i + 1]! - times[2 * i]!) / 1e6);
  } finally {
    spawnSync('bash', [
      '-c',
      `runuser -u postgres -- ${binaries}/pg_ctl -D ${data} -m immediate stop || ${binaries}/pg_ctl -D ${data} -m immediate stop`,
    ]);
    rmSync(folder, { recursive: true, force: true });
  }
}

const LOAD = `
CREATE EXTENSION postgis;
CREATE TABLE raw (cell text, id text, class text, attributes jsonb, place geometry);
\\copy raw FROM 'FOLDER/features.tsv'
CREATE TABLE feature AS
  SELECT cell, id, class, attributes, place::geography AS place FROM raw;
CREATE INDEX ON feature USING gist (place);
ANALYZE feature;
`;

function askingAll(questions: readonly PlaceQuestion[]): string {
  const ask = ({ cell, longitude, latitude, radius }: PlaceQuestion) =>
    `SELECT id, class, attributes, ST_AsGeoJSON(place, 7), ST_Distance(place, here) AS far
FROM feature, (SELECT ST_MakePoint(${longitude}, ${latitude})::geography AS here) AS asked
WHERE cell = '${cell}' AND ST_DWithin(place, here, ${radius}) ORDER BY far LIMIT 500;`;
  const quietly = (sql: string) => `\\o /dev/null\n${sql}\n\\o\n`;
  const clock = '\\! cat /proc/$BACKEND/schedstat\n';
  return [
    'SELECT pg_backend_pid() AS backend \\gset\n\\setenv BACKEND :backend\n',
    ...questions.map((question) => quietly(ask(question))),
    ...questions.map((question) => clock + quietly(ask(question)) + clock),
  ].join('');
}

/** One row for each sounding, as in the responses. */
function rowsOf(files: CellFiles): string[] {
  return readWithGdal(files).flatMap(({ acronym, lnam, attributes, wkb }) => {
    if (wkb === '' || LEFT_OUT.has(acronym)) return [];
    const row = (text: string) =>
      `${[files.name, lnam, acronym, JSON.stringify(attributes).replaceAll('\\', '\\\\'), text].join('\t')}\n`;
    if (acronym !== 'SOUNDG') return [row(wkb)];
    return (shapeOf(wkb)?.parts.flat() ?? []).map((place) => row(`POINT Z (${place.join(' ')})`));
  });
}

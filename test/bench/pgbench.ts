// Sends statements to a server with `pgbench`, over the same protocol as the Worker.

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONNECTIONS } from './load.ts';
import { run } from './post-load.ts';

const ROOT = '/usr/lib/postgresql';

/** The program; undefined if it is not installed. */
export function pgbenchProgram(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  return readdirSync(ROOT)
    .map((version) => join(ROOT, version, 'bin', 'pgbench'))
    .filter((path) => existsSync(path))
    .at(-1);
}

export interface DirectLoad {
  readonly databaseUrl: string;
  /** `:name` stands for a number from 1 up to what `numbers` says of it. */
  readonly statement: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Statements a second. @throws Error when one fails */
export async function statementsPerSecond(
  program: string,
  { databaseUrl, statement, numbers, seconds }: DirectLoad,
  scratch: string,
): Promise<number> {
  const file = join(scratch, 'statement.sql');
  const drawn = Object.entries(numbers).map(([name, most]) => `\\set ${name} random(1, ${most})\n`);
  writeFileSync(file, `${drawn.join('')}${statement};\n`);
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const where = ['-h', hostname, '-p', port, '-U', username];
  const how = ['-n', '-M', 'extended', '-c', `${CONNECTIONS}`, '-j', '1', '-T', `${seconds}`];
  const words = [...where, ...how, '-f', file, pathname.slice(1)];
  const said = await run(program, words, { PGPASSWORD: decodeURIComponent(password) });
  const rate = /tps = ([\d.]+) \(without/.exec(said)?.[1];
  if (rate === undefined || /ERROR/.test(said)) throw new Error(`pgbench: ${said}`);
  return Number(rate);
}

// `npm run bench [name …]`: runs the benches one after another and prints what each measured.
// Figures are ratios of two things timed in one run, as machines differ and drift.

import { readdir } from 'node:fs/promises';
import { cpus } from 'node:os';

interface Bench {
  run(): Promise<unknown>;
}

const wanted = process.argv.slice(2);
const names = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort();

if (names.length === 0) {
  console.error(`No bench is named ${wanted.join(', ')}.`);
  process.exit(1);
}
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`,
);
for (const name of names) {
  console.log(`# ${name}`);
  const bench = (await import(`./${name}.bench.ts`)) as Bench;
  await bench.run();
  console.log('');
}

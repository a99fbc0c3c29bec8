// `npm run bench [-- name …] [--write] [--long]`: runs the benches one after another and prints what
// each measured. `--long` asks those that know it for their largest input: hours. `--write` also puts it into BENCHMARKS.md: every bench of one run, from one machine.
// Figures are ratios of two things timed in one run, as machines differ and drift.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { Argument, Command } from 'commander';
import { benchmarksPage, type Measured } from './benchmarks-page.ts';

interface Bench {
  run(options: { readonly long: boolean }): Promise<unknown>;
}

const PAGE = resolve(import.meta.dirname, '../../BENCHMARKS.md');

const all = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .sort();
const program = new Command('npm run bench --')
  .description('Measure, and print the figures as ratios of two things timed in one run.')
  .addArgument(new Argument('[names...]', 'all where none is given').choices(all))
  .option('--write', 'put what was measured into BENCHMARKS.md, in place of what stands there')
  .option('--long', 'the largest input of benches that have one: hours')
  .parse();
const options = program.opts<{ write?: boolean; long?: boolean }>();
const [wanted = []] = program.processedArgs as [string[]?];

const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
console.log(`${machine}\n`);
const measured: Measured[] = [];
for (const name of all.filter((it) => wanted.length === 0 || wanted.includes(it))) {
  console.log(`# ${name}`);
  const source = await readFile(join(import.meta.dirname, `${name}.bench.ts`), 'utf8');
  const printed = await printedBy(async () => {
    const bench = (await import(`./${name}.bench.ts`)) as Bench;
    await bench.run({ long: options.long === true });
  });
  measured.push({ name, source, printed, flags: options.long === true ? ' --long' : '' });
  console.log('');
}
if (options.write) {
  const day = new Date().toISOString().slice(0, 10);
  const before = await readFile(PAGE, 'utf8').catch(() => '');
  await writeFile(PAGE, benchmarksPage(before, measured, `${machine}, ${day}`));
  console.log(`Written: ${PAGE}`);
}

/** What a bench prints, which is shown as well. */
async function printedBy(work: () => Promise<void>): Promise<string> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (...words: unknown[]) => {
    lines.push(words.join(' '));
    log(...words);
  };
  try {
    await work();
  } finally {
    console.log = log;
  }
  return lines.join('\n').trimEnd();
}

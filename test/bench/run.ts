// `npm run bench [-- name …] [--write] [--long]`: runs the benches one after another and prints their
// results. `--long` selects the largest input of benches that support it, which takes hours. `--write`
// also updates BENCHMARKS.md. The figures are ratios of two measurements in one run, because the speed
// of machines differs and changes.

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
  .description('Run benches and print the results as ratios of two measurements in one run.')
  .addArgument(new Argument('[names...]', 'benches to run; default: all').choices(all))
  .option('--write', 'update the sections of these benches in BENCHMARKS.md')
  .option('--long', 'use the largest input of benches that support it (takes hours)')
  .parse();
const options = program.opts<{ write?: boolean; long?: boolean }>();
const [selected = []] = program.processedArgs as [string[]?];

const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
console.log(`${machine}\n`);
const measured: Measured[] = [];
for (const name of all.filter((it) => selected.length === 0 || selected.includes(it))) {
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

/** The output of a bench, which is also printed. */
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

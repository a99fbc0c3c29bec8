// BENCHMARKS.md: for every bench what it is, when and where it ran, and what it printed, so that no
// figure stands there that the code did not give.

export interface Measured {
  readonly name: string;
  /** What the command says beside the name, such as ` --long`. */
  readonly flags?: string;
  /** The bench's file, whose first comment says what is measured. */
  readonly source: string;
  readonly printed: string;
}

const HEAD = `# Benchmarks

Written by \`npm run bench -- --write\`: what each bench printed, with the machine and the day it ran.
Figures are ratios of two things timed in one run; each run is seeded and checks a checksum. Machines with other work to do give other milliseconds, and nearly the same ratios.
Cells are those of \`LEADLINE_ENC_DIR\`; where GDAL, PostGIS or another program to compare with is absent, its rows are.
`;

/**
 * The page after a run: its benches anew, the others as they stand.
 * @param before the page as it is, empty where there is none
 * @param where machine and day of this run
 */
export function benchmarksPage(
  before: string,
  measured: readonly Measured[],
  where: string,
): string {
  const sections = new Map(
    [...before.matchAll(/^## (\S+)\n[\s\S]*?(?=^## |$(?![\s\S]))/gm)].map(([text, name]) => [
      name!,
      text.trimEnd(),
    ]),
  );
  for (const { name, source, printed, flags = '' } of measured) {
    const lines = ['```', `$ npm run bench -- ${name}${flags}`, printed, '```'];
    sections.set(
      name,
      [`## ${name}`, '', firstComment(source), '', `${where}:`, '', ...lines].join('\n'),
    );
  }
  const sorted = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `${[HEAD.trimEnd(), ...sorted].join('\n\n')}\n`;
}

function firstComment(source: string): string {
  const lines = source.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join(' ');
}

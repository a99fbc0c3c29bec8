// BENCHMARKS.md: the description of each bench, its date and machine, and its output. All figures come
// from a run of the code.

export interface Measured {
  readonly name: string;
  /** The options after the name in the command, such as ` --long`. */
  readonly flags?: string;
  /** The source of the bench. Its first comment describes the measurement. */
  readonly source: string;
  readonly printed: string;
}

const HEAD = `# Benchmarks

Written by \`npm run bench -- --write\`: the output of each bench, with the machine and the date.
The figures are ratios of two measurements in one run. Each run uses a fixed seed and verifies a checksum. A busy machine gives other milliseconds, but similar ratios.
The cells are those of \`LEADLINE_ENC_DIR\`. If GDAL, PostGIS or another program is missing, its rows are missing too.
`;

/**
 * The page after a run: new sections for its benches, and unchanged sections for the others.
 * @param before the current page, or an empty string
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

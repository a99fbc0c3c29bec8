// Prints results as a table or as JSON.

/** Rows under a heading, columns in line. */
export function printTable(
  heading: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  const lines = [heading, ...rows].map((row) => row.map(String));
  const widths = heading.map((_, at) =>
    lines.reduce((width, line) => Math.max(width, line[at]?.length ?? 0), 0),
  );
  for (const line of lines) {
    const cells = line.map((cell, at) => cell.padEnd(widths[at] ?? 0));
    console.log(cells.join('  ').trimEnd());
  }
}

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

/** A time to the minute, in UTC. */
export const minuteOf = (epochMs: number | null): string =>
  epochMs === null ? '' : `${new Date(epochMs).toISOString().slice(0, 16).replace('T', ' ')}Z`;

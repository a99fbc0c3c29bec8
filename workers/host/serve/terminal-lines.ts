// What `npm start` prints of the runtime's lines. A line for each page, file and tile would move the
// link to the chart page out of sight.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Whether a line says more than that a request succeeded: a fault, a refusal, a warning. */
function isForTerminal(line: string): boolean {
  if (!line.startsWith('{')) return line.trim() !== '';
  try {
    const { kind, status } = JSON.parse(line) as { kind?: unknown; status?: unknown };
    return kind !== 'request' || typeof status !== 'number' || status >= 400;
  } catch {
    return true;
  }
}

/** Print the lines of a stream, except those of requests that succeeded. */
export function printFailures(from: Readable, to: NodeJS.WritableStream): void {
  createInterface({ input: from }).on('line', (line) => {
    if (isForTerminal(line)) to.write(`${line}\n`);
  });
}

// Filters the log that `npm start` prints. A line for each request would scroll the link to the chart
// page off the screen.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Whether a line is anything but the log of a successful request. */
function isForTerminal(line: string): boolean {
  if (!line.startsWith('{')) return line.trim() !== '';
  try {
    const { kind, status } = JSON.parse(line) as { kind?: unknown; status?: unknown };
    return kind !== 'request' || typeof status !== 'number' || status >= 400;
  } catch {
    return true;
  }
}

/** Print the lines of a stream, except those of successful requests. */
export function printFailures(from: Readable, to: NodeJS.WritableStream): void {
  createInterface({ input: from }).on('line', (line) => {
    if (isForTerminal(line)) to.write(`${line}\n`);
  });
}

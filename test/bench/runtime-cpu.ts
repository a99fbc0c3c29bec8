// CPU time of the runtimes that a bench started, as counted by Linux. Unlike the number of requests per
// second, it hardly changes if the machine has other work.

import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second, as Linux counts processor time for programs. */
const TICKS = 100;

/** Milliseconds of all runtimes that this process started, so far. */
export function runtimeCpuMs(): number {
  let ticks = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const text = readFileSync(`/proc/${id}/stat`, 'utf8');
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      if (text.includes('(workerd)') && Number(fields[1]) === process.pid) {
        ticks += Number(fields[11]) + Number(fields[12]);
      }
    } catch {
      // It ended meanwhile.
    }
  }
  return (1000 * ticks) / TICKS;
}

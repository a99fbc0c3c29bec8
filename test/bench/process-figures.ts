// Reads figures of a running process from Linux, and its memory over time.

import { readFileSync } from 'node:fs';

/** Memory of a process that is in the machine, megabytes (2²⁰ bytes). */
export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Processor time that a process has had, all its threads together; Linux counts it in hundredths. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the name, which may hold anything, and its closing bracket: fields 3 and on (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** By how much y grows with each x, of the straight line that is nearest to all (least squares). */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const across = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return across / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

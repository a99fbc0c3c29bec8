// Reads a log in pieces, with its soundings as rows.

import type { LogUnits } from '../../shared/bathymetry/logs/csv-log.ts';
import { type DepthReference, LogSoundings } from '../../shared/bathymetry/logs/log-soundings.ts';
import { type LogFormat, logReader } from '../../shared/bathymetry/logs/read-log.ts';

const LIMITS = { maxSoundings: 1000, minDepthMeters: -20, maxDepthMeters: 12_000 } as const;

export async function readLog(
  format: LogFormat,
  text: string | Uint8Array,
  more: { units?: LogUnits; piece?: number; most?: number; wanted?: DepthReference } = {},
) {
  const limits = {
    ...{ ...LIMITS, maxSoundings: more.most ?? LIMITS.maxSoundings },
    ...{ earliestTime: 0, latestTime: Date.UTC(2027, 0, 1) },
  };
  const log = new LogSoundings(limits, more.wanted);
  const reader = logReader(format, log, more.units);
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const piece = more.piece ?? 7;
  for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
  await reader.end();
  const found = log.all();
  const { latitudes, longitudes, depths, times } = found?.soundings ?? {};
  const rows = Array.from(times ?? [], (time, i) => [
    new Date(time).toISOString(),
    Number(latitudes![i]!.toFixed(6)),
    Number(longitudes![i]!.toFixed(6)),
    Number(depths![i]!.toFixed(4)),
  ]);
  return {
    rows,
    reference: found?.reference,
    faults: log.faults,
    ignored: log.ignored,
    transducerDepth: log.transducerDepth,
  };
}

/** With its checksum. */
export const sentence = (body: string) => {
  const sum = [...body].reduce((all, letter) => all ^ letter.charCodeAt(0), 0);
  return `$${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
};

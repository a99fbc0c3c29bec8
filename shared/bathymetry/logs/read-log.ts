// Reads a log of any format in pieces.

import { CsvLog, type LogUnits } from './csv-log.ts';
import { GpxLog } from './gpx-log.ts';
import type { LogSoundings } from './log-soundings.ts';
import { NmeaLog } from './nmea-log.ts';
import { SignalKLog } from './signal-k-log.ts';

export const LOG_FORMATS = ['nmea0183', 'signalk', 'gpx', 'csv'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

interface LogReader {
  /** @throws TooManySoundings */
  push(bytes: Uint8Array): void;
  end(): void | Promise<void>;
}

/** Call `push` for each piece and then `end`; the soundings and faults are in `soundings`. */
export function logReader(format: LogFormat, soundings: LogSoundings, units?: LogUnits): LogReader {
  switch (format) {
    case 'nmea0183':
      return new NmeaLog(soundings);
    case 'signalk':
      return new SignalKLog(soundings);
    case 'gpx':
      return new GpxLog(soundings);
    case 'csv':
      return new CsvLog(soundings, units);
  }
}

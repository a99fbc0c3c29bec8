// Chooses the stations of @neaps/tide-database that a service may use and that can predict heights
// above chart datum.

import type { TideConstant, TideOffsets, TideRecord } from './tide-table.ts';

/** The fields of a station of the database that are read. */
export interface DatabaseStation {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly chart_datum?: string | undefined;
  readonly datums?: Readonly<Record<string, number>> | undefined;
  readonly attribution: string;
  readonly license: { readonly commercial_use: boolean };
  readonly harmonic_constituents?: readonly TideConstant[] | undefined;
  readonly offsets?: Partial<TideOffsets> & { readonly reference?: string };
}

/**
 * Stations of tide whose licence allows every use (public domain, MIT and CC BY; not CC BY-NC), with
 * constants and with mean sea level above their chart datum. For example, gauges of rivers without
 * a chart datum are omitted.
 */
export function tideRecordsOf(stations: Iterable<DatabaseStation>): TideRecord[] {
  const records: TideRecord[] = [];
  for (const station of stations) {
    const { chart_datum: datum, datums, harmonic_constituents: constants, offsets } = station;
    if (station.kind !== 'tide' || !station.license.commercial_use) continue;
    if (datum === undefined || datums === undefined || constants === undefined) continue;
    const [zero, mean] = [datums[datum], datums['MSL']];
    if (zero === undefined || mean === undefined || constants.length === 0) continue;
    const { id, name, longitude, latitude, attribution } = station;
    const scale = offsets?.height?.type === 'ratio' ? offsets.height.high : 1;
    records.push({
      id,
      name,
      longitude,
      latitude,
      datum,
      attribution,
      meanLevel: mean - zero,
      range: scale * rangeOf(datums, constants),
      reference: offsets?.reference ?? id,
      constants,
      ...(offsets?.time === undefined || offsets.height === undefined
        ? {}
        : { offsets: { time: offsets.time, height: offsets.height } }),
    });
  }
  return records;
}

/** Highest minus lowest astronomical tide; without them, twice the sum of the large amplitudes. */
function rangeOf(datums: Readonly<Record<string, number>>, constants: readonly TideConstant[]) {
  const { HAT, LAT } = datums;
  if (HAT !== undefined && LAT !== undefined) return HAT - LAT;
  return 2 * constants.reduce((sum, { amplitude }) => sum + amplitude, 0);
}

// Harmonic constants of tide stations in one compact file, made from a tide database when the
// service is built: the database itself is too large for a Worker.
//
//   table := header:length JSON  stations { STATION_BYTES }  constants { CONSTANT_BYTES }
//
// All numbers are little-endian. A subordinate station refers to the constants of its reference
// station and has offsets of time and height.

import { PbfReader, PbfWriter } from 'pbf';

/** The station of a prediction. */
export interface TideStation {
  /** Id in the tide database, for example `noaa/9447130`. */
  readonly id: string;
  readonly name: string;
  readonly longitude: number;
  readonly latitude: number;
  /** Chart datum of the heights: `LAT`, `MLLW` or another name of the database. */
  readonly datum: string;
  /** Text that must be displayed with the heights. */
  readonly attribution: string;
}

/** A constituent of the tide at a station: amplitude in metres, phase lag in degrees (Greenwich). */
export interface TideConstant {
  readonly name: string;
  readonly amplitude: number;
  readonly phase: number;
}

/** Differences of a subordinate station at high and low water: minutes, and a ratio or metres. */
export interface TideOffsets {
  readonly time: { readonly high: number; readonly low: number };
  readonly height: {
    readonly high: number;
    readonly low: number;
    readonly type: 'ratio' | 'fixed';
  };
}

/** What a table stores of a station. */
export interface TideRecord extends TideStation {
  /** Mean sea level above chart datum, metres. */
  readonly meanLevel: number;
  /** Highest minus lowest astronomical tide, metres. */
  readonly range: number;
  /** Id of the station with the constants: the station itself unless it is subordinate. */
  readonly reference: string;
  readonly constants: readonly TideConstant[];
  readonly offsets?: TideOffsets;
}

/** Changes when the layout or the choice of stations changes. */
export const TIDE_TABLE_FORMAT = 2;

interface Header {
  readonly format: number;
  readonly constituents: readonly string[];
  readonly attributions: readonly string[];
  readonly datums: readonly string[];
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly constants: number;
}

const STATION_BYTES = 36;
const CONSTANT_BYTES = 5;
const DEGREES = 1e-6;
/** Smaller amplitudes are dropped, metres. */
const LEAST_AMPLITUDE = 0.001;
/** Steps of stored phases, degrees. */
const PHASE = 0.01;

/** Index of a text in a list that grows. */
function indexIn(list: string[], text: string): number {
  const found = list.indexOf(text);
  return found >= 0 ? found : list.push(text) - 1;
}

/** @param records stations of any order; the reference of a subordinate must be among them */
export function packTideTable(records: readonly TideRecord[]): Uint8Array {
  const lists = {
    constituents: [] as string[],
    attributions: [] as string[],
    datums: [] as string[],
  };
  const firsts = new Map<string, number>();
  const constants: number[] = [];
  for (const { reference, constants: own } of records) {
    if (firsts.has(reference)) continue;
    firsts.set(reference, constants.length / 3);
    for (const { name, amplitude, phase } of own.filter(
      (one) => one.amplitude >= LEAST_AMPLITUDE,
    )) {
      const steps = Math.round(phase / PHASE) % (360 / PHASE);
      constants.push(indexIn(lists.constituents, name), Math.round(amplitude * 1000), steps);
    }
    firsts.set(`${reference} end`, constants.length / 3);
  }
  const stations = new DataView(new ArrayBuffer(records.length * STATION_BYTES));
  for (const [i, record] of records.entries()) {
    const at = i * STATION_BYTES;
    stations.setInt32(at, Math.round(record.longitude / DEGREES), true);
    stations.setInt32(at + 4, Math.round(record.latitude / DEGREES), true);
    stations.setUint32(at + 8, firsts.get(record.reference)!, true);
    stations.setUint32(at + 12, firsts.get(`${record.reference} end`)!, true);
    stations.setInt16(at + 16, Math.round(record.meanLevel * 1000), true);
    stations.setInt16(at + 18, Math.round(record.range * 1000), true);
    stations.setUint8(at + 20, indexIn(lists.attributions, record.attribution));
    stations.setUint8(at + 21, indexIn(lists.datums, record.datum));
    packOffsets(stations, at + 22, record.offsets);
  }
  const header: Header = {
    format: TIDE_TABLE_FORMAT,
    ...lists,
    ids: records.map(({ id }) => id),
    names: records.map(({ name }) => name),
    constants: constants.length / 3,
  };
  return joinParts(header, stations, constants);
}

const OFFSET_TYPES = ['none', 'ratio', 'fixed'] as const;

function packOffsets(view: DataView, at: number, offsets: TideOffsets | undefined): void {
  if (offsets === undefined) return;
  const { time, height } = offsets;
  view.setUint8(at, OFFSET_TYPES.indexOf(height.type));
  view.setInt16(at + 2, time.high, true);
  view.setInt16(at + 4, time.low, true);
  view.setInt16(at + 6, Math.round(height.high * 1000), true);
  view.setInt16(at + 8, Math.round(height.low * 1000), true);
}

function joinParts(header: Header, stations: DataView, constants: readonly number[]): Uint8Array {
  const writer = new PbfWriter();
  writer.writeString(JSON.stringify(header));
  const head = writer.finish();
  const bytes = new Uint8Array(
    head.length + stations.byteLength + header.constants * CONSTANT_BYTES,
  );
  const view = new DataView(bytes.buffer);
  bytes.set(head);
  bytes.set(new Uint8Array(stations.buffer), head.length);
  let at = head.length + stations.byteLength;
  for (let i = 0; i < constants.length; i += 3, at += CONSTANT_BYTES) {
    view.setUint8(at, constants[i]!);
    view.setUint16(at + 1, constants[i + 1]!, true);
    view.setUint16(at + 3, constants[i + 2]!, true);
  }
  return bytes;
}

/** Opened without a copy; stations are decoded when they are used. */
export class TideTable {
  readonly count: number;
  readonly #header: Header;
  readonly #view: DataView;
  readonly #stations: number;

  /** @throws RangeError if the bytes are not a table of this format */
  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const reader = new PbfReader(bytes);
    this.#header = JSON.parse(reader.readString()) as Header;
    this.#stations = reader.pos;
    this.count = this.#header.ids.length;
    const rest = this.count * STATION_BYTES + this.#header.constants * CONSTANT_BYTES;
    if (this.#header.format !== TIDE_TABLE_FORMAT || bytes.length !== this.#stations + rest)
      throw new RangeError('Not a tide table of this format.');
  }

  longitude(index: number): number {
    return this.#view.getInt32(this.#stations + index * STATION_BYTES, true) * DEGREES;
  }

  latitude(index: number): number {
    return this.#view.getInt32(this.#stations + index * STATION_BYTES + 4, true) * DEGREES;
  }

  /** Highest minus lowest astronomical tide, metres. */
  range(index: number): number {
    return this.#view.getInt16(this.#stations + index * STATION_BYTES + 18, true) / 1000;
  }

  /** Chart datum of the heights of a station. */
  datum(index: number): string {
    return this.#header.datums[this.#view.getUint8(this.#stations + index * STATION_BYTES + 21)]!;
  }

  /** Attributions of all stations. */
  get attributions(): readonly string[] {
    return this.#header.attributions;
  }

  station(index: number): TideStation {
    const at = this.#stations + index * STATION_BYTES;
    return {
      id: this.#header.ids[index]!,
      name: this.#header.names[index]!,
      longitude: this.longitude(index),
      latitude: this.latitude(index),
      datum: this.datum(index),
      attribution: this.#header.attributions[this.#view.getUint8(at + 20)]!,
    };
  }

  /** Mean level, constants and offsets of a station, for a prediction. */
  harmonics(index: number): Pick<TideRecord, 'meanLevel' | 'constants' | 'offsets'> {
    const view = this.#view;
    const at = this.#stations + index * STATION_BYTES;
    const constants: TideConstant[] = [];
    const base = this.#stations + this.count * STATION_BYTES;
    for (let i = view.getUint32(at + 8, true); i < view.getUint32(at + 12, true); i++) {
      const one = base + i * CONSTANT_BYTES;
      constants.push({
        name: this.#header.constituents[view.getUint8(one)]!,
        amplitude: view.getUint16(one + 1, true) / 1000,
        phase: view.getUint16(one + 3, true) * PHASE,
      });
    }
    const offsets = readOffsets(view, at + 22);
    return {
      meanLevel: view.getInt16(at + 16, true) / 1000,
      constants,
      ...(offsets === undefined ? {} : { offsets }),
    };
  }
}

function readOffsets(view: DataView, at: number): TideOffsets | undefined {
  const type = OFFSET_TYPES[view.getUint8(at)]!;
  if (type === 'none') return undefined;
  return {
    time: { high: view.getInt16(at + 2, true), low: view.getInt16(at + 4, true) },
    height: {
      high: view.getInt16(at + 6, true) / 1000,
      low: view.getInt16(at + 8, true) / 1000,
      type,
    },
  };
}

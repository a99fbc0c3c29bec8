// CSV with a line of column names. The unit of the depth is in its name, or a parameter. The separator is a
// comma, semicolon or tab; with a semicolon or tab, numbers may have a decimal comma.

import { type Info, parse } from 'csv-parse/stream';
import { readDecimal } from '../decimal.ts';
import { readSoundingTime } from '../sounding-time.ts';
import { FIRST_TIME, type LogSoundings, TooManySoundings } from './log-soundings.ts';

export const UNIT_METERS = { meters: 1, feet: 0.3048, fathoms: 1.8288 } as const;
export type LogUnits = keyof typeof UNIT_METERS;

const MAX_HEAD_BYTES = 8192;
const MAX_RECORD_CHARACTERS = 16_384;
const NAMES = {
  latitude: /^(latitude|lat)$/,
  longitude: /^(longitude|long|lon|lng)$/,
  depth: /^(water ?)?depth(?:[ _([]+(m|meters?|metres?|ft|feet|fm|fathoms?)[)\]]*)?$/,
  time: /^(time|timestamp|date ?time|utc|time ?utc)$/,
} as const;
type Column = keyof typeof NAMES;
/** Or a decimal comma, if a coordinate of the row has one. */
const THOUSANDS = /^[1-9]\d{0,2},\d{3}$/;
const HEMISPHERE = /^\s*(n|s|e|w|north|south|east|west)\s*$/i;
const NORTH_SOUTH = /^\s*(n|s|north|south)\s*$/i;
const EAST_WEST = /^\s*(e|w|east|west)\s*$/i;
/** Names of columns that contain other values. All other columns may contain hemispheres. */
const OTHER_VALUES =
  /wind|depth|time|date|speed|course|heading|temp|alt|var|decl|mode|fix|status|current|swell|tide|bottom/;
const MAY_BE_HEMISPHERE =
  /(^|[^a-z])hem|indicator|quadrant|(^|[^a-z])(n|e|north|east)[ /_-]?(s|w|south|west)([^a-z]|$)/;
/** For example `lat dir`, whatever else the name contains. */
const OF_COORDINATE = /^l(at|on|ng)/;
const FAULT = 'has hemispheres: write degrees with a sign instead';
/** Times with a zone, and epoch milliseconds. */
const ZONED = /z\s*$|[t ]\d\d\S*[+-]\d\d(:?\d\d)?\s*$|^\s*\d{10,}(\.\d+)?\s*$/i;
const OTHER_ZONE =
  'has its time in another column than the first row: one of them may be local time';

export class CsvLog {
  readonly #soundings: LogSoundings;
  readonly #units: LogUnits | undefined;
  #head: number[] | undefined = [];
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #failure: unknown;
  #columns: Readonly<Record<Column, number>> | undefined;
  /** Number of column names. */
  #width = 0;
  /** Columns with times: those in UTC first. One may have only the time of day. */
  #times: readonly number[] = [];
  #utcTimes: readonly number[] = [];
  /** The column with the time of the first row, and whether its zone is known. */
  #firstTime: { readonly column: number; readonly isZoned: boolean } | undefined;
  /** Columns that may contain hemispheres. */
  #suspects: readonly number[] = [];
  /** Columns that may contain hemispheres if the other hemispheres are also in one of them. */
  #others: readonly number[] = [];
  /** The first row that was read, and which other columns contain only N and S, or only E and W, since then. */
  #pair: { line: number; northSouth: readonly number[]; eastWest: readonly number[] } | undefined;
  #isPlain = true;
  #metersOfUnit = 1;

  /** @param units of depths whose column does not name a unit; metres by default */
  constructor(soundings: LogSoundings, units?: LogUnits) {
    this.#soundings = soundings;
    this.#units = units;
  }

  push(bytes: Uint8Array): void {
    if (this.#head === undefined) {
      this.#write(bytes);
      return;
    }
    for (const byte of bytes) this.#head.push(byte);
    if (this.#head.includes(10) || this.#head.length > MAX_HEAD_BYTES) this.#open();
  }

  /** @throws TooManySoundings */
  async end(): Promise<void> {
    if (this.#head !== undefined) this.#open();
    await this.#writer?.close().catch((error: unknown) => {
      this.#failure ??= error;
    });
    if (this.#failure instanceof TooManySoundings) throw this.#failure;
    const { line = 1, northSouth = [], eastWest = [] } = this.#pair ?? {};
    if (northSouth.length > 0 && eastWest.length > 0) this.#soundings.fault(line, FAULT);
    if (this.#failure === undefined) return;
    const { lines } = this.#failure as { lines?: number };
    this.#soundings.fault(lines ?? 1, 'is not CSV');
  }

  #write(bytes: Uint8Array): void {
    this.#writer?.write(bytes).catch((error: unknown) => {
      this.#failure ??= error;
    });
  }

  /** Starts the parser after the first line, whose separator is that of the file. */
  #open(): void {
    const bytes = Uint8Array.from(this.#head!);
    this.#head = undefined;
    const first = new TextDecoder().decode(bytes).split('\n')[0]!;
    const count = (mark: string) => first.split(mark).length;
    const delimiter = [',', ';', '\t'].reduce((a, b) => (count(b) > count(a) ? b : a));
    this.#isPlain = delimiter === ',';
    const stream = parse({
      ...{ bom: true, delimiter, trim: true, skip_empty_lines: true, relax_column_count: true },
      max_record_size: MAX_RECORD_CHARACTERS,
      // Null: nothing is passed on.
      on_record: (record: string[], info: Info) => {
        this.#read(record, info.lines);
        return null;
      },
    });
    this.#writer = stream.writable.getWriter() as WritableStreamDefaultWriter<Uint8Array>;
    void this.#writer.closed.catch((error: unknown) => {
      this.#failure ??= error;
    });
    // Otherwise the stream could not end.
    void stream.readable.pipeTo(new WritableStream()).catch(() => undefined);
    this.#write(bytes);
  }

  #read(record: readonly string[], line: number): void {
    if (this.#columns === undefined) {
      this.#readNames(record, line);
      return;
    }
    const { latitude, longitude, depth } = this.#columns;
    const isEmpty = (at: number) => (record[at] ?? '') === '';
    if (isEmpty(depth) || (isEmpty(latitude) && isEmpty(longitude))) {
      this.#soundings.ignored++;
      return;
    }
    // For example because of decimal commas.
    if (record.slice(this.#width).some((value) => value !== '')) {
      this.#soundings.fault(line, 'has more values than there are column names');
      return;
    }
    if (this.#suspects.some((i) => HEMISPHERE.test(record[i] ?? ''))) {
      this.#soundings.fault(line, FAULT);
      return;
    }
    this.#findPair(record, line);
    const hasComma = [latitude, longitude].some((i) => record[i]?.includes(','));
    if (!hasComma && THOUSANDS.test(record[depth]!)) {
      this.#soundings.fault(line, 'depth must have no separator of thousands');
      return;
    }
    const number = (at: number) =>
      readDecimal(this.#isPlain ? record[at] : record[at]?.replace(',', '.'));
    const times = this.#times.map((i) => readSoundingTime(record[i]));
    const { latestTime } = this.#soundings;
    const at = times.findIndex((time = 0) => time >= FIRST_TIME && time <= latestTime);
    const ms = times[Math.max(at, 0)];
    const fault =
      ms === undefined
        ? 'time must be ISO 8601 or epoch milliseconds'
        : this.#isOtherZone(this.#times[at], record)
          ? OTHER_ZONE
          : this.#soundings.add(
              'transducer',
              [number(latitude), number(longitude)],
              number(depth) * this.#metersOfUnit,
              ms,
            );
    if (fault !== undefined) this.#soundings.fault(line, fault);
  }

  /** Whether the time may be of another zone than that of the first row. */
  #isOtherZone(column: number | undefined, record: readonly string[]): boolean {
    if (column === undefined) return false;
    const isZoned = this.#utcTimes.includes(column) || ZONED.test(record[column]!);
    this.#firstTime ??= { column, isZoned };
    const { column: first, isZoned: isFirstZoned } = this.#firstTime;
    return column !== first && !(isZoned && isFirstZoned);
  }

  /** Hemispheres in columns with any name, anywhere. A file with negative degrees has signs instead. */
  #findPair(record: readonly string[], line: number): void {
    this.#pair ??= { line, northSouth: this.#others, eastWest: this.#others };
    const { latitude, longitude } = this.#columns!;
    const isSigned = [latitude, longitude].some((i) => record[i]?.startsWith('-'));
    const { northSouth, eastWest } = this.#pair;
    this.#pair.northSouth = northSouth.filter(
      (i) => !isSigned && NORTH_SOUTH.test(record[i] ?? ''),
    );
    this.#pair.eastWest = eastWest.filter((i) => !isSigned && EAST_WEST.test(record[i] ?? ''));
  }

  #readNames(record: readonly string[], line: number): void {
    // Spreadsheet programs read the separator from such a line.
    if (/^sep=$/i.test(record[0]!)) return;
    const names = record.map((name) => name.trim().toLowerCase());
    this.#width = names.length;
    const at = (column: Column, short: string = column) => {
      const index = names.findIndex((name) => NAMES[column].test(name));
      return index < 0 ? names.indexOf(short) : index;
    };
    const columns = {
      ...{ latitude: at('latitude', 'y'), longitude: at('longitude', 'x') },
      ...{ depth: at('depth'), time: at('time') },
    };
    this.#columns = columns;
    const times = [...names.keys()].filter((i) => NAMES.time.test(names[i]!));
    const isUtc = (i: number) => names[i]!.includes('utc');
    this.#utcTimes = times.filter(isUtc);
    this.#times = [...this.#utcTimes, ...times.filter((i) => !isUtc(i))];
    for (const [column, index] of Object.entries(columns)) {
      if (index < 0) this.#soundings.fault(line, `has no column ${column}`);
    }
    const { latitude, longitude } = columns;
    this.#others = [...names.keys()].filter((i) => !OTHER_VALUES.test(names[i]!));
    const isNamed = (i: number) => MAY_BE_HEMISPHERE.test(names[i]!);
    const isNext = (i: number) => i === latitude + 1 || i === longitude + 1;
    this.#suspects = [...names.keys()].filter(
      (i) =>
        OF_COORDINATE.test(names[i]!) || (this.#others.includes(i) && (isNamed(i) || isNext(i))),
    );
    const unit = NAMES.depth.exec(names[columns.depth] ?? '')?.[2];
    const named = unit === undefined ? undefined : unitOf(unit);
    this.#metersOfUnit = UNIT_METERS[named ?? this.#units ?? 'meters'];
  }
}

function unitOf(unit: string): LogUnits {
  if (unit === 'ft' || unit === 'feet') return 'feet';
  return unit.startsWith('f') ? 'fathoms' : 'meters';
}

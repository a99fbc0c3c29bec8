// NMEA 0183 logs (IEC 61162-1): depths from DPT, DBT, DBS and DBK, positions and times from RMC, GGA, GNS, GLL
// and ZDA, the datum of positions from DTM. Depth sentences have no time: they get that of the position before them,
// and are ignored if the next time is more than ten seconds later. Of the depths between two positions the least is
// used, because an instrument sends one measurement in several sentences.

import { OFFSET_RANGES } from '../transducer.ts';
import { LogLines } from './log-lines.ts';
import type { DepthReference, Fix, LogSoundings } from './log-soundings.ts';

/**
 * `!` and `$` start a sentence; a tag block or a receiver's timestamp may precede it. Some programs write it as a
 * column of CSV, in quotation marks. A line may have several. A sentence without a checksum ends with the line.
 */
const SENTENCE =
  /\$([A-Z][A-Z0-9])([A-Z]{3}),(?:([^*$]*)\*([0-9A-Fa-f]{2})(?![0-9A-Fa-f])|([^*$"]*)(?:"[^$]*)?$)/g;
/** The last unit of a depth. */
const FATHOMS = /,F *(?:[,;\t]|$)/;
/** What a sentence without a checksum contains if it was not cut. Cut positions lack a letter or a quality. */
const WHOLE: Readonly<Record<string, RegExp>> = {
  DPT: /,/,
  ...{ DBT: FATHOMS, DBS: FATHOMS, DBK: FATHOMS },
};
const USED = /^(RMC|GGA|GNS|GLL|ZDA|DTM|DPT|DB[TSK])$/;
const MS_PER_DAY = 86_400_000;
/** Depths are not combined with an older position. */
const MAX_AGE_MS = 10_000;
/** If the next time is not known: instruments send at least one sentence each second. */
const MAX_DEPTHS = 10;
/** Sentences of a second receiver may be late after midnight. */
const LATE_MS = 60_000;
/**
 * The quality of GGA, the modes of GNS, a letter for each system of satellites, and the mode of RMC and GLL, which old
 * receivers do not send. Others are not measured.
 */
const QUALITY = { GGA: /^[1-5]$/, GNS: /[ADFPR]/ } as const;
const MODE = /^[ADFPR]?$/;
/** Datums of DTM that differ from WGS 84 by no more than the error of a receiver. */
const WGS84 = /^(W84|W72|P90|S85)?$/;
/**
 * The GPS week counter has 1024 weeks. After a rollover, receivers with old firmware send dates that are 1024 weeks too
 * early.
 */
const ROLLOVER_MS = 1024 * 7 * MS_PER_DAY;
const MAX_DRAFT = OFFSET_RANGES.draft[1];
const METERS_PER_FOOT = 0.3048;
const METERS_PER_FATHOM = 1.8288;
/** Receivers of several satellite systems change their talker: GP, GN, GL and others are one receiver. */
const receiverOf = (talker: string): string => (talker.startsWith('G') ? 'G' : talker);
const REFERENCES = { DBT: 'transducer', DBS: 'waterline', DBK: 'keel' } as const;

export class NmeaLog {
  readonly #soundings: LogSoundings;
  readonly #lines = new LogLines((line) => this.#read(line));
  /** Last time, epoch milliseconds; known after the first RMC or ZDA. */
  #clock: number | undefined;
  #fix: Fix | undefined;
  /** The receiver of the fix. */
  #receiver = '';
  /** Milliseconds by which the clock of a receiver is ahead of that of the first one. */
  readonly #offsets = new Map<string, number>();
  /** Talkers whose positions have another datum than WGS 84. */
  readonly #localTalkers = new Set<string>();
  /** Talkers and types of sentences with a checksum. */
  readonly #summed = new Set<string>();
  #pending = new Map<DepthReference, number>();
  /** Sentences of the pending depths. */
  #sentences = 0;

  constructor(soundings: LogSoundings) {
    this.#soundings = soundings;
  }

  push(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  end(): void {
    this.#lines.end();
    this.#flush(undefined);
  }

  #read(line: string): void {
    if (line.trim() === '') return;
    let count = 0;
    for (const [, talker, kind, summed, sum, bare] of line.matchAll(SENTENCE)) {
      count++;
      const name = `${talker}${kind}`;
      if (sum !== undefined && USED.test(kind!)) this.#summed.add(name);
      // Checksums are optional, but a sentence without its usual one was cut.
      const isSound =
        sum === undefined
          ? !this.#summed.has(name) && WHOLE[kind!]?.test(bare!) !== false
          : checksum(`${name},${summed}`) === Number.parseInt(sum, 16);
      if (isSound) this.#take(talker!, kind!, (summed ?? bare!).split(','));
      else this.#soundings.ignored++;
    }
    if (count === 0) this.#soundings.ignored++;
  }

  #take(talker: string, kind: string, fields: readonly string[]): void {
    if (kind === 'RMC') this.#takeRmc(talker, fields);
    else if (kind === 'ZDA') this.#takeZda(talker, fields);
    else if (kind === 'DTM') this.#takeDtm(talker, fields[0]);
    else if (kind === 'GGA' || kind === 'GNS') {
      this.#move(talker, QUALITY[kind].test(fields[5] ?? '') ? fields.slice(1, 5) : [], fields[0]);
    } else if (kind === 'GLL') {
      this.#move(talker, isMeasured(fields[5], fields[6]) ? fields.slice(0, 4) : [], fields[4]);
    } else if (kind === 'DPT') this.#takeDpt(fields);
    else if (kind === 'DBT' || kind === 'DBS' || kind === 'DBK') {
      this.#takeDepth(REFERENCES[kind], metersOf(fields));
    }
  }

  #takeZda(talker: string, [time, day, month, year]: readonly string[]): void {
    this.#setDate(dayOf(day, month, year), time);
    this.#expire(talker, this.#timeAt(timeOf(time)));
  }

  #takeDtm(talker: string, datum = ''): void {
    if (WGS84.test(datum)) {
      this.#localTalkers.delete(talker);
      return;
    }
    this.#localTalkers.add(talker);
    // The last position can have this datum.
    this.#soundings.ignored += this.#sentences;
    this.#clear();
    this.#fix = undefined;
  }

  #takeRmc(talker: string, fields: readonly string[]): void {
    const [, day, month, year] = /^(\d\d)(\d\d)(\d\d)$/.exec(fields[8] ?? '') ?? [];
    const isValid = isMeasured(fields[1], fields[11]);
    if (isValid && year !== undefined) {
      this.#setDate(dayOf(day, month, Number(year) >= 80 ? `19${year}` : `20${year}`), fields[0]);
    }
    this.#move(talker, isValid ? fields.slice(2, 6) : [], fields[0]);
  }

  /** The time belongs to the date: an earlier time must not seem to be that of the next day. */
  #setDate(day: number | undefined, time: string | undefined): void {
    const { latestTime } = this.#soundings;
    if (day === undefined || day + ROLLOVER_MS <= latestTime || day > latestTime) return;
    this.#clock = day + (timeOf(time) ?? (this.#clock ?? 0) % MS_PER_DAY);
  }

  /** The time nearest to the last one; undefined if the date is not known. */
  #timeAt(timeOfDay: number | undefined): number | undefined {
    if (timeOfDay === undefined || this.#clock === undefined) return undefined;
    const before = this.#clock % MS_PER_DAY;
    const time = this.#clock - before + timeOfDay;
    // After midnight until the next date.
    if (timeOfDay < before - MS_PER_DAY / 2) return time + MS_PER_DAY;
    return timeOfDay > before + MS_PER_DAY - LATE_MS ? time - MS_PER_DAY : time;
  }

  /** @param fields latitude, N or S, longitude, E or W; empty if the receiver has no position */
  #move(talker: string, fields: readonly string[], timeText: string | undefined): void {
    const latitude = degreesOf(fields[0], fields[1], 'N', 'S');
    const longitude = degreesOf(fields[2], fields[3], 'E', 'W');
    const time = this.#timeAt(timeOf(timeText));
    const isPlaced = latitude !== undefined && longitude !== undefined;
    // A position without a time, or a second receiver without a position, does not replace the fix.
    if (isPlaced ? timeOf(timeText) === undefined : receiverOf(talker) !== this.#receiver) {
      this.#expire(talker, time);
      return;
    }
    this.#flush(this.#ageOfFix(talker, time));
    this.#fix = undefined;
    if (!isPlaced || this.#localTalkers.size > 0) return;
    // An earlier time is that of another day, after a pause: wait for its date.
    const isBack = time !== undefined && time < this.#clock! - LATE_MS;
    this.#clock = isBack ? undefined : time;
    if (time === undefined || isBack) return;
    this.#fix = { place: [latitude, longitude], time };
    this.#receiver = receiverOf(talker);
    if (this.#offsets.size === 0) this.#offsets.set(this.#receiver, 0);
  }

  /**
   * Depth below the transducer; a positive offset is from the waterline to the transducer, a negative one from the
   * transducer to the keel.
   */
  #takeDpt([depth, offset]: readonly string[]): void {
    const above = numberOf(offset) ?? 0;
    const below = numberOf(depth) ?? 0;
    if (above > 0) this.#soundings.setTransducerDepth(above);
    const isFromKeel = this.#soundings.wanted === 'keel' && above < 0 && -above <= MAX_DRAFT;
    if (isFromKeel && below > 0) this.#takeDepth('keel', below + above);
    else this.#takeDepth('transducer', below);
  }

  #takeDepth(reference: DepthReference, depth: number | undefined): void {
    // Sounders send 0 if they find no bottom.
    const isSound = depth !== undefined && (depth > 0 || reference !== 'transducer');
    if (!isSound || this.#fix === undefined) {
      this.#soundings.ignored++;
      return;
    }
    this.#pending.set(reference, Math.min(depth, this.#pending.get(reference) ?? depth));
    this.#sentences++;
  }

  /** Milliseconds. Undefined for the first time of another receiver, whose clock may differ. */
  #ageOfFix(talker: string, time: number | undefined): number | undefined {
    if (this.#fix === undefined || time === undefined) return undefined;
    const receiver = receiverOf(talker);
    const sinceFix = time - this.#fix.time;
    if (receiver === this.#receiver) return sinceFix;
    const ofFix = this.#offsets.get(this.#receiver) ?? 0;
    const own = this.#offsets.get(receiver);
    const age = own === undefined ? undefined : sinceFix + ofFix - own;
    // The clock of a receiver changes when it first receives the time. With the right
    // offset, no fix is newer than a sentence; a wrong one was learned after a pause.
    if (age === undefined || age < 0 || age > MAX_AGE_MS)
      this.#offsets.set(receiver, sinceFix + ofFix);
    return age;
  }

  /** @param ageMs of the fix; undefined if it is not known */
  #isOld(ageMs: number | undefined): boolean {
    return ageMs === undefined ? this.#sentences > MAX_DEPTHS : Math.abs(ageMs) > MAX_AGE_MS;
  }

  /** Discards an old fix. */
  #expire(talker: string, time: number | undefined): void {
    if (this.#fix === undefined || time === undefined) return;
    const ageMs = this.#ageOfFix(talker, time) ?? time - this.#fix.time;
    if (!this.#isOld(ageMs)) return;
    this.#flush(ageMs);
    this.#fix = undefined;
  }

  /** @param ageMs of the fix; undefined if it is not known */
  #flush(ageMs: number | undefined): void {
    if (this.#fix === undefined || this.#sentences === 0) return;
    const { place, time } = this.#fix;
    if (this.#isOld(ageMs)) this.#soundings.ignored += this.#sentences;
    else {
      for (const [reference, depth] of this.#pending) {
        if (this.#soundings.add(reference, place, depth, time) !== undefined)
          this.#soundings.ignored++;
      }
    }
    this.#clear();
  }

  /** Removes the pending depths. */
  #clear(): void {
    this.#pending = new Map();
    this.#sentences = 0;
  }
}

const isMeasured = (status: string | undefined, mode = ''): boolean =>
  status === 'A' && MODE.test(mode);

function checksum(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum ^= text.charCodeAt(i);
  return sum;
}

const numberOf = (text: string | undefined): number | undefined =>
  /^ *[+-]?(\d+(\.\d*)?|\.\d+) *$/.test(text ?? '') ? Number(text) : undefined;

/** Depth in feet, metres or fathoms, each with its letter; metres are used if they are present. */
function metersOf(fields: readonly string[]): number | undefined {
  const [feet, meters, fathoms] = [fields[0], fields[2], fields[4]].map(numberOf);
  if (meters !== undefined) return meters;
  if (feet !== undefined) return feet * METERS_PER_FOOT;
  return fathoms === undefined ? undefined : fathoms * METERS_PER_FATHOM;
}

/** Degrees and minutes such as 4807.038. */
function degreesOf(
  text: string | undefined,
  side: string | undefined,
  positive: string,
  negative: string,
): number | undefined {
  const [, degrees, minutes] = /^(\d{1,3})(\d\d(?:\.\d*)?)$/.exec(text ?? '') ?? [];
  if (minutes === undefined || Number(minutes) >= 60) return undefined;
  if (side !== positive && side !== negative) return undefined;
  const value = Number(degrees) + Number(minutes) / 60;
  return side === negative ? -value : value;
}

/** Milliseconds of the day from hhmmss.ss. */
function timeOf(text: string | undefined): number | undefined {
  const [, hours, minutes, seconds] = /^(\d\d)(\d\d)(\d\d(?:\.\d*)?)$/.exec(text ?? '') ?? [];
  if (seconds === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  if (Number(seconds) >= 61) return undefined;
  return (Number(hours) * 60 + Number(minutes)) * 60_000 + Math.round(Number(seconds) * 1000);
}

function dayOf(day?: string, month?: string, year?: string): number | undefined {
  if (!/^\d\d?$/.test(day ?? '') || !/^\d\d?$/.test(month ?? '') || !/^\d{4}$/.test(year ?? '')) {
    return undefined;
  }
  const [d, m] = [Number(day), Number(month) - 1];
  const date = new Date(Date.UTC(Number(year), m, d));
  return date.getUTCMonth() === m && date.getUTCDate() === d ? date.getTime() : undefined;
}

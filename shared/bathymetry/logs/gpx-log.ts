// GPX 1.0 and 1.1 with depths in metres: an element `depth` of any namespace in a point or its extensions, as
// Garmin's track point extension and other programs write it. Those of Humminbird are in centimetres. Points without
// a depth are ignored, and so are waypoints without a time.

import sax from 'sax';
import { readDecimal } from '../decimal.ts';
import { readSoundingTime } from '../sounding-time.ts';
import type { LogSoundings } from './log-soundings.ts';

const POINTS = ['trkpt', 'wpt', 'rtept'];
const METERS = /^\s*(m|meters?|metres?)?\s*$/i;
const HUMMINBIRD = /humminbird/i;
const PREFIX = 'xmlns:';
const MAX_TEXT_CHARACTERS = 64;
/** GPX nests seven elements, and extensions some more. The parser keeps all open elements. */
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;

interface Point {
  readonly latitude: number;
  readonly longitude: number;
  time?: string;
  meters?: string;
  centimeters?: string;
  hasOtherUnit?: boolean;
}

class TooComplex extends Error {
  constructor() {
    super(`has more than ${MAX_DEPTH} open elements, or ${MAX_ATTRIBUTES} attributes in one`);
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
const isDepth = (name: string): boolean => localName(name).toLowerCase() === 'depth';

export class GpxLog {
  readonly #soundings: LogSoundings;
  readonly #parser = sax.parser(true, { position: true });
  readonly #decoder = new TextDecoder();
  #point: Point | undefined;
  #text = '';
  #depth = 0;
  #attributes = 0;
  /** Prefixes of Humminbird's namespace, whose files may not declare it. */
  readonly #centimeters = new Set(['h']);
  #isHumminbird = false;
  #isDamaged = false;

  constructor(soundings: LogSoundings) {
    this.#soundings = soundings;
    this.#parser.onattribute = ({ name, value }) => {
      if (++this.#attributes > MAX_ATTRIBUTES) throw new TooComplex();
      this.#findHumminbird(name, value);
    };
    this.#parser.onopentag = ({ name, attributes }) => {
      this.#text = '';
      this.#attributes = 0;
      if (++this.#depth > MAX_DEPTH) throw new TooComplex();
      const unit = attributes['unit'] ?? attributes['units'] ?? 'm';
      if (isDepth(name) && this.#point !== undefined && !METERS.test(String(unit)))
        this.#point.hasOtherUnit = true;
      if (!POINTS.includes(localName(name))) return;
      this.#point = {
        latitude: readDecimal(attributes['lat']),
        longitude: readDecimal(attributes['lon']),
      };
    };
    const addText = (text: string) => {
      if (this.#text.length <= MAX_TEXT_CHARACTERS) this.#text += text;
    };
    this.#parser.ontext = addText;
    this.#parser.oncdata = addText;
    this.#parser.onclosetag = (name) => {
      this.#depth--;
      this.#close(name);
    };
    this.#parser.onerror = () => {
      this.#isDamaged = true;
    };
  }

  push(bytes: Uint8Array): void {
    if (!this.#isDamaged) this.#write(this.#decoder.decode(bytes, { stream: true }));
  }

  end(): void {
    if (!this.#isDamaged) this.#write(this.#decoder.decode());
    if (this.#isDamaged) return;
    // Closing resets the parser.
    const line = this.#line;
    try {
      this.#parser.close();
    } catch {
      this.#isDamaged = true;
    }
    if (this.#isDamaged) this.#soundings.fault(line, 'is not well-formed XML');
  }

  get #line(): number {
    return this.#parser.line + 1;
  }

  #write(text: string): void {
    try {
      this.#parser.write(text);
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error;
      this.#isDamaged = true;
      this.#soundings.fault(this.#line, error.message);
      return;
    }
    if (this.#isDamaged) this.#soundings.fault(this.#line, 'is not well-formed XML');
  }

  /** Notes whose depths are in centimetres. */
  #findHumminbird(name: string, value: string): void {
    const isFound = HUMMINBIRD.test(value);
    if (name === 'creator' && isFound) {
      this.#isHumminbird = true;
      this.#centimeters.add('h');
    }
    if (!name.startsWith(PREFIX)) return;
    const prefix = name.slice(PREFIX.length);
    if (isFound && this.#centimeters.size < MAX_ATTRIBUTES) this.#centimeters.add(prefix);
    else if (!isFound && !(this.#isHumminbird && prefix === 'h')) this.#centimeters.delete(prefix);
  }

  #close(name: string): void {
    const text = this.#text.trim();
    this.#text = '';
    const point = this.#point;
    const local = localName(name);
    if (point === undefined) return;
    if (local === 'time') point.time ??= text;
    else if (isDepth(name) && text !== '') {
      const isHumminbird = name.includes(':') && this.#centimeters.has(name.split(':')[0]!);
      point[isHumminbird ? 'centimeters' : 'meters'] ??= text;
    } else if (POINTS.includes(local)) {
      this.#add(point, local);
      this.#point = undefined;
    }
  }

  #add(point: Point, name: string): void {
    const { latitude, longitude, time = '', meters, centimeters } = point;
    if ((meters ?? centimeters) === undefined || (time === '' && name !== 'trkpt')) {
      this.#soundings.ignored++;
      return;
    }
    const depth = meters === undefined ? readDecimal(centimeters) / 100 : readDecimal(meters);
    const ms = readSoundingTime(time);
    const fault =
      ms === undefined
        ? 'time of the point must be ISO 8601'
        : point.hasOtherUnit
          ? 'depth must be in metres'
          : this.#soundings.add('transducer', [latitude, longitude], depth, ms);
    if (fault !== undefined) this.#soundings.fault(this.#line, fault);
  }
}

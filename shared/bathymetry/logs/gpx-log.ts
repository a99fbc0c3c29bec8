// GPX 1.0 and 1.1 with depths in metres: an element `depth` of any namespace in a point or its extensions, as
// Garmin's track point extension and other programs write it. Points without a depth are ignored.

import sax from 'sax';
import { readDecimal } from '../decimal.ts';
import { readSoundingTime } from '../sounding-time.ts';
import type { LogSoundings } from './log-soundings.ts';

const POINTS = ['trkpt', 'wpt', 'rtept'];
const METERS = /^\s*(m|meters?|metres?)?\s*$/i;
const MAX_TEXT_CHARACTERS = 64;
/** GPX nests seven elements, and extensions some more. The parser keeps all open elements. */
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;

interface Point {
  readonly latitude: number;
  readonly longitude: number;
  time?: string;
  depth?: string;
}

class TooComplex extends Error {
  constructor() {
    super(`has more than ${MAX_DEPTH} open elements, or ${MAX_ATTRIBUTES} attributes in one`);
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

export class GpxLog {
  readonly #soundings: LogSoundings;
  readonly #parser = sax.parser(true, { position: true });
  readonly #decoder = new TextDecoder();
  #point: Point | undefined;
  #text = '';
  #depth = 0;
  #attributes = 0;
  #isDamaged = false;

  constructor(soundings: LogSoundings) {
    this.#soundings = soundings;
    this.#parser.onattribute = () => {
      if (++this.#attributes > MAX_ATTRIBUTES) throw new TooComplex();
    };
    this.#parser.onopentag = ({ name, attributes }) => {
      this.#text = '';
      this.#attributes = 0;
      if (++this.#depth > MAX_DEPTH) throw new TooComplex();
      const unit = attributes['unit'] ?? attributes['units'] ?? 'm';
      if (localName(name).toLowerCase() === 'depth' && !METERS.test(String(unit)))
        this.#soundings.fault(this.#line, 'depth must be in metres');
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
      this.#close(localName(name));
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

  #close(name: string): void {
    const text = this.#text.trim();
    this.#text = '';
    if (this.#point === undefined) return;
    if (name === 'time') this.#point.time ??= text;
    else if (name.toLowerCase() === 'depth') this.#point.depth ??= text;
    else if (POINTS.includes(name)) {
      this.#add(this.#point);
      this.#point = undefined;
    }
  }

  #add({ latitude, longitude, time, depth }: Point): void {
    if (depth === undefined || depth === '') {
      this.#soundings.ignored++;
      return;
    }
    const ms = readSoundingTime(time);
    const fault =
      ms === undefined
        ? 'time of the point must be ISO 8601'
        : this.#soundings.add('transducer', [latitude, longitude], readDecimal(depth), ms);
    if (fault !== undefined) this.#soundings.fault(this.#line, fault);
  }
}

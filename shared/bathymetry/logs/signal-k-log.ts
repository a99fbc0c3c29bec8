// Signal K logs: a delta per line, plain or after a time and a source, as servers write them
// (https://signalk.org/specification, "Delta format").

import { readSoundingTime } from '../sounding-time.ts';
import { LogLines } from './log-lines.ts';
import type { DepthReference, Fix, LogSoundings } from './log-soundings.ts';

/** Older positions are not combined with a depth. */
const MAX_AGE_MS = 10_000;
/** Vessels in a log; more are targets of AIS. */
const MAX_VESSELS = 1000;
const PREFIX = 'vessels.';
const OWN = `${PREFIX}self`;

const DEPTHS: Readonly<Record<string, DepthReference>> = {
  'environment.depth.belowTransducer': 'transducer',
  'environment.depth.belowSurface': 'waterline',
  'environment.depth.belowKeel': 'keel',
};

export class SignalKLog {
  readonly #soundings: LogSoundings;
  readonly #lines = new LogLines((line) => this.#read(line));
  /** The context of the sender: from the hello line, or `vessels.self` if the log contains it. */
  #self: string | undefined;
  /** The first context with a depth, which is the sender if the log does not state it. */
  #first: string | undefined;
  /** Last position of each vessel. */
  readonly #fixes = new Map<string, Fix>();

  constructor(soundings: LogSoundings) {
    this.#soundings = soundings;
  }

  push(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  end(): void {
    this.#lines.end();
  }

  #read(line: string): void {
    if (line.trim() === '') return;
    const delta = objectOf(line);
    const updates = delta?.['updates'];
    if (!Array.isArray(updates)) {
      this.#takeHello(delta?.['self']);
      this.#soundings.ignored++;
      return;
    }
    const stated = delta?.['context'];
    const context = typeof stated !== 'string' || stated === this.#self ? OWN : stated;
    for (const update of updates) this.#take(context, update);
  }

  /** The hello line of a server: its vessel, with or without the prefix of contexts. */
  #takeHello(self: unknown): void {
    if (typeof self === 'string') this.#self = self.startsWith(PREFIX) ? self : `${PREFIX}${self}`;
  }

  /** Call only for a depth. */
  #isOwn(context: string): boolean {
    if (context === OWN) this.#self ??= OWN;
    this.#first ??= context;
    return context === OWN || context === (this.#self ?? this.#first);
  }

  #take(context: string, update: unknown): void {
    if (!isObject(update) || !Array.isArray(update['values'])) return;
    const time = readSoundingTime(update['timestamp']);
    if (time === undefined) {
      this.#soundings.ignored++;
      return;
    }
    const values = update['values'].filter(isObject);
    for (const { path, value } of values) {
      if (path === 'navigation.position') this.#move(context, value, time);
      if (path !== 'environment.depth.surfaceToTransducer' || typeof value !== 'number') continue;
      if (this.#isOwn(context)) this.#soundings.setTransducerDepth(value);
    }
    for (const { path, value } of values) {
      const reference =
        typeof path === 'string' && Object.hasOwn(DEPTHS, path) ? DEPTHS[path] : undefined;
      if (reference !== undefined) this.#sound(context, reference, value, time);
    }
  }

  #move(context: string, value: unknown, time: number): void {
    const { latitude, longitude } = isObject(value) ? value : {};
    if (typeof latitude !== 'number' || typeof longitude !== 'number') {
      this.#fixes.delete(context);
      return;
    }
    if (this.#fixes.size >= MAX_VESSELS && !this.#fixes.has(context)) return;
    this.#fixes.set(context, { place: [latitude, longitude], time });
  }

  #sound(context: string, reference: DepthReference, depth: unknown, time: number): void {
    const fix = this.#fixes.get(context);
    const isUsed =
      typeof depth === 'number' &&
      this.#isOwn(context) &&
      fix !== undefined &&
      Math.abs(time - fix.time) <= MAX_AGE_MS &&
      this.#soundings.add(reference, fix.place, depth, time) === undefined;
    if (!isUsed) this.#soundings.ignored++;
  }
}

function objectOf(line: string): Readonly<Record<string, unknown>> | undefined {
  const start = line.indexOf('{');
  if (start < 0) return undefined;
  try {
    const value: unknown = JSON.parse(line.slice(start));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

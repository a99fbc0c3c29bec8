// Parses the time of a sounding as loggers write it: epoch milliseconds or ISO 8601. JavaScript's
// parser is unsuitable: it accepts "foo 5" as a date, converts 30 February to 1 March, and reads a
// time without a zone as local time.

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 86_400_000;
const MAX_OFFSET_MINUTES = 14 * 60;
/** Longer texts are rejected. */
const MAX_CHARACTERS = 64;

const MILLISECONDS = /^([+-]?\d{1,16})(?:\.(\d+))?$/;
const ZONE = '(?<zone>[Zz]|(?<sign>[+-])(?<zoneHour>\\d\\d)(?::?(?<zoneMinute>\\d\\d))?)?';
const FRACTION = '(?:[.,](?<fraction>\\d+))?';
const timeOfDay = (colon: string) =>
  `(?<hour>\\d\\d)(?:${colon}(?<minute>\\d\\d)(?:${colon}(?<second>\\d\\d))?)?${FRACTION}`;
/**
 * A calendar date and a time of day (ISO 8601-1, 5.2.2, 5.3.1 and 5.4.2), extended or basic.
 * Seconds, or minutes and seconds, may be omitted. The smallest given unit may have a fraction.
 * T may be a space.
 */
const FORMATS = [
  new RegExp(`^(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)[Tt ]${timeOfDay(':')}${ZONE}$`),
  new RegExp(`^(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)[Tt ]${timeOfDay('')}${ZONE}$`),
];

/**
 * Epoch milliseconds, rounded down; `undefined` if the value is not a time. Numeric texts are
 * always milliseconds. A time without a zone is UTC. A leap second becomes the last millisecond of
 * its minute, because epoch time cannot represent it.
 */
export function readSoundingTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.floor(value) : undefined;
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return undefined;
  const [, whole, fraction = ''] = MILLISECONDS.exec(value) ?? [];
  if (whole !== undefined) return Number(whole) - (isBelow(whole, fraction) ? 1 : 0);
  for (const format of FORMATS) {
    const parts = format.exec(value)?.groups;
    if (parts !== undefined) return readIso(parts);
  }
  return undefined;
}

/**
 * Whether a number is less than its whole part. Checks the digits, because a double may round to
 * the next integer.
 */
const isBelow = (whole: string, fraction: string): boolean =>
  whole.startsWith('-') && /[1-9]/.test(fraction);

function readIso(parts: Readonly<Record<string, string | undefined>>): number | undefined {
  const [year, month, day, hour, minute, second, zoneHour, zoneMinute] = PARTS.map((part) =>
    Number(parts[part] ?? 0),
  ) as [number, number, number, number, number, number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 24 || minute > 59 || second > 60) return undefined;
  const offset = zoneHour * 60 + zoneMinute;
  if (zoneMinute > 59 || offset > MAX_OFFSET_MINUTES) return undefined;
  const ms = msOfDay(hour, minute, second) + fractionMs(parts);
  // 24:00 is the beginning of the next day. No later time has hour 24.
  if (hour === 24 && ms > MS_PER_DAY) return undefined;
  const ahead = (parts['sign'] === '-' ? -offset : offset) * MS_PER_MINUTE;
  return daysSinceEpoch(year, month, day) * MS_PER_DAY + ms - ahead;
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'zoneHour', 'zoneMinute'];

const msOfDay = (hour: number, minute: number, second: number): number =>
  (hour * 60 + minute) * MS_PER_MINUTE + (second === 60 ? MS_PER_MINUTE - 1 : second * 1000);

/** Whole milliseconds of the smallest given unit's fraction. Exact, whereas doubles would round. */
function fractionMs({
  minute,
  second,
  fraction,
}: Readonly<Record<string, string | undefined>>): number {
  if (fraction === undefined || second === '60') return 0;
  if (second !== undefined) return Number(fraction.slice(0, 3).padEnd(3, '0'));
  const unitMs = minute !== undefined ? MS_PER_MINUTE : MS_PER_HOUR;
  const digits = fraction.slice(0, 12);
  return Number((BigInt(digits) * BigInt(unitMs)) / 10n ** BigInt(digits.length));
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const daysIn = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : DAYS[month - 1]!;

/** Days of the Gregorian calendar. Years begin in March, so that the leap day is the last day. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const leapDays = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  const daysBefore = Math.floor((153 * ((month + 9) % 12) + 2) / 5);
  return 365 * y + leapDays + daysBefore + day - 719_469;
}

// When a sounding was taken, as loggers write it: epoch milliseconds or ISO 8601. The platform's own
// parser takes "foo 5" for a date, 30 February for 1 March, and no zone for the machine's.

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
const MAX_OFFSET_MINUTES = 14 * 60;
/** Longer texts are no times. */
const MAX_CHARACTERS = 64;

const MILLISECONDS = /^[+-]?\d{1,16}(\.\d+)?$/;
/** Date, T or space, hours and minutes, seconds with a fraction, zone. */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?$/;

/**
 * Epoch milliseconds, fractions floored; undefined for what is no time. Numeric texts are
 * milliseconds, whatever they look like. A time without a zone is UTC. The leap second is the last
 * millisecond of its minute, as epoch time has no place for it.
 */
export function readSoundingTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.floor(value) : undefined;
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return undefined;
  if (MILLISECONDS.test(value)) return Math.floor(Number(value));
  const parts = ISO.exec(value);
  return parts === null ? undefined : readIso(parts);
}

function readIso(parts: RegExpExecArray): number | undefined {
  const [year, month, day, hour, minute] = [1, 2, 3, 4, 5].map((i) => Number(parts[i])) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const second = Number(parts[6] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const offset = Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0);
  if (Number(parts[10] ?? 0) > 59 || offset > MAX_OFFSET_MINUTES) return undefined;
  const fraction = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const ms = second === 60 ? MS_PER_MINUTE - 1 : second * 1000 + fraction;
  const minutes = hour * 60 + minute - (parts[8] === '-' ? -offset : offset);
  return daysSinceEpoch(year, month, day) * MS_PER_DAY + minutes * MS_PER_MINUTE + ms;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const daysIn = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : DAYS[month - 1]!;

/** Days of the Gregorian calendar, years counted from March so that the leap day is the last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const leapDays = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  const daysBefore = Math.floor((153 * ((month + 9) % 12) + 2) / 5);
  return 365 * y + leapDays + daysBefore + day - 719_469;
}

// Formats and parses positions in degrees and decimal minutes, latitude first.

import { wrappedLongitude } from '../../client/chart/box.ts';

/** `59° 36.20′ N 151° 25.50′ W` */
export function positionText(latitude: number, longitude: number): string {
  const east = wrappedLongitude(longitude);
  return `${partText(latitude, 2, 'N', 'S')} ${partText(east, 3, 'E', 'W')}`;
}

function partText(value: number, digits: number, positive: string, negative: string): string {
  // Rounding the whole value prevents minutes of 60.00.
  const hundredths = Math.round(Math.abs(value) * 6000);
  const degrees = String(Math.floor(hundredths / 6000)).padStart(digits, '0');
  const minutes = ((hundredths % 6000) / 100).toFixed(2).padStart(5, '0');
  return `${degrees}° ${minutes}′ ${value < 0 ? negative : positive}`;
}

/** Degrees, minutes and seconds, with a mark or a space between them, and a hemisphere before or after. */
const PART =
  /^\s*([NSEW])?\s*(-?\d{1,3}(?:\.\d+)?)(?:\s*[°d]\s*|\s+|(?=[NSEW]|$))(?:(\d{1,2}(?:\.\d+)?)(?:\s*['′m]\s*|\s+|(?=[NSEW]|$)))?(?:(\d{1,2}(?:\.\d+)?)\s*["″]?)?\s*([NSEW])?\s*$/i;
/** `s` is the mark of seconds after minutes with the mark `m` and before a hemisphere. Otherwise it is south. */
const MARKED_SECONDS = /(\d\s*m\s*\d{1,2}(?:\.\d+)?\s*)s(?=\s*[NSEW](?!\d))/gi;

/** Parses a position. Returns `undefined` if the text is not a position. */
export function parsePosition(text: string): { latitude: number; longitude: number } | undefined {
  const parts = splitPosition(text.replace(MARKED_SECONDS, '$1″').trim());
  if (parts === undefined) return undefined;
  const [first, second] = parts.map(parsePart);
  if (first === undefined || second === undefined) return undefined;
  const isSwapped = isAcross(first.side) || /[NS]/.test(second.side);
  const hasBoth = first.side !== '' && second.side !== '';
  if (hasBoth && isAcross(first.side) === isAcross(second.side)) return undefined;
  const [latitude, longitude] = isSwapped
    ? [second.value, first.value]
    : [first.value, second.value];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360
    ? { latitude, longitude }
    : undefined;
}

const isAcross = (side: string): boolean => /[EW]/.test(side);

/** Splits at a comma, after a hemisphere letter, or in the middle of an even number of numbers. */
function splitPosition(text: string): readonly [string, string] | undefined {
  const byComma = text.split(/[,;]/);
  if (byComma.length === 2) return [byComma[0]!, byComma[1]!];
  const byLetter = /^(.*?[NSEW])\s*(.*[NSEW])$/i.exec(text);
  if (byLetter !== null && /\d/.test(byLetter[1]!)) return [byLetter[1]!, byLetter[2]!];
  const numbers = text.split(/\s+/);
  const half = numbers.length / 2;
  if (!Number.isInteger(half)) return undefined;
  return [numbers.slice(0, half).join(' '), numbers.slice(half).join(' ')];
}

function parsePart(text: string): { value: number; side: string } | undefined {
  const found = PART.exec(text);
  if (found === null) return undefined;
  const [, before, degrees, minutes = '0', seconds = '0', after] = found;
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return undefined;
  const side = (before ?? after ?? '').toUpperCase();
  const size = Math.abs(Number(degrees)) + Number(minutes) / 60 + Number(seconds) / 3600;
  const isNegative = degrees!.startsWith('-') || side === 'S' || side === 'W';
  return { value: isNegative ? -size : size, side };
}

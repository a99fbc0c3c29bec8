// Days as yyyymmdd, the form of dates in S-57 and S-63. Texts of this form are in the order of time.

/** Whether a text is a day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{8}$/.test(text)) return false;
  const time = timeOf(text);
  return Number.isFinite(time) && dayOf(time) === text;
}

/** The day of a time. @param time epoch milliseconds, UTC */
export const dayOf = (time: number): string =>
  new Date(time).toISOString().slice(0, 10).replaceAll('-', '');

/** `2018-12-31` for messages. */
export const dashed = (day: string): string =>
  `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;

/** The number of days from one day to another; negative if the other is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((timeOf(to) - timeOf(from)) / 86_400_000);

const timeOf = (day: string): number => Date.parse(`${dashed(day)}T00:00:00Z`);

// Counts of a test in every run, and those of a long one.

/** Whether `LEADLINE_LONG=1` asks for the whole counts: minutes a test, and hours for all of them. */
export const isLong = process.env['LEADLINE_LONG'] === '1';

// Lines of CSV files (RFC 4180).

/** A line with its line end. Text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export const csvLine = (values: readonly (string | number | null)[]): string =>
  `${values.map(csvField).join(',')}\r\n`;

function csvField(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Lines of CSV files (RFC 4180).

/**
 * Where a cell of a spreadsheet may begin that would be a formula. Some languages separate cells by semicolons,
 * and some programs read the full-width signs too. Quotation marks before a sign are not shown.
 */
const FORMULA = /[;\t\r\n](?="*[=+\-@\t\r\n＝＋－＠])/g;

/** A line with its line end. Text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export const csvLine = (values: readonly (string | number | null)[]): string =>
  `${values.map(csvField).join(',')}\r\n`;

function csvField(value: string | number | null): string {
  if (value === null) return '';
  // The added line end is the separator before the field.
  const text =
    typeof value === 'string' ? `\n${value}`.replace(FORMULA, "$&'").slice(1) : `${value}`;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** JSON for a field, without semicolons. An apostrophe in it would change its values. */
export const csvJson = (value: unknown): string => JSON.stringify(value).replaceAll(';', '\\u003b');

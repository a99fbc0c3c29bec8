// Limits the length of texts on the chart.

/** Maximum number of characters (code points); longer texts cannot be shown on a chart. */
const MAX_CHARACTERS = 300;

/** The text. If it is too long, its beginning with an ellipsis. */
export function shownText(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  // A character has one or two units, so these contain one more than the maximum.
  const characters = [...text.slice(0, 2 * MAX_CHARACTERS + 2)];
  if (characters.length <= MAX_CHARACTERS) return text;
  return `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
}

// The CSV that GDAL writes. Tests read hundreds of files of it, which takes a library for all kinds of
// CSV longer than it takes GDAL to write them.

const [QUOTE, COMMA, LINE_FEED, CARRIAGE_RETURN] = ['"', ',', '\n', '\r'].map((one) =>
  one.charCodeAt(0),
);

/** Rows of a text, the head among them, each its fields; all have as many. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [field, end] = fieldAt(text, at);
    row.push(field);
    if (text.charCodeAt(end) === COMMA) {
      at = end + 1;
      if (at < text.length) continue;
      row.push('');
    }
    at = text.charCodeAt(end) === CARRIAGE_RETURN ? end + 2 : end + 1;
    if (row.length !== (rows[0] ?? row).length) throw new Error(`row ${rows.length} of ${row}`);
    rows.push(row);
    row = [];
  }
  return rows;
}

/** A field and where it ends. */
function fieldAt(text: string, at: number): readonly [field: string, end: number] {
  if (text.charCodeAt(at) !== QUOTE) {
    let end = at;
    while (end < text.length && !isEnd(text.charCodeAt(end))) end++;
    return [text.slice(at, end), end];
  }
  let field = '';
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) throw new Error('a quoted field without an end');
    field += text.slice(from, quote);
    if (text.charCodeAt(quote + 1) !== QUOTE) return [field, quote + 1];
    // Twice stands for once.
    field += '"';
    from = quote + 2;
  }
}

const isEnd = (code: number): boolean =>
  code === COMMA || code === LINE_FEED || code === CARRIAGE_RETURN;

/** The suffix that browsers and file managers add to the name of a copy: ` (1)`, ` - Copy` or ` copy`. */
const COPY_SUFFIX =
  /(?: ?\(\d+\)| - Copy(?: \(\d+\))?| copy(?: \d+)?)(?=\.(?:\d{3}|txt|enc|lst)$)/i;

/** The name of the file of a cell, or of a text next to it, without the suffix of a copy. Other names stay. */
export const withoutCopySuffix = (name: string): string => name.replace(COPY_SUFFIX, '');

// Normalizes names for search: without case, accents and punctuation.

/** Letters that Unicode does not decompose, and their spelling without diacritics. */
const PLAIN: Readonly<Record<string, string>> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ŧ: 't',
  // Only at the end of a word, which is unknown while a name is typed.
  ς: 'σ',
};
const PLAIN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Scripts whose words are often not divided, so that every character or syllable is indexed as a word. */
const SIGNS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Lower-case words separated by single spaces; empty if there are no letters or digits. */
export function plainName(text: string): string {
  return (
    text
      // Otherwise the accent would become a space, and the others letters (okina, Ukrainian apostrophe).
      .replace(/[´′ʻʼ]/g, "'")
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(PLAIN_LETTERS, (letter) => PLAIN[letter]!)
      .normalize('NFC')
      // "Land's End" and "Lands End" are one name. Other apostrophes divide words, as in "L'Aigle".
      .replace(/(\p{L})['’‘`]s(?![\p{L}\p{N}])/gu, '$1s')
      .replace(SIGNS, ' $& ')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  );
}

/** Maximum number of words of a name that are indexed. */
const MAX_WORDS = 12;

/** The search keys of a plain name: the name starting at each of its words. */
export function keysOf(plain: string): readonly string[] {
  if (plain === '') return [];
  const words = plain.split(' ');
  return words.slice(0, MAX_WORDS).map((_, i) => words.slice(i).join(' '));
}

/** Letters of the first word that select the bucket. */
const BUCKET_LETTERS = 3;

/** The prefix that selects the bucket of a key. */
export function bucketText(key: string): string {
  const word = key.split(' ', 1)[0]!;
  return [...word].slice(0, BUCKET_LETTERS).join('');
}

/**
 * Whether a key starts with the typed text. A text of one word with fewer than three letters must
 * match a whole word.
 */
export function keyBegins(key: string, typed: string): boolean {
  if (!key.startsWith(typed)) return false;
  if (key.length === typed.length || key[typed.length] === ' ') return true;
  return (
    [...typed.slice(typed.lastIndexOf(' ') + 1)].length >= BUCKET_LETTERS || typed.includes(' ')
  );
}

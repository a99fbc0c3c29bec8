// Names as they are compared: without case, accents and punctuation, as a sailor may type them.

/** Letters that Unicode does not take apart, as they are typed on a keyboard without them. */
const PLAIN: Readonly<Record<string, string>> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
};
const PLAIN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Written without spaces, each sign is looked for as a word. */
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Words in lower case with one space between them; empty where there is neither letter nor digit. */
export function plainName(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(PLAIN_LETTERS, (letter) => PLAIN[letter]!)
    .normalize('NFC')
    .replace(SIGNS, ' $& ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Words of a name beyond which it is not looked for by the next. */
const MAX_WORDS = 12;

/** What a plain name can be found by: itself from each of its words on. */
export function keysOf(plain: string): readonly string[] {
  if (plain === '') return [];
  const words = plain.split(' ');
  return words.slice(0, MAX_WORDS).map((_, i) => words.slice(i).join(' '));
}

/** Letters of a word that decide where it is kept: shorter words are found whole, and by nothing less. */
const BUCKET_LETTERS = 3;

/** What all keys that begin alike have in common: where they are kept. */
export function bucketText(key: string): string {
  const word = key.split(' ', 1)[0]!;
  return [...word].slice(0, BUCKET_LETTERS).join('');
}

/** Whether a key begins with what was typed; a last word of fewer than three letters must be whole. */
export function keyBegins(key: string, typed: string): boolean {
  if (!key.startsWith(typed)) return false;
  if (key.length === typed.length || key[typed.length] === ' ') return true;
  return (
    [...typed.slice(typed.lastIndexOf(' ') + 1)].length >= BUCKET_LETTERS || typed.includes(' ')
  );
}

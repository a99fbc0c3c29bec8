// Other spellings of a token: texts that lenient base64 decoders read as the same bytes.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** What each one is, and the text. */
export function otherSpellings(token: string): [what: string, text: string][] {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const last = ALPHABET.indexOf(signature.at(-1)!);
  const bits = signature.length % 4 === 2 ? 0b1111 : 0b11;
  const others = [...ALPHABET].filter((_, i) => i !== last && (i & ~bits) === (last & ~bits));
  return [
    ['a padded signature', `${token}${'='.repeat(4 - (signature.length % 4))}`],
    ['a padded header', `${head}=.${claims}.${signature}`],
    [
      'a blank in the signature',
      `${head}.${claims}.${signature.slice(0, 9)} ${signature.slice(9)}`,
    ],
    ['a tab in the signature', `${head}.${claims}.${signature.slice(0, 9)}\t${signature.slice(9)}`],
    ['a new line at the end', `${token}\n`],
    ['a blank before it', ` ${token}`],
    ...others.map((letter): [string, string] => [
      `${letter} as the last letter`,
      `${token.slice(0, -1)}${letter}`,
    ]),
  ];
}

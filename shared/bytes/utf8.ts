// UTF-8 encoding without `TextEncoder`, because `shared` uses no platform APIs.

/** UTF-8 (RFC 3629). Unpaired surrogates become U+FFFD. */
export function utf8Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.codePointAt(i)!;
    if (code > 0xffff) i++;
    else if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    if (code < 0x80) bytes[at++] = code;
    else {
      const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
      bytes[at++] = ((0xf00 >> (more + 1)) & 0xff) | (code >> (6 * more));
      for (let k = more - 1; k >= 0; k--) bytes[at++] = 0x80 | ((code >> (6 * k)) & 0x3f);
    }
  }
  return bytes.slice(0, at);
}

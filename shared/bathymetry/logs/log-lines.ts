// Splits bytes into lines of text. A line that is too long is passed on without its rest.

/** No line of a log is longer. */
const MAX_LINE_CHARACTERS = 65_536;

export class LogLines {
  readonly #take: (line: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = '';

  /** @param take receives each line; also an empty one between CR and LF */
  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  push(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split(/[\r\n]/);
    this.#rest = lines.pop()!.slice(0, MAX_LINE_CHARACTERS);
    for (const line of lines) this.#take(line);
  }

  end(): void {
    const last = this.#rest + this.#decoder.decode();
    if (last !== '') this.#take(last);
  }
}

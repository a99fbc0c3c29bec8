// Parses SYMINS of new objects: the symbols that the producer requests, as one text of S-52
// instructions (PresLib Part I, 7): `SY(BOYCAR01);TX('V-AIS',3,2,2,'15110',2,0,CHMGD,11)`.

/** How each instruction of a new object other than a virtual aid is drawn: rows of PORTRAYAL.md. */
export const INSTRUCTIONS: Readonly<Record<string, string>> = {
  SY: 'that symbol if the sprites contain it, otherwise `NEWOBJ01`',
  TX: 'its text, next to the symbol; without SY and CS, only the text',
  TE: 'the name, as for other objects; without SY and CS, only the name',
  LS: 'a dashed magenta line',
  LC: 'a dashed magenta line',
  AC: 'ignored: the outline, and the symbol once',
  AP: 'ignored: the outline, and the symbol once',
  CS: 'ignored: `NEWOBJ01`',
};

interface SymbolInstructions {
  /** Each instruction, such as `SY`, in order. */
  readonly commands: readonly string[];
  /** Names of symbols (SY), in order. */
  readonly symbols: readonly string[];
  /** First parameters of the instructions SY, LC, AC and AP, in order. */
  readonly names: readonly string[];
  /** Literal texts (TX); texts made of attributes (TE) are left out. */
  readonly texts: readonly string[];
  /** The rest of the text, which contains no instructions. */
  readonly unread: string;
}

const INSTRUCTION = /([A-Z]{2})\(((?:'[^']*'|[^()'])*)\)/g;

const NAMED: ReadonlySet<string> = new Set(['SY', 'LC', 'AC', 'AP']);

/** Parse the text of SYMINS. */
export function symbolInstructions(symins: string | undefined): SymbolInstructions {
  const commands: string[] = [];
  const symbols: string[] = [];
  const names: string[] = [];
  const texts: string[] = [];
  const text = symins ?? '';
  for (const [, command, parameters] of text.matchAll(INSTRUCTION)) {
    commands.push(command!);
    const name = parameters!.split(',')[0]!.trim();
    if (command === 'SY') symbols.push(name);
    if (NAMED.has(command!)) names.push(name);
    const quoted = command === 'TX' ? /^\s*'([^']*)'/.exec(parameters!)?.[1] : undefined;
    if (quoted !== undefined && quoted.trim() !== '') texts.push(quoted.trim());
  }
  const unread = text
    .replace(INSTRUCTION, '')
    .replace(/[;\s]+/g, ' ')
    .trim();
  return { commands, symbols, names, texts, unread };
}

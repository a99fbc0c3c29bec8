// SYMINS of new objects: what their producer asks a chart to draw, as instructions of S-52
// (PresLib Part I, 7) in one text: `SY(BOYCAR01);TX('V-AIS',3,2,2,'15110',2,0,CHMGD,11)`.

/** What is made of each instruction of a new object that is no virtual aid: rows of PORTRAYAL.md. */
export const INSTRUCTIONS: Readonly<Record<string, string>> = {
  SY: 'that symbol, where the sprites have it; else `NEWOBJ01`',
  TX: 'its text, beside the symbol',
  TE: 'not followed: the name, as of other objects',
  LS: 'a dashed magenta line',
  LC: 'a dashed magenta line',
  AC: 'not followed: the outline, and the symbol once',
  AP: 'not followed: the outline, and the symbol once',
  CS: 'not followed: `NEWOBJ01`',
};

interface SymbolInstructions {
  /** Each instruction, such as `SY`, in order. */
  readonly commands: readonly string[];
  /** Names of symbols (SY), in order. */
  readonly symbols: readonly string[];
  /** Names that the instructions SY, LC, AC and AP begin with, in order. */
  readonly names: readonly string[];
  /** Texts as they stand (TX); texts made of attributes (TE) are left out. */
  readonly texts: readonly string[];
  /** What is no instruction, passed over. */
  readonly unread: string;
}

const INSTRUCTION = /([A-Z]{2})\(((?:'[^']*'|[^()'])*)\)/g;

const NAMED: ReadonlySet<string> = new Set(['SY', 'LC', 'AC', 'AP']);

/** The symbols and texts of SYMINS, and what of it is no instruction. */
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

// SYMINS of new objects: what their producer asks a chart to draw, as instructions of S-52
// (PresLib Part I, 7) in one text: `SY(BOYCAR01);TX('V-AIS',3,2,2,'15110',2,0,CHMGD,11)`.

interface SymbolInstructions {
  /** Names of symbols (SY), in order. */
  readonly symbols: readonly string[];
  /** Texts as they stand (TX); texts made of attributes (TE) are left out. */
  readonly texts: readonly string[];
}

const INSTRUCTION = /([A-Z]{2})\(((?:'[^']*'|[^()'])*)\)/g;

/** The symbols and texts of SYMINS. What is no instruction is passed over. */
export function symbolInstructions(symins: string | undefined): SymbolInstructions {
  const symbols: string[] = [];
  const texts: string[] = [];
  for (const [, command, parameters] of (symins ?? '').matchAll(INSTRUCTION)) {
    if (command === 'SY') symbols.push(parameters!.split(',')[0]!.trim());
    const quoted = command === 'TX' ? /^\s*'([^']*)'/.exec(parameters!)?.[1] : undefined;
    if (quoted !== undefined && quoted.trim() !== '') texts.push(quoted.trim());
  }
  return { symbols, texts };
}

// New objects (S-57 NEWOBJ): objects without a class, mainly virtual aids to navigation. SYMINS and
// CLSNAM describe them.

import {
  SYMBOLS_FOR_NEW_OBJECTS,
  type SymbolName,
  type VirtualAidName,
} from '../../../shared/chart/symbol-names.ts';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { textOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import type { ClassRule, Decision } from '../features/class-rule.ts';
import { symbolInstructions } from '../features/symbol-instructions.ts';

/**
 * Kinds of virtual aids, by the words of CLSNAM, CLSDEF or OBJNAM, or by the symbol that SYMINS
 * requests; the first match counts. `npm run test:unit -- test/tiles-build/portray` writes the
 * table in PORTRAYAL.md from it.
 */
export const VIRTUAL_AID_KINDS: readonly {
  readonly symbol: VirtualAidName;
  readonly words: RegExp;
  readonly instruction: RegExp;
}[] = [
  { symbol: 'VAIS-north', words: /\bnorth/i, instruction: /^(?:BOY|BCN)CAR01$/ },
  { symbol: 'VAIS-east', words: /\beast/i, instruction: /^(?:BOY|BCN)CAR02$/ },
  { symbol: 'VAIS-south', words: /\bsouth/i, instruction: /^(?:BOY|BCN)CAR03$/ },
  { symbol: 'VAIS-west', words: /\bwest/i, instruction: /^(?:BOY|BCN)CAR04$/ },
  { symbol: 'VAIS-wreck', words: /\b(?:wreck|emergency|new danger)/i, instruction: /^BOYEWM\d*$/ },
  { symbol: 'VAIS-isolated', words: /\bisolated/i, instruction: /^(?:BOY|BCN)ISD\d+$/ },
  { symbol: 'VAIS-safe', words: /\bsafe/i, instruction: /^(?:BOY|BCN)SAW\d+$/ },
  { symbol: 'VAIS-special', words: /\bspecial/i, instruction: /^(?:BOY|BCN)SPP\d+$/ },
  // A mark whose preferred channel is to port is a starboard-hand mark, and the reverse.
  {
    symbol: 'VAIS-starboard',
    words: /(?<!channel to )\bstarboard|channel to port\b/i,
    instruction: /^(?:BOY|BCN)CON\d+$/,
  },
  {
    symbol: 'VAIS-port',
    words: /\bport\b|channel to starboard/i,
    instruction: /^(?:BOY|BCN)CAN\d+$/,
  },
];

/** A direction counts only together with "cardinal", because a name may be `North Reach`. */
const CARDINAL = /cardinal/i;
const CARDINALS: ReadonlySet<string> = new Set([
  'VAIS-north',
  'VAIS-east',
  'VAIS-south',
  'VAIS-west',
]);
const VIRTUAL = /\b(?:virtual|v-ais|vais|v-?aton)\b/i;

export const NEW_OBJECT_RULE: ClassRule = {
  parts: ['point', 'line', 'outline', 'center', 'middle'],
  decide: newObject,
};

function newObject(attributes: Attributes): Decision {
  const { commands, symbols, texts } = symbolInstructions(textOf(attributes, 'SYMINS'));
  const names = ['CLSNAM', 'CLSDEF', 'OBJNAM'].map((name) => textOf(attributes, name) ?? '');
  const isVirtual = VIRTUAL.test([...names, ...texts].join(' '));
  const isText = texts.length > 0 || (commands.includes('TE') && names[2] !== '');
  const isTextOnly = isText && symbols.length === 0 && !commands.includes('CS');
  return {
    cls: 'NEWOBJ',
    sy: isVirtual
      ? virtualAid(names, symbols)
      : (ownSymbol(symbols) ?? (isTextOnly ? undefined : 'NEWOBJ01')),
    tx: texts[0] ?? (isVirtual ? 'V-AIS' : undefined),
  };
}

/** The symbol of a new object, if it has one; that of a virtual aid begins with `VAIS-`. */
export const newObjectSymbol = (attributes: Attributes): string | undefined =>
  newObject(attributes).sy;

function virtualAid(names: readonly string[], symbols: readonly string[]): SymbolName {
  const [name = '', definition = ''] = names;
  for (const words of [name, definition]) {
    const found = VIRTUAL_AID_KINDS.find(
      (kind) => kind.words.test(words) && (CARDINAL.test(words) || !CARDINALS.has(kind.symbol)),
    );
    if (found !== undefined) return found.symbol;
  }
  const requested = VIRTUAL_AID_KINDS.find(({ instruction }) =>
    symbols.some((s) => instruction.test(s)),
  );
  return requested?.symbol ?? 'VAIS-other';
}

/** The first symbol that SYMINS requests and the sprites contain. */
const ownSymbol = (symbols: readonly string[]): SymbolName | undefined =>
  symbols.find((name): name is SymbolName => SYMBOLS_FOR_NEW_OBJECTS.has(name));

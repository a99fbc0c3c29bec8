// The effects of a new object (NEWOBJ) on navigability. It has no class of its own. Its symbol
// (SYMINS) and its text (CLSNAM, OBJNAM) describe it, and it may have attributes of other classes.
// Everything that can be a danger counts as one. A path that meets any other new object gets a
// warning.

import { SEA_FLAGS } from '../../shared/route/sea.ts';
import type { Attributes, Primitive } from '../../shared/s57/cell/cell.ts';
import { numberOf, textOf } from '../../shared/s57/vocabulary/typed-values.ts';
import { symbolInstructions } from '../portray/features/symbol-instructions.ts';
import { newObjectSymbol } from '../portray/rules/new-object-rules.ts';
import { type Effect, NO_EFFECT } from './item.ts';
import { quoted } from './restriction-effects.ts';

/**
 * Metres around a danger that a virtual aid marks. The aid is broadcast because the danger is new;
 * its exact position and depth are not charted.
 */
export const MARKED_DANGER_RADIUS_METERS = 50;

const NEVER: Effect = { ...NO_EFFECT, depth: Number.NaN };
const DANGER: Effect = { ...NEVER, kind: 'danger' };
const MARKED_DANGER: Effect = { ...DANGER, radius: MARKED_DANGER_RADIUS_METERS };
const STRUCTURE: Effect = { ...NEVER, kind: 'structure' };
const LAND: Effect = { ...NEVER, kind: 'land' };
const AVOIDED: Effect = { ...NO_EFFECT, kind: 'to-be-avoided', flags: SEA_FLAGS.toBeAvoided };
const CAUTION: Effect = { ...NO_EFFECT, flags: SEA_FLAGS.caution };

interface Meaning {
  readonly effect: Effect;
  /** S-52 names of symbols (SY), patterns (AP), lines (LC) or fills (AC). */
  readonly instruction: RegExp;
  readonly words: RegExp;
}

/** The first match counts. Symbols of S-52 PresLib 4.0.3; names end in a version. */
const MEANINGS: readonly Meaning[] = [
  {
    effect: DANGER,
    instruction: /^(?:DANGER|ISODGR|UWTROC|OBSTRN|WRECKS|FOULGND|FOULAR|FLTHAZ|FSHHAV|MARCUL)/,
    words:
      /\b(?:wrecks?|rocks?|reefs?|ledges?|pinnacles?|corals?|obstructions?|dangers?|hazards?|foul|shoals?|banks?|bars?|mines?|minefield|stumps?|snags?|debris|boulders?|sunken|submerged|explosives?|unexploded|uxo|munitions?|icebergs?|containers?)\b/i,
  },
  {
    effect: STRUCTURE,
    instruction:
      /^(?:BOY|BCN|LITFLT|LITVES|OFSPLF|PILPNT|MORFAC|HULKES|FSHFAC|GATCON|CRANES|TOWERS|WIMCON|WNDFRM|WNDMIL|MSTCON|CHIMNY|FLASTK|SILBUI|TNKCON|BUISGL|PRDINS|DAYSQR|DAYTRI|FLODOC|PONTON)/,
    words:
      /\b(?:turbines?|platforms?|rigs?|piles?|pil(?:ing|lar)s?|posts?|poles?|stakes?|pylons?|towers?|masts?|buoys?|beacons?|floats?|pontoons?|barges?|hulks?|jett(?:y|ies)|piers?|wharf|quays?|moles?|breakwaters?|groynes?|dolphins?|moorings?|walls?|barriers?|booms?|nets?|cages?|farms?|dams?|weirs?|gates?|structures?|constructions?|works|cofferdams?|foundations?|caissons?|docks?|converters?|wave energy|tidal (?:devices?|generators?))\b/i,
  },
  { effect: LAND, instruction: /^(?:LANDA|LNDARE)/, words: /\b(?:land|islands?|islets?|cays?)\b/i },
  {
    effect: AVOIDED,
    instruction: /^(?:ENTRES)/,
    words: /\b(?:prohibited|forbidden|avoid(?:ed)?|closed|exclusion|safety zones?)\b/i,
  },
  {
    effect: CAUTION,
    instruction: /^(?:CTYARE|CTNARE|PRCARE|WATTUR|WEDKLP|SNDWAV)/,
    words: /\b(?:caution(?:ary)?|precaution(?:ary)?|warning)\b/i,
  },
];

const MARK_DANGERS: ReadonlySet<string> = new Set(['VAIS-wreck', 'VAIS-isolated']);
const DANGER_WORDS = MEANINGS[0]!.words;

/**
 * @param acronym NEWOBJ, or a class that is not in the catalogue
 * @returns effects in addition to the notice, which always exists; empty if the object closes no
 * water
 */
export function newObjectEffects(
  acronym: string,
  attributes: Attributes,
  primitive: Primitive,
): readonly Effect[] {
  const depth = numberOf(attributes, 'VALSOU');
  // In other classes OBJNAM is the name of a place: "Rock Harbour" is not a rock.
  const names = acronym === 'NEWOBJ' ? ['CLSNAM', 'OBJNAM'] : ['CLSNAM'];
  const texts = names.map((name) => textOf(attributes, name) ?? '').join(' ');
  const meaning = meaningOf(attributes, texts, primitive);
  // A charted depth is the depth of a danger, whatever else the object is.
  if (depth !== undefined) {
    return [{ ...DANGER, depth, ...(meaning === MARKED_DANGER && { radius: meaning.radius }) }];
  }
  return meaning === undefined ? [] : [meaning];
}

function meaningOf(
  attributes: Attributes,
  texts: string,
  primitive: Primitive,
): Effect | undefined {
  const virtual = newObjectSymbol(attributes);
  if (virtual?.startsWith('VAIS-')) {
    const marksDanger = MARK_DANGERS.has(virtual) || DANGER_WORDS.test(texts);
    // A virtual aid has no body. If it marks no danger, there is only a warning.
    if (!marksDanger) return undefined;
    return primitive === 'point' ? MARKED_DANGER : DANGER;
  }
  const { names } = symbolInstructions(textOf(attributes, 'SYMINS'));
  const drawn = MEANINGS.find(({ instruction }) => names.some((name) => instruction.test(name)));
  const named = MEANINGS.find(({ words }) => words.test(texts));
  const found = [drawn, named].filter((one) => one !== undefined);
  // Among the meanings of the symbol and the text, the more severe one counts.
  found.sort((a, b) => MEANINGS.indexOf(a) - MEANINGS.indexOf(b));
  return found[0]?.effect;
}

/** The chart's description of a new object, for the warning. */
export function newObjectText(attributes: Attributes): string {
  const texts = ['CLSNAM', 'CLSDEF', 'INFORM'].flatMap((name) => textOf(attributes, name) ?? []);
  return texts.length === 0 ? '' : quoted('', [...new Set(texts)].slice(0, 2).join(': '));
}

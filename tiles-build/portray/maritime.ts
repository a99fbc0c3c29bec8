// Limits of maritime zones. All their classes share three source layers (limits, areas and names)
// and are distinguished by `k`.

import type { ClassRule } from './features/class-rule.ts';
import { drawFeature, type Subject } from './features/draw-feature.ts';
import type { Drawable } from './features/drawable.ts';

/** Kind of zone (`k`) by object class. */
const KINDS: Readonly<Record<string, string>> = {
  TESARE: 'territorial',
  CONZNE: 'contiguous',
  EXEZNE: 'economic',
  COSARE: 'shelf',
  FSHZNE: 'fishery',
  CUSZNE: 'customs',
  ADMARE: 'administrative',
  STSLNE: 'baseline',
};

const NAMES: Readonly<Record<string, string>> = {
  territorial: 'Territorial sea',
  contiguous: 'Contiguous zone',
  economic: 'Exclusive economic zone',
  shelf: 'Continental shelf',
  fishery: 'Fishery zone',
  customs: 'Customs zone',
};

export const MARITIME_RULE: ClassRule = { parts: ['line', 'fill', 'outline', 'symbol'] };

export function isMaritime(acronym: string): boolean {
  return KINDS[acronym] !== undefined;
}

/** Drawables of a maritime zone, in the layers of maritime zones. */
export function drawMaritime(subject: Subject, acronym: string): Drawable[] {
  const k = KINDS[acronym]!;
  const drawn = drawFeature({ ...subject, decision: { k, tx: NAMES[k] } });
  return drawn.map((drawable) => {
    const { cls: _, tx: _text, ...properties } = drawable.properties;
    switch (drawable.geometry.type) {
      case 'area':
        return { ...drawable, layer: 'maritime_area' };
      case 'line':
        return { ...drawable, layer: 'maritime_line', properties };
      default: {
        const tx = NAMES[k];
        const named = { ...properties, k, ...(tx === undefined ? {} : { tx }) };
        return { ...drawable, layer: 'maritime_label', properties: named };
      }
    }
  });
}

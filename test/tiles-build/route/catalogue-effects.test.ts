// The rules state an effect on routes for each class of the object catalogue. Objects of unknown classes
// cause a warning.

import { describe, expect, it } from 'vitest';
import { DANGER_SYMBOLS } from '../../../shared/chart/symbol-names.ts';
import { OBJECT_CLASS_ACRONYMS } from '../../../shared/s57/vocabulary/object-classes.ts';
import { effectsOf, NAVIGABILITY_RULES } from '../../../tiles-build/route/effects.ts';

describe('the rules', () => {
  it.each(OBJECT_CLASS_ACRONYMS.filter((acronym) => acronym !== 'NEWOBJ'))(
    'state an effect for %s',
    (acronym) => {
      expect(Object.keys(NAVIGABILITY_RULES)).toContain(acronym.toUpperCase());
      for (const primitive of ['point', 'line', 'area'] as const) {
        const effects = effectsOf(acronym.toUpperCase(), {}, primitive);
        expect(effects.filter(({ notice }) => notice === 'without-rule')).toEqual([]);
      }
    },
  );

  it.each(['NEWOBJ', '$164', '$20001', '$65535'])(
    'cause a warning for %s, which no rule covers',
    (acronym) => {
      for (const primitive of ['point', 'line', 'area'] as const) {
        const effects = effectsOf(acronym, {}, primitive);
        expect(effects.map(({ notice }) => notice)).toContain('without-rule');
      }
    },
  );

  it('treat each danger symbol as a danger, except those for caution and doubt', () => {
    const cautions = ['WATTUR02', 'WEDKLP03', 'SNDWAV02', 'SPRING02', 'LOWACC01'];
    const doubts = ['QUESMRK1', 'NEWOBJ01'];
    for (const symbol of DANGER_SYMBOLS) {
      const kinds = effectsOf('NEWOBJ', { SYMINS: `SY(${symbol})` }, 'point').map(
        ({ kind }) => kind,
      );
      const isDanger = ![...cautions, ...doubts].includes(symbol);
      expect([symbol, kinds.includes('danger')]).toEqual([symbol, isDanger]);
    }
  });
});

// Inland classes that extend sea classes: they are drawn, named and avoided by routes like these.

import { describe, expect, it } from 'vitest';
import { describeFeature } from '../../../shared/query/describe.ts';
import {
  OBJECT_CLASS_ACRONYMS,
  objectClassByAcronym,
  objectClassByCode,
} from '../../../shared/s57/vocabulary/object-classes.ts';
import { portrayCell } from '../../../tiles-build/portray/portray-cell.ts';
import { effectsOf } from '../../../tiles-build/route/effects.ts';
import { writtenCell } from '../../support/written-chart.ts';

const inlandClasses = OBJECT_CLASS_ACRONYMS.filter((acronym) => acronym !== acronym.toUpperCase());
const extending = inlandClasses.filter((acronym) => objectClassByAcronym(acronym.toUpperCase()));

const cellWith = (points: readonly (readonly [string, Record<string, string | number>])[]) =>
  writtenCell({
    name: 'ZZ7RHINE',
    usageBand: 5,
    scaleDenominator: 10_000,
    areas: [['M_COVR', [8, 50, 8.1, 50.1], { CATCOV: 1 }]],
    points: points.map(([acronym, words]) => [acronym, [8.05, 50.05], words]),
  });

describe('classes of inland charts', () => {
  it('include codes 17019 to 17034 of the feature catalogue, except 17026', () => {
    const codes = Array.from({ length: 16 }, (_, i) => 17_019 + i);
    expect(codes.filter((code) => objectClassByCode(code) === undefined)).toEqual([17_026]);
    expect(objectClassByCode(17_029)?.acronym).toBe('boylat');
  });

  it('include the daymark and the classes of laws, bridge arches and sensors', () => {
    const codes = [17_035, 18_001, 18_002, 18_003, 18_004];
    expect(codes.map((code) => objectClassByCode(code)?.acronym)).toEqual([
      'daymar',
      'lg_sdm',
      'lg_vsp',
      'c_brga',
      'sensor',
    ]);
    expect([17_036, 17_049].map(objectClassByCode)).toEqual(Array(2).fill(undefined));
  });

  it('without a symbol are not drawn as unknown', () => {
    for (const acronym of ['lg_sdm', 'lg_vsp', 'sensor']) {
      const drawn = portrayCell(cellWith([[acronym, {}]]));
      expect(drawn.filter(({ layer }) => layer === 'OTHER')).toEqual([]);
    }
  });

  it('have the limits of laws, ship types and banks in words', () => {
    const { attributes } = describeFeature(18_002, {
      lg_spd: 12,
      lg_spr: [2],
      shptyp: 3,
      bnkwtw: 1,
    });
    expect(attributes.map(({ name, value }) => [name, value])).toEqual([
      ['Maximal permitted speed', '12'],
      ['Speed reference', 'over ground'],
      ['Type of ship', 'tanker'],
      ['Bank of the waterway', 'left'],
    ]);
  });

  it.each([
    ['boylat', 'BOYLAT', { BOYSHP: 2, catlam: 5, COLOUR: 3 }],
    ['boylat', 'BOYLAT', { BOYSHP: 5, catlam: 2, COLOUR: 4 }],
    ['bcnlat', 'BCNLAT', { BCNSHP: 1, catlam: 1, COLOUR: 3 }],
    ['uwtroc', 'UWTROC', { VALSOU: 1.2, watlev: 3 }],
    ['cranes', 'CRANES', { CATCRN: 2 }],
    ['daymar', 'DAYMAR', { COLOUR: 3, TOPSHP: 24 }],
  ])('%s is drawn as %s', (inland, maritime, words) => {
    const capitals = Object.fromEntries(
      Object.entries(words).map(([acronym, value]) => [acronym.toUpperCase(), value]),
    );
    const drawn = (acronym: string, attributes: Record<string, number>) =>
      portrayCell(cellWith([[acronym, attributes]]))
        .filter(({ layer }) => layer === maritime)
        .map(({ properties }) => properties);
    expect(drawn(inland, words)).toEqual(drawn(maritime, capitals));
    expect(drawn(inland, words)).toHaveLength(1);
  });

  it('close water for routes like the sea class that they extend', () => {
    const words = { CATBRG: [1], VERCLR: 9.1, VALSOU: 1.5, CATGAT: 2 };
    for (const acronym of extending) {
      for (const primitive of ['point', 'line', 'area'] as const) {
        const upper = acronym.toUpperCase();
        expect(effectsOf(upper, words, primitive)).not.toContainEqual(
          expect.objectContaining({ notice: 'without-rule' }),
        );
      }
    }
  });

  it('use restrictions and openings in inland attributes like those of sea classes', () => {
    const closed = effectsOf('RESARE', { restrn: [7] }, 'area');
    expect(closed).toEqual(effectsOf('RESARE', { RESTRN: [7] }, 'area'));
    expect(closed).not.toEqual(effectsOf('RESARE', {}, 'area'));
    const bascule = effectsOf('BRIDGE', { catbrg: [5], VERCOP: 30 }, 'area');
    expect(bascule).toEqual(effectsOf('BRIDGE', { CATBRG: [5], VERCOP: 30 }, 'area'));
  });

  it('have their class and values in words in a query', () => {
    const { title, attributes } = describeFeature(17_029, {
      catlam: 23,
      objnam: 'A 12',
      restrn: [7, 30],
    });
    expect(title).toBe('Buoy, lateral: A 12');
    expect(attributes.map(({ value }) => value)).toEqual([
      'bridge pier mark',
      'A 12',
      'entry prohibited, passing or overtaking prohibited',
    ]);
  });
});

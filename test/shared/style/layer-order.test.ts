// Which layers of a document lie above which.

import { describe, expect, test } from 'vitest';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import { DEFAULT_OPTIONS } from '../../../shared/style/options.ts';

const NOWHERE = 'https://charts.example/';

const { layers } = buildStyle({
  options: { ...DEFAULT_OPTIONS, showMaritimeBoundaries: 'full' },
  addresses: { tiles: NOWHERE, sprite: NOWHERE, glyphs: NOWHERE, reports: NOWHERE },
  chart: { bounds: [-180, -85, 180, 85], attribution: 'Nobody', buildId: 'b1' },
});
const ids = layers.map(({ id }) => id);

describe('the order of lines', () => {
  const COAST = ['COALNE-line', 'COALNE-line-low', 'LNDARE-line', 'SLCONS-line', 'bg_coast-line'];
  const ADMINISTRATIVE =
    'RESARE CTNARE PRCARE ACHARE ACHBRT DMPGRD CBLARE PIPARE MIPARE OSPARE SPLARE FAIRWY HRBARE ' +
    'BUAARE LNDRGN VEGATN AIRARE ICNARE CTSARE FSHGRD TSSLPT TSSBND ISTZNE RECTRC NAVLNE FERYRT CBLSUB PIPSOL SEAARE';

  test('the order of lines limits of restricted, caution and all other areas of use run below the coast', () => {
    const lowestCoast = Math.min(...COAST.map((id) => ids.indexOf(id)));
    const above = ADMINISTRATIVE.split(' ').filter((name) => {
      const at = ids.indexOf(`${name}-line`);
      return at < 0 || at > lowestCoast;
    });
    expect(above).toEqual([]);
  });

  test('the safety contour runs above the coast', () => {
    for (const coast of COAST) {
      expect(ids.indexOf('DEPEDGE-safety'), coast).toBeGreaterThan(ids.indexOf(coast));
      expect(ids.indexOf('DEPEDGE-safety-low'), coast).toBeGreaterThan(ids.indexOf(coast));
    }
  });

  test('texts stand above all lines, and aids to navigation above all texts', () => {
    const last = (type: string) => layers.findLastIndex((layer) => layer.type === type);
    const texts = layers.flatMap((layer, i) =>
      layer.type === 'symbol' && layer.layout?.['text-field'] !== undefined ? [i] : [],
    );
    expect(Math.max(...texts)).toBeGreaterThan(last('line'));
    expect(ids.indexOf('DAYMAR-icon')).toBeGreaterThan(Math.max(...texts));
  });
});

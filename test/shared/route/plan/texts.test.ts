// How a message names the object of an unsafe edge.

import { expect, it } from 'vitest';
import { hazardColumns } from '../../../../shared/route/hazard-codec.ts';
import { hazardText } from '../../../../shared/route/plan/warnings/texts.ts';
import { HAZARD_KINDS, type HazardKind } from '../../../../shared/route/sea.ts';

it.each<[HazardKind, string, string]>([
  ['danger', 'WRECKS', 'a danger (WRECKS)'],
  ['danger', 'FAIRWY', 'water that is too shallow (FAIRWY)'],
  ['danger', 'DWRTPT', 'water that is too shallow (DWRTPT)'],
  ['danger', 'BERTHS', 'water that is too shallow (BERTHS)'],
  ['prohibited', 'FAIRWY', 'a prohibited area (FAIRWY)'],
  ['structure', 'BOYLAT', 'a buoy (BOYLAT)'],
])('an edge of kind %s of a %s is %s', (kind, objectClass, text) => {
  const hazards = hazardColumns(1, [{ id: '1', objectClass, objectName: '' }]);
  hazards.kind[0] = HAZARD_KINDS.indexOf(kind);
  expect(hazardText(hazards, 0)).toBe(text);
});

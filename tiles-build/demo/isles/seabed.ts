// The nature of the sea bed, as samples show it.

import { type Place, point, type Thing } from './thing.ts';

const NEAR = [4, 5] as const;

const seabed = (name: string, at: Place, nature: string, more: Thing['attributes'] = {}): Thing =>
  point(`Seabed ${name}`, 'SBDARE', at, { NATSUR: nature, ...more }, NEAR);

/** The sea bed off the beaches, in the hollows and on the banks: position and NATSUR (4: sand, 9: rock). */
const SAMPLES: readonly Thing[] = (
  [
    [-0.3, 0.5, '4'],
    [1.8, -0.4, '4'],
    [2.3, 0.9, '4,1'],
    [3.5, 0.3, '1'],
    [-2.6, -1.2, '4,17'],
    [-4.6, 1.9, '1'],
    [-5.3, 2.5, '1'],
    [-5.6, 0.5, '4'],
    [-6.4, -1.6, '6'],
    [-7, -2.3, '9'],
    [6.3, -1.4, '1,4'],
    [4.6, -2.8, '4,17'],
    [0.4, -4.6, '17'],
    [2.4, -4.3, '6,17'],
    [-3.9, -5.6, '9'],
    [-8.3, -5.6, '9'],
    [8.2, -3.6, '9'],
    [9.2, -5.6, '6'],
    [0.6, -2.5, '4'],
    [-0.9, -4.4, '2'],
    [6.8, -9.5, '4'],
    [1.4, -13.8, '4,17'],
    [-2.5, -9.2, '1'],
    [-12.5, -8.4, '2'],
    [14.5, 3, '6'],
    [-16, 12, '9'],
  ] as const
).map(([east, north, nature], i) => seabed(`sample ${i + 1}`, [east, north], nature));

export const SEABED: readonly Thing[] = [
  ...SAMPLES,
  seabed('mud', [0.2, -0.4], '1'),
  seabed('sand', [3.6, -1.2], '4'),
  seabed('sand and shells', [-1.1, -2.1], '4,17'),
  seabed('rock', [-2.6, -3.4], '9'),
  seabed('fine sand', [1.9, -3.4], '4', { NATQUA: '1' }),
  seabed('gravel', [-5.8, -3.1], '6'),
  seabed('clay', [6.2, -6.3], '2'),
];

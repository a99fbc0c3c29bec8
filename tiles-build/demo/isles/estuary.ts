// Candlewater, the estuary west of Wick: its buoyed channel, moorings and landing places.

import { CANDLEWATER } from '../terrain/landforms.ts';
import { courseOf, inChannel } from '../terrain/rivers.ts';
import { lateral } from './marks.ts';
import { area, curve, line, type Place, point, type Thing, uneven } from './thing.ts';

const NEAR = [4, 5] as const;
const PORT = 1;
const STARBOARD = 2;

const course = courseOf(CANDLEWATER);
/**
 * A position in the channel: from 0 at sea to 1 inland, and half widths to the right of the middle.
 */
const at = (along: number, right: number): Place => inChannel(course, along, right);

/** A pair of lit buoys at the entrance, red to port. */
const gate = (number: number, along: number): Thing[] => [
  ...lateral(`Candlewater ${number}`, at(along, 0.2), STARBOARD, 'A', NEAR),
  ...lateral(`Candlewater ${number + 1}`, at(along, -0.2), PORT, 'A', NEAR),
];

/** An unlit spar buoy on one side of the channel. */
function spar(number: number, along: number): Thing {
  const isPort = number % 2 === 0;
  const name = `Candlewater ${number}`;
  const [side, colour] = isPort ? [PORT, '3'] : [STARBOARD, '4'];
  return point(name, 'BOYLAT', at(along, isPort ? -0.2 : 0.2), {
    BOYSHP: 5,
    CATLAM: side,
    COLOUR: colour,
    OBJNAM: name,
  });
}

/** A stake at the edge of the flats. */
function stake(number: number, along: number): Thing {
  const isPort = number % 2 === 0;
  const [side, colour] = isPort ? [PORT, '3'] : [STARBOARD, '4'];
  return point(`Candlewater stake ${number}`, 'BCNLAT', at(along, isPort ? -0.36 : 0.36), {
    BCNSHP: 1,
    CATLAM: side,
    COLOUR: colour,
  });
}

/** Moorings of small craft in the pool. */
const MOORINGS: readonly Thing[] = Array.from({ length: 12 }, (_, i) =>
  point(`Candlewater mooring ${i + 1}`, 'MORFAC', at(0.47 + 0.012 * i, i % 2 === 0 ? 0.1 : -0.1), {
    CATMOR: 7,
    BOYSHP: 3,
    COLOUR: '1',
  }),
);

export const ESTUARY: readonly Thing[] = [
  ...gate(1, 0.15),
  ...gate(3, 0.215),
  spar(5, 0.26),
  spar(6, 0.29),
  spar(7, 0.325),
  spar(8, 0.36),
  spar(9, 0.4),
  spar(10, 0.44),
  stake(11, 0.62),
  stake(12, 0.645),
  stake(13, 0.675),
  stake(14, 0.7),
  stake(15, 0.73),
  ...MOORINGS,
  line(
    'Candlewater track',
    'RECTRC',
    Array.from({ length: 40 }, (_, i) => at(0.12 + 0.0125 * i, 0)),
    { CATTRK: 2, TRAFIC: 4 },
  ),
  area('Candlewater Pool', 'ACHARE', uneven(at(0.53, 0), 0.22, 0.16), {
    CATACH: '8',
    OBJNAM: 'Candlewater Pool',
  }),
  line("Chandlers' Hard", 'SLCONS', curve([-5.9, 2.32], [-5.75, 2.33], [-5.6, 2.31]), {
    CATSLC: 12,
    OBJNAM: "Chandlers' Hard",
  }),
  point('Candlewater boat yard', 'SMCFAC', [-5.96, 2.36], { CATSCF: '9' }),
  point('Candlewater inn', 'SMCFAC', [-6.14, 2.5], { CATSCF: '7' }),
  point('Flats north of the bar', 'SBDARE', at(0.24, 0.6), { NATSUR: '4' }),
  point('Flats by the pool', 'SBDARE', at(0.5, 0.7), { NATSUR: '1' }),
];

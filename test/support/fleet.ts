// A simulated fleet over the ground of the demo charts, whose depths are known everywhere: boats with
// unknown offsets, tides with weather, noise, wrong soundings, and shoals that no chart shows. The
// same seed gives the same soundings.

import { type Soundings, soundingColumns } from '../../shared/bathymetry/soundings.ts';
import { FINEST_BIN_ZOOM } from '../../shared/crowd/bin.ts';
import { packTideTable, TideTable } from '../../shared/crowd/tide-table.ts';
import { TidePredictor } from '../../shared/crowd/water-level.ts';
import { latitudeAt, longitudeAt, mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import type { SharedTrack, TrackSource } from '../../tiles-build/crowd/build-crowd.ts';
import type { ChartDepths, ChartedDepth } from '../../tiles-build/crowd/chart-depths.ts';
import { heightAt, ORIGIN } from '../../tiles-build/demo/terrain/sea-bed.ts';
import { seededRandom } from './seeded-random.ts';

const KILOMETERS_EAST = 96.4;
const KILOMETERS_NORTH = 110.9;
const BINS = 2 ** FINEST_BIN_ZOOM;
const MS_PER_DAY = 86_400_000;
const START = Date.UTC(2026, 3, 1);
/** Detail of the bed, kilometres. */
const DETAIL = 0.01;
/** Range of the tide, metres. */
const TIDAL_RANGE = 2.6;
/** Bins along the side of a survey, and the error that its soundings share, metres. */
const SURVEY_BINS = 2 ** 6;
const SURVEY_SIGMA = 0.08;

export interface FleetOptions {
  readonly seed: number;
  readonly boats: number;
  readonly trips: number;
  readonly soundingsPerTrip: number;
  /** Half the width of the sea area, kilometres. */
  readonly reach?: number;
  /** Platforms of one hostile account that reports this many metres too deep. */
  readonly hostile?: {
    readonly platforms: number;
    readonly meters: number;
    /** Honest where the chart has soundings, to look reliable. */
    readonly isSly?: boolean;
  };
  /** The share of soundings that are wrong. */
  readonly wrong?: number;
  /** Standard deviations of the echo and of positions, metres, and range of the tide. */
  readonly noise?: number;
  readonly positionError?: number;
  readonly tidalRange?: number;
}

interface Shoal {
  readonly east: number;
  readonly north: number;
  readonly height: number;
  /** Kilometres. */
  readonly width: number;
}

export interface Fleet {
  readonly source: TrackSource;
  readonly tides: TidePredictor;
  readonly chart: ChartDepths;
  /** By key of the platform: metres by which it measures too deep. */
  readonly offsets: ReadonlyMap<string, number>;
  readonly shoals: readonly Shoal[];
  readonly tracks: readonly SharedTrack[];
  /** True depth below chart datum, metres. */
  depthAt(longitude: number, latitude: number): number;
}

const STATION = { longitude: ORIGIN.longitude + 0.03, latitude: ORIGIN.latitude - 0.01 };

function stationTable(range: number): TideTable {
  const scale = range / TIDAL_RANGE;
  return new TideTable(
    packTideTable([
      {
        ...STATION,
        id: 'test/wick',
        name: 'Wick',
        datum: 'LAT',
        attribution: 'none',
        meanLevel: range / 2,
        range,
        reference: 'test/wick',
        constants: [
          { name: 'M2', amplitude: 0.8 * scale, phase: 110 },
          { name: 'S2', amplitude: 0.28 * scale, phase: 145 },
          { name: 'K1', amplitude: 0.11 * scale, phase: 60 },
          { name: 'O1', amplitude: 0.09 * scale, phase: 20 },
        ],
      },
    ]),
  );
}

/** Two independent normal deviates are wasted to one: speed does not matter. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

const toKilometers = (longitude: number, latitude: number) =>
  [
    (longitude - ORIGIN.longitude) * KILOMETERS_EAST,
    (latitude - ORIGIN.latitude) * KILOMETERS_NORTH,
  ] as const;

const toDegrees = (east: number, north: number) =>
  [ORIGIN.longitude + east / KILOMETERS_EAST, ORIGIN.latitude + north / KILOMETERS_NORTH] as const;

export function simulateFleet(options: FleetOptions): Fleet {
  const { seed, boats, trips, reach = 5, hostile } = options;
  const random = seededRandom(seed);
  const waypoints = Array.from({ length: 60 }, () => waterPlace(random, reach));
  const shoals = waypoints.slice(0, 12).map(([east, north]) => ({
    east,
    north,
    height: 3 + 3 * random(),
    width: 0.05,
  }));
  const tides = new TidePredictor(stationTable(options.tidalRange ?? TIDAL_RANGE));
  const choice = tides.choose([STATION.longitude, STATION.latitude]);
  if ('range' in choice) throw new Error('The station is not near itself.');
  const weather = new Map<number, number>();
  const weatherOn = (day: number): number => {
    const known = weather.get(day);
    if (known !== undefined) return known;
    // The stated error is that of the height of a day.
    const made = (normal(seededRandom(seed * 7919 + day)) * choice.error95) / 1.96;
    weather.set(day, made);
    return made;
  };
  const bedAt = (east: number, north: number): number => {
    let depth = bedAtWithoutShoals(east, north);
    for (const shoal of shoals) {
      const squared = ((east - shoal.east) ** 2 + (north - shoal.north) ** 2) / shoal.width ** 2;
      if (squared < 9) depth -= Math.min(shoal.height, depth - 1) * Math.exp(-squared);
    }
    return depth;
  };
  const offsets = new Map<string, number>();
  const tracks: SharedTrack[] = [];
  const errors: number[] = [];
  const addBoat = (account: string, platform: string, offset: number) => {
    offsets.set(JSON.stringify([account, account, '', platform, '']), offset);
    for (let trip = 0; trip < trips; trip++) {
      const id = `${account}-${platform}-${trip}`;
      tracks.push({
        id,
        version: '1',
        account,
        subject: account,
        externalUser: '',
        platform,
        zero: '',
        transducer: 0,
      });
      errors.push(offset);
    }
  };
  for (let boat = 0; boat < boats; boat++) addBoat(`boat${boat}`, 'main', 0.6 * normal(random));
  for (let i = 0; i < (hostile?.platforms ?? 0); i++)
    addBoat('hostile', `p${i}`, hostile!.meters + 0.2 * normal(random));
  const numbers = new Map(tracks.map((track, i) => [track.id, i]));
  const read = (track: SharedTrack): Soundings => {
    const number = numbers.get(track.id)!;
    const own = seededRandom(seed * 1_000_003 + number);
    return sail(own, options, waypoints, {
      bedAt,
      offsetAt: (place) =>
        hostile?.isSly === true && track.account === 'hostile' && place < 0 ? 0 : errors[number]!,
      levelAt: (time) => tides.heightOf(choice, time) + weatherOn(Math.floor(time / MS_PER_DAY)),
    });
  };
  return {
    source: { list: async () => tracks, read: async (track) => read(track) },
    tides,
    chart: chartOf(bedAtWithoutShoals, seed),
    offsets,
    shoals,
    tracks,
    depthAt: (longitude, latitude) => bedAt(...toKilometers(longitude, latitude)),
  };
}

/** Heights at the corners of squares as wide as the detail, which all fleets share: each takes microseconds. */
const corners = new Map<number, number>();

function cornerHeight(x: number, y: number): number {
  // Small integers, which are found faster.
  const key = (x + 2 ** 14) * 2 ** 15 + y + 2 ** 14;
  const height = corners.get(key) ?? heightAt(x * DETAIL, y * DETAIL, DETAIL);
  corners.set(key, height);
  return height;
}

/** The bed is bilinear in each square. */
function bedAtWithoutShoals(east: number, north: number): number {
  const [x, y] = [Math.floor(east / DETAIL), Math.floor(north / DETAIL)];
  const [u, v] = [east / DETAIL - x, north / DETAIL - y];
  const south = cornerHeight(x, y) * (1 - u) + cornerHeight(x + 1, y) * u;
  return -(
    south * (1 - v) +
    (cornerHeight(x, y + 1) * (1 - u) + cornerHeight(x + 1, y + 1) * u) * v
  );
}

function waterPlace(random: () => number, reach: number): readonly [number, number] {
  for (;;) {
    const [east, north] = [(2 * random() - 1) * reach, (2 * random() - 1) * reach - 3];
    const depth = bedAtWithoutShoals(east, north);
    if (depth > 6 && depth < 40) return [east, north];
  }
}

interface Sea {
  readonly bedAt: (east: number, north: number) => number;
  /** By kilometres east. */
  readonly offsetAt: (east: number) => number;
  readonly levelAt: (time: number) => number;
}

/** A trip between waypoints, sounding every two seconds. */
function sail(
  random: () => number,
  { soundingsPerTrip: count, wrong = 0.01, noise = 0.08, positionError = 3 }: FleetOptions,
  waypoints: readonly (readonly [number, number])[],
  { bedAt, offsetAt, levelAt }: Sea,
): Soundings {
  const soundings = soundingColumns(count);
  const day = Math.floor(random() * 200);
  const first = START + day * MS_PER_DAY + Math.floor(random() * 0.8 * MS_PER_DAY);
  const kilometersPerStep = (2.5 + 2 * random()) * 2e-3;
  const placeNear = () => {
    const [east, north] = waypoints[Math.floor(random() * waypoints.length)]!;
    return [east + 0.06 * normal(random), north + 0.06 * normal(random)] as const;
  };
  let [east, north] = placeNear();
  let goal = placeNear();
  for (let i = 0; i < count; ) {
    const [de, dn] = [goal[0] - east, goal[1] - north];
    const left = Math.hypot(de, dn);
    if (left < 2 * kilometersPerStep) {
      goal = placeNear();
      continue;
    }
    const [nextEast, nextNorth] = [
      east + (de / left) * kilometersPerStep,
      north + (dn / left) * kilometersPerStep,
    ];
    const depth = bedAt(nextEast, nextNorth);
    if (depth < 1.2) {
      // Shallow water or land ahead: turn back to another place.
      goal = placeNear();
      if (random() < 0.3) [east, north] = placeNear();
      continue;
    }
    [east, north] = [nextEast, nextNorth];
    const time = first + i * 2000;
    const [longitude, latitude] = toDegrees(
      east + (positionError / 1000) * normal(random),
      north + (positionError / 1000) * normal(random),
    );
    let measured = depth + levelAt(time) + offsetAt(east) + noise * normal(random);
    if (random() < wrong)
      measured = random() < 0.5 ? measured * (0.2 + 0.6 * random()) : measured * 2;
    soundings.longitudes[i] = longitude;
    soundings.latitudes[i] = latitude;
    soundings.depths[i] = Math.max(0, Math.round(measured * 10) / 10);
    soundings.times[i] = time;
    i++;
  }
  return soundings;
}

const CONTOURS = [0, 2, 5, 10, 15, 20, 30, 50, 100];

/** A chart of the bed without the shoals: contours everywhere, surveyed soundings in the west. */
function chartOf(bedAt: (east: number, north: number) => number, seed: number): ChartDepths {
  const known = new Map<number, ChartedDepth>();
  /** By half bins: neighbours share the corners. */
  const depths = new Map<number, number>();
  const depthAtBin = (x: number, y: number) => {
    const key = 2 * y * 2 ** 22 + 2 * x;
    const depth =
      depths.get(key) ?? bedAt(...toKilometers(longitudeAt(x / BINS), latitudeAt(y / BINS)));
    depths.set(key, depth);
    return depth;
  };
  return {
    buildId: 'simulated',
    prepare: async () => undefined,
    at(x, y) {
      const key = y * 2 ** 21 + x;
      const before = known.get(key);
      if (before !== undefined) return before;
      const corners = [0, 0.5, 1].flatMap((u) => [0, 0.5, 1].map((v) => depthAtBin(x + u, y + v)));
      const least = Math.min(...corners);
      const centre = corners[4]!;
      const random = seededRandom(seed + key);
      const survey = Math.floor(y / SURVEY_BINS) * 2 ** 21 + Math.floor(x / SURVEY_BINS);
      const shared = SURVEY_SIGMA * normal(seededRandom(seed * 31 + survey));
      const isSounded =
        centre > 2 && x % 5 === 0 && y % 5 === 0 && longitudeAt(x / BINS) < ORIGIN.longitude;
      const made = {
        isLand: centre < -1,
        depth: CONTOURS.filter((contour) => contour <= least).at(-1),
        uncertainty: 0.5 + 0.01 * Math.max(0, centre),
        sounding: isSounded
          ? Math.round((centre + shared + 0.1 * normal(random)) * 10) / 10
          : undefined,
      };
      known.set(key, made);
      return made;
    },
  };
}

/** Column and row of the finest bin of a position. */
export const binAt = (longitude: number, latitude: number): readonly [x: number, y: number] => [
  Math.floor(mercatorX(longitude) * BINS),
  Math.floor(mercatorY(latitude) * BINS),
];

export const centreOf = (x: number, y: number): readonly [longitude: number, latitude: number] => [
  longitudeAt((x + 0.5) / BINS),
  latitudeAt((y + 0.5) / BINS),
];

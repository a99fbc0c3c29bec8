// Writes tracks in the format of IHO guideline B-12 for crowdsourced bathymetry: GeoJSON with the
// convention "GeoJSON CSB 3.1". Unknown values are omitted instead of invented, although the
// guideline requires all of them.

import { utc } from './decimal.ts';
import type { Soundings } from './soundings.ts';
import { type Details, type Track, type TrackWithSoundings, textIn } from './track.ts';
import { statedReference } from './transducer.ts';

/** Values of the deployment, used if the sender did not give them. */
interface TrustedNode {
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly dataLicense: string | undefined;
}

const CRS = 'EPSG:4326';
const UNKNOWN = 'Unknown';
/** The guideline's terms for the reference points of depths and positions. */
const DEPTH_REFERENCES = ['Transducer', 'Waterline', 'Unknown'];
const POSITION_REFERENCES = ['GNSS', 'Transducer', 'ReferencePlace'];

/** The guideline's form of a vessel's id: a node, and a UUID that the node assigned. */
const VESSEL_ID = /^[a-zA-Z][a-zA-Z0-9]*-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EMAIL = /^[\w.%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,6}$/;

export const isVesselId = (text: string): boolean => VESSEL_ID.test(text);

/**
 * Writes tracks of one vessel to one file. The guideline allows one vessel, logger and provider per
 * file.
 * @param tracks at least one
 * @param vesselIdOf returns the vessel's id in the guideline's form, always the same for a vessel
 * @returns `undefined` if the tracks differ in vessel, logger, provider or reference of the depths
 */
export function trackB12(
  tracks: readonly TrackWithSoundings[],
  vesselIdOf: (track: Track) => string,
  node: TrustedNode,
): string | undefined {
  const heads = tracks.map((one) => propertiesOf(one, vesselIdOf(one.track), node));
  const [properties] = heads;
  const text = JSON.stringify(properties);
  if (heads.some((one) => JSON.stringify(one) !== text)) return undefined;
  const ids = tracks.map(({ track: { id } }) => id);
  const head = {
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: CRS } },
    properties: {
      ...properties,
      leadline: {
        ...(ids.length === 1 ? { trackId: ids[0] } : { trackIds: ids }),
        ...(tracks.some(({ corrections }) => corrections)
          ? { corrections: tracks.map(({ corrections }) => corrections) }
          : {}),
      },
    },
  };
  const features: string[] = [];
  for (const { soundings } of tracks) {
    for (let i = 0; i < soundings.count; i++) features.push(featureOf(soundings, i));
  }
  return `${JSON.stringify(head).slice(0, -1)},"features":[${features.join(',')}]}`;
}

function propertiesOf(
  { track, corrections }: TrackWithSoundings,
  vesselId: string,
  node: TrustedNode,
) {
  const { provider, platform } = track.about;
  const isCorrected = corrections !== undefined;
  const email = textIn(provider, 'email') ?? node.email;
  const vessel = platformOf(platform, vesselId);
  return {
    trustedNode: {
      providerOrganizationName: textIn(provider, 'orgName') ?? node.name ?? UNKNOWN,
      ...(email !== undefined && EMAIL.test(email) ? { providerEmail: email } : {}),
      uniqueVesselID: vesselId,
      convention: 'GeoJSON CSB 3.1',
      dataLicense: textIn(provider, 'dataLicense') ?? node.dataLicense ?? UNKNOWN,
      providerLogger: textIn(provider, 'logger') ?? UNKNOWN,
      providerLoggerVersion: textIn(provider, 'loggerVersion') ?? UNKNOWN,
      navigationCRS: CRS,
      verticalReferenceOfDepth:
        // The guideline has no term for chart datum.
        (isCorrected ? undefined : oneOf(DEPTH_REFERENCES, statedReference(platform, provider))) ??
        UNKNOWN,
      // The guideline has no term for an unknown value. Loggers take positions from the receiver.
      vesselPositionReferencePoint:
        oneOf(POSITION_REFERENCES, textIn(provider, 'vesselPositionReferencePoint')) ?? 'GNSS',
    },
    ...(vessel === undefined
      ? {}
      : { platform: isCorrected ? { ...vessel, dataProcessed: true } : vessel }),
  };
}

function featureOf({ latitudes, longitudes, depths, times }: Soundings, i: number): string {
  const place = `{"type":"Point","coordinates":[${longitudes[i]},${latitudes[i]}]}`;
  const measured = `{"depth":${depths[i]},"time":"${utc(times[i]!)}"}`;
  return `{"type":"Feature","geometry":${place},"properties":${measured}}`;
}

/** `undefined` if a field that the guideline requires for a platform is missing or invalid. */
function platformOf(platform: Details | null, vesselId: string): Details | undefined {
  if (platform === null) return undefined;
  const [name, type, idType, idNumber] = ['name', 'type', 'IDType', 'IDNumber'].map((field) =>
    textIn(platform, field),
  );
  const { length } = platform;
  const isLength = typeof length === 'number' && length >= 0.5;
  const isNumbered =
    (idType === 'MMSI' && /^\d{9}$/.test(idNumber ?? '')) ||
    (idType === 'IMO' && /^IMO\d{7}$/.test(idNumber ?? ''));
  if (name === undefined || type === undefined || !isLength || !isNumbered) return undefined;
  return {
    uniqueID: vesselId,
    type,
    name,
    length: Math.round(length),
    IDType: idType,
    IDNumber: idNumber,
    soundSpeedDocumented: platform['soundSpeedDocumented'] === true,
    positionOffsetsDocumented: platform['positionOffsetsDocumented'] === true,
    dataProcessed: platform['dataProcessed'] === true,
  };
}

const oneOf = (words: readonly string[], given: unknown): string | undefined =>
  typeof given === 'string'
    ? words.find((word) => word.toLowerCase() === given.toLowerCase())
    : undefined;

// Tracks as the IHO's guideline B-12 has crowdsourced bathymetry: GeoJSON of convention "GeoJSON CSB
// 3.1". What is not known is left out rather than made up, though the guideline asks for all of it.

import { utc } from './decimal.ts';
import type { Soundings } from './soundings.ts';
import { type Details, type Track, type TrackWithSoundings, textIn } from './track.ts';

/** What the deployment says of itself, where the sender did not. */
interface TrustedNode {
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly dataLicense: string | undefined;
}

const CRS = 'EPSG:4326';
const UNKNOWN = 'Unknown';
/** The guideline's own words for what depths are measured from, and positions. */
const DEPTH_REFERENCES = ['Transducer', 'Waterline', 'Unknown'];
const POSITION_REFERENCES = ['GNSS', 'Transducer', 'ReferencePlace'];

/** How the guideline names a vessel: a node, and a UUID that the node gave it. */
const VESSEL_ID = /^[a-zA-Z][a-zA-Z0-9]*-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EMAIL = /^[\w.%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,6}$/;

export const isVesselId = (text: string): boolean => VESSEL_ID.test(text);

/**
 * Tracks of one vessel in one file. The guideline has room for one vessel, logger and provider in a file.
 * @param tracks at least one
 * @param vesselIdOf the vessel of a track as the guideline names it, always the same for a vessel
 * @returns `undefined` if the tracks differ in vessel, logger or provider
 */
export function trackB12(
  tracks: readonly TrackWithSoundings[],
  vesselIdOf: (track: Track) => string,
  node: TrustedNode,
): string | undefined {
  const heads = tracks.map(({ track }) => propertiesOf(track, vesselIdOf(track), node));
  const [properties] = heads;
  const text = JSON.stringify(properties);
  if (heads.some((one) => JSON.stringify(one) !== text)) return undefined;
  const ids = tracks.map(({ track: { id } }) => id);
  const head = {
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: CRS } },
    properties: {
      ...properties,
      leadline: ids.length === 1 ? { trackId: ids[0] } : { trackIds: ids },
    },
  };
  const features: string[] = [];
  for (const { soundings } of tracks) {
    for (let i = 0; i < soundings.count; i++) features.push(featureOf(soundings, i));
  }
  return `${JSON.stringify(head).slice(0, -1)},"features":[${features.join(',')}]}`;
}

function propertiesOf({ about }: Track, vesselId: string, node: TrustedNode) {
  const { provider, platform } = about;
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
        oneOf(DEPTH_REFERENCES, textIn(provider, 'verticalReferenceOfDepth')) ?? UNKNOWN,
      // There is no word for not knowing; loggers take positions from the receiver.
      vesselPositionReferencePoint:
        oneOf(POSITION_REFERENCES, textIn(provider, 'vesselPositionReferencePoint')) ?? 'GNSS',
    },
    ...(vessel === undefined ? {} : { platform: vessel }),
  };
}

function featureOf({ latitudes, longitudes, depths, times }: Soundings, i: number): string {
  const place = `{"type":"Point","coordinates":[${longitudes[i]},${latitudes[i]}]}`;
  const measured = `{"depth":${depths[i]},"time":"${utc(times[i]!)}"}`;
  return `{"type":"Feature","geometry":${place},"properties":${measured}}`;
}

/** The platform only where all is told that the guideline wants to know of one. */
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

const oneOf = (words: readonly string[], given: string | undefined): string | undefined =>
  words.find((word) => word === given);

// Writes tracks as GPX 1.1 (topografix.com/GPX/1/1). GPX has no field for depth. Plotters read it
// from Garmin's extension of track points.

import { decimal, utc } from './decimal.ts';
import type { Soundings } from './soundings.ts';
import { type TrackWithSoundings, textIn } from './track.ts';

const GPX = 'http://www.topografix.com/GPX/1/1';
const EXTENSION = 'http://www.garmin.com/xmlschemas/TrackPointExtension/v1';

/** One `trk` for each track. */
export const trackGpx = (tracks: readonly TrackWithSoundings[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Leadline" xmlns="${GPX}" xmlns:gpxtpx="${EXTENSION}">
${tracks.map(trkOf).join('\n')}
</gpx>
`;

function trkOf({ track: { id, about }, soundings }: TrackWithSoundings): string {
  const name = textIn(about.platform, 'name') ?? id;
  const points: string[] = [];
  for (let i = 0; i < soundings.count; i++) points.push(pointOf(soundings, i));
  return `<trk><name>${escaped(name)}</name><trkseg>
${points.join('\n')}
</trkseg></trk>`;
}

function pointOf({ latitudes, longitudes, depths, times }: Soundings, i: number): string {
  // In the schema, longitudes are less than 180°.
  const longitude = longitudes[i] === 180 ? -180 : longitudes[i]!;
  const depth = `<gpxtpx:TrackPointExtension><gpxtpx:depth>${decimal(depths[i]!)}</gpxtpx:depth></gpxtpx:TrackPointExtension>`;
  return `<trkpt lat="${decimal(latitudes[i]!)}" lon="${decimal(longitude)}"><time>${utc(times[i]!)}</time><extensions>${depth}</extensions></trkpt>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** XML 1.0 excludes most control characters, even if escaped, and U+FFFE and U+FFFF. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (letter) => ENTITIES[letter]!);

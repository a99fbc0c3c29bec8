// A client that takes style documents and the initial view from a region file, for offline charts. All
// other requests still go to the service.

import { addProtocol } from 'maplibre-gl';
import type { Client } from '../index.ts';
import type { Region } from '../region.ts';
import type { StyleDocument } from '../wire.ts';
import { isKnownGood } from './chart-style.ts';

/** Parameters that are fixed in the documents of a region file. */
const FIXED: ReadonlySet<string> = new Set(['theme', 'live', 'showUserReports']);

/** Also adds the protocol of the file to MapLibre. */
export function clientOfRegion(client: Client, region: Region): Client {
  addProtocol(region.protocolName, region.protocol as Parameters<typeof addProtocol>[1]);
  return {
    ...client,
    charts: {
      ...client.charts,
      style: async (parameters = {}) => {
        // Region files contain the themes of S-52 only.
        const { theme = 'day' } = parameters;
        // `style` throws if the file does not contain the theme.
        const document = await region.style(theme as Parameters<Region['style']>[0], {
          live: true,
        });
        return withDefaults(document, parameters);
      },
      tileJson: async () => ({ center: middleOf(region) }) as never,
    },
  };
}

/** @throws Error if the documents of the file do not support a parameter or value */
function withDefaults(document: StyleDocument, parameters: object): StyleDocument {
  const state = { ...(document as { state?: Readonly<Record<string, object>> }).state };
  for (const [name, value] of Object.entries(parameters)) {
    if (FIXED.has(name) || value === undefined) continue;
    if (!Object.hasOwn(state, name)) throw new Error(`the region file does not support ${name}.`);
    if (!isKnownGood(name, value)) throw new Error(`${value} is not a valid value of ${name}.`);
    state[name] = { default: value };
  }
  return { ...document, state } as StyleDocument;
}

/** Longitude and latitude of the centre, and a zoom at which the region fills 512 pixels. */
function middleOf({ note }: Region): [number, number, number] {
  const [west, south, east, north] = note.bounds as [number, number, number, number];
  const across = east >= west ? east - west : east - west + 360;
  const zoom = Math.log2(360 / Math.max(across, 1e-6));
  return [west + across / 2, (south + north) / 2, Math.min(note.lastZoom, zoom)];
}

// A region's file in the place of the service, for charts without a network: style documents and the
// place to begin at come from it. All else is asked of the service as ever, and says when it cannot be.

import type { Client } from '../index.ts';
import type { Region } from '../region.ts';
import type { StyleDocument } from '../wire.ts';
import { isKnownGood } from './chart-style.ts';

/** What a file's documents are drawn with always, and never. */
const FIXED: ReadonlySet<string> = new Set(['theme', 'live', 'showUserReports']);

/** The client with a region's file for its charts. */
export function clientOfRegion(client: Client, region: Region): Client {
  return {
    ...client,
    charts: {
      ...client.charts,
      style: async (parameters = {}) => {
        const { theme = 'day' } = parameters;
        // The file says which themes it has.
        const document = await region.style(theme as Parameters<Region['style']>[0], {
          live: true,
        });
        return withDefaults(document, parameters);
      },
      tileJson: async () => ({ center: middleOf(region) }) as never,
    },
  };
}

/** @throws Error naming a parameter that the file's documents cannot change */
function withDefaults(document: StyleDocument, parameters: object): StyleDocument {
  const state = { ...(document as { state?: Readonly<Record<string, object>> }).state };
  for (const [name, value] of Object.entries(parameters)) {
    if (FIXED.has(name) || value === undefined) continue;
    if (!Object.hasOwn(state, name))
      throw new Error(`the file has no charts with another ${name}.`);
    if (!isKnownGood(name, value)) throw new Error(`${name} cannot be ${value}.`);
    state[name] = { default: value };
  }
  return { ...document, state } as StyleDocument;
}

/** Longitude, latitude, and a zoom at which the region fills 512 pixels. */
function middleOf({ note }: Region): [number, number, number] {
  const [west, south, east, north] = note.bounds as [number, number, number, number];
  const across = east >= west ? east - west : east - west + 360;
  const zoom = Math.log2(360 / Math.max(across, 1e-6));
  return [west + across / 2, (south + north) / 2, Math.min(note.lastZoom, zoom)];
}

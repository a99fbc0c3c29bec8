// Names in a region file and its zoom range, shared by writers and readers.

import { MAX_VECTOR_ZOOM } from '../chart/band-for-zoom.ts';

/** Prefix of addresses in the style documents, replaced when the file is opened. */
export const REGION_ADDRESS = 'region://here';

/**
 * `plain` works in every client. In `live` styles, safety depth, units and toggles are global
 * state.
 */
export const KINDS = ['plain', 'live'] as const;
export type RegionStyleKind = (typeof KINDS)[number];

/** File name of a style document. */
export const styleFile = (theme: string, kind: RegionStyleKind): string =>
  `styles/${theme}${kind === 'live' ? '-live' : ''}.json`;

/**
 * The deepest zoom that a region serves. A region with all stored tiles goes as deep as the
 * service, which derives deeper tiles from their ancestors.
 */
export const lastZoom = (maxZoom: number, archiveZoom: number): number =>
  maxZoom >= archiveZoom ? MAX_VECTOR_ZOOM : maxZoom;

// Names within a region's file, and how deep it goes: what those who write it and those who read it
// have in common.

import { MAX_VECTOR_ZOOM } from '../chart/band-for-zoom.ts';

/** What addresses in the style documents begin with, to be replaced by where the file is. */
export const REGION_ADDRESS = 'region://here';

/** `plain` for every client; in `live` ones safety depth, units and toggles are global state. */
export const KINDS = ['plain', 'live'] as const;
export type RegionStyleKind = (typeof KINDS)[number];

/** Name of a style document among the files of a region. */
export const styleFile = (theme: string, kind: RegionStyleKind): string =>
  `styles/${theme}${kind === 'live' ? '-live' : ''}.json`;

/**
 * The deepest zoom whose tiles a region answers with: one with all that is stored goes as deep as the
 * service, whose last tiles are cut from their ancestors.
 */
export const lastZoom = (maxZoom: number, archiveZoom: number): number =>
  maxZoom >= archiveZoom ? MAX_VECTOR_ZOOM : maxZoom;

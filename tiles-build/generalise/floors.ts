// Floors: the zoom from which objects are shown if SCAMIN does not decide it. A chart that is drawn far
// below its compilation scale, because no coarser chart covers its ground, then shows depth areas, the
// coast, the most important names and lights, and dangers to ships in deep water.

import type { Drawable } from '../portray/features/drawable.ts';
import type { Reference } from '../quilt/reference-zooms.ts';
import { DANGERS, SOON } from './below-scale.ts';

/** Zooms below the scale of the reference at which objects of a kind are first shown. */
const BELOW = {
  /** Never hidden: the skin of the earth, coasts, depth contours, zones and data quality. */
  ground: Number.POSITIVE_INFINITY,
  /** Guides a ship in from the ocean, or endangers it there. */
  landfall: 5,
  /** Names of waters, regions and towns, and islets: what a reader recognises. */
  places: 4,
  /** Dangers, structures, aids and limits of areas: 1:80,000 becomes 1:320,000. */
  details: 2,
  /** Magnetic variation and streams apply to a wide area; harbour facilities serve a ship in port. */
  notes: 1,
} as const;

type Kind = keyof typeof BELOW;

/** The kinds of classes; a class that is not listed counts as `details`. */
const CLASSES: Readonly<Partial<Record<Kind, string>>> = {
  ground:
    'DEPARE DRGARE UNSARE SWPARE DEPCNT DEPEDGE LNDARE LAKARE RIVERS CANALS DOCARE LOKBSN TIDEWY ICEARE ' +
    'COALNE LAKSHR RIVBNK CANBNK SLCONS DAMCON CAUSWY DYKCON PONTON FLODOC HULKES ' +
    'maritime_line maritime_area maritime_label',
  landfall:
    'TSSLPT TSSBND TSELNE TSEZNE TSSCRS TSSRON ISTZNE PRCARE DWRTPT DWRTCL TWRTPT RCRTCL RCTLPT RECTRC ' +
    'ASLXIS ARCSLN',
  places: 'SEAARE LNDRGN BUAARE',
  notes:
    'MAGVAR LOCMAG CURENT TS_FEB TS_PAD HRBFAC SMCFAC BERTHS CHKPNT GRIDRN CRANES LNDELV SBDARE',
};

const KIND_OF = new Map(
  Object.entries(CLASSES).flatMap(([kind, classes]) =>
    classes.split(' ').map((layer) => [layer, kind as Kind] as const),
  ),
);
/** A light and its sectors have the same range, and so the same floor. */
const LIGHTS: ReadonlySet<string> = new Set(['LIGHTS', 'LIGHTS_SECTOR']);
const MAJOR_MILES = 10;
/** The deepest safety contour of ships in general use (S-52: 30 m). */
const DEEP_METERS = 30;

function kindOf({ layer, geometry, properties }: Drawable): Kind {
  if (layer.startsWith('M_')) return 'ground';
  if (layer === 'AREASYM' || layer === 'LOWACC') return kindOfSymbol(String(properties['cls']));
  if (LIGHTS.has(layer) && Number(properties['vn'] ?? 0) >= MAJOR_MILES) return 'landfall';
  if (DANGERS.has(layer)) return isDeepDanger(properties) ? 'landfall' : 'details';
  if (geometry.type === 'point') return layer === 'LNDARE' ? 'places' : kindOfSymbol(layer);
  return KIND_OF.get(layer) ?? 'details';
}

/** A point is a symbol or a name on the ground, not ground itself. */
function kindOfSymbol(layer: string): Kind {
  const kind = KIND_OF.get(layer) ?? 'details';
  return kind === 'ground' && !layer.startsWith('maritime') ? 'details' : kind;
}

/** An isolated danger for the safety contour of a ship in water that is deep around it. */
const isDeepDanger = ({ dd, ud }: Drawable['properties']): boolean =>
  typeof dd === 'number' && typeof ud === 'number' && ud >= DEEP_METERS && dd < DEEP_METERS;

/**
 * Drawables with their floors. SCAMIN takes precedence if it applies to the object. Two kinds differ:
 * a danger keeps its SCAMIN, and its floor limits at which zooms it may be drawn despite SCAMIN; a
 * sounding is shown from the zoom of the reference, or from its SCAMIN if that is earlier, because
 * SCAMIN differs between neighbouring charts and would leave one side of their border without depths.
 *
 * @param reference of the face that shows them; without it there are no floors
 */
export function withFloors(
  drawables: readonly Drawable[],
  reference: Reference | undefined,
): readonly Drawable[] {
  if (reference === undefined) return drawables;
  const { scaleZoom, soundingsZoom } = reference;
  return drawables.map((drawable) => {
    const isSounding = drawable.layer === 'SOUNDG';
    const zoom = isSounding ? soundingsZoom : scaleZoom - BELOW[kindOf(drawable)];
    const isPoint = drawable.geometry.type === 'point';
    // Lines and areas cannot fade in within a zoom: they appear slightly early, or at the next zoom.
    const rounded = isPoint ? Math.floor(zoom * 10) / 10 : Math.ceil(zoom - SOON);
    return floored(drawable, Math.max(rounded, 0));
  });
}

function floored(drawable: Drawable, zoom: number): Drawable {
  const { layer, properties } = drawable;
  const { mz, ...others } = properties;
  const scamin = mz as number | undefined;
  if (layer === 'SOUNDG') {
    if (scamin !== undefined && scamin <= zoom) return drawable;
    return from(drawable, { ...others, mz: zoom }, { zoom, properties: others });
  }
  if (zoom === 0) return drawable;
  if (DANGERS.has(layer)) {
    const limited = { ...others, mz: Math.max(scamin ?? 0, zoom), rz: zoom };
    const withFloor = from(drawable, limited, { zoom, properties });
    return { ...withFloor, minZoom: Math.max(drawable.minZoom, withFloor.minZoom) };
  }
  if (scamin !== undefined) return drawable;
  return from(drawable, { ...properties, mz: zoom }, { zoom, properties });
}

function from(
  drawable: Drawable,
  properties: Drawable['properties'],
  floor: NonNullable<Drawable['floor']>,
): Drawable {
  return { ...drawable, properties, minZoom: Math.floor(floor.zoom), floor };
}

/** The properties at a zoom: from its floor on, an object has only the zooms that other rules set. */
export function propertiesFromFloor(
  drawable: Drawable,
  properties: Drawable['properties'],
  zoom: number,
): Drawable['properties'] {
  const { floor } = drawable;
  if (floor === undefined || floor.zoom > zoom) return properties;
  if (properties === drawable.properties) return floor.properties;
  const { mz, rz, ...rest } = properties;
  return {
    ...rest,
    ...(mz === undefined || mz === floor.zoom ? {} : { mz }),
    ...(rz === undefined || rz === floor.zoom ? {} : { rz }),
  };
}

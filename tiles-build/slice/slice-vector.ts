// Cuts the drawables of one owner into the fragments of its vector tiles, zoom by zoom.

import { MAX_VECTOR_ZOOM, tierForZoom } from '../../shared/chart/band-for-zoom.ts';
import type { Flat } from '../../shared/geo/clip-box.ts';
import { remembered } from '../../shared/geo/map-entries.ts';
import { MAX_LATITUDE } from '../../shared/geo/mercator.ts';
import { groupRings } from '../../shared/geo/ring.ts';
import { splitPolygon } from '../../shared/geo/split-polygon.ts';
import {
  EXTENT,
  encodeTile,
  LayerBuilder,
  lineCommands,
  pointCommands,
  polygonCommands,
} from '../../shared/mvt/encode.ts';
import { BUFFERED_TILE, TILE_BUFFER } from '../../shared/mvt/overzoom.ts';
import { AreaSigns } from '../generalise/area-signs.ts';
import { propertiesFromFloor, withFloors } from '../generalise/floors.ts';
import { KEEPS_SPECKS, roundingStepAt } from '../generalise/grain.ts';
import { PointRanks } from '../generalise/point-ranks.ts';
import { RepeatedTexts } from '../generalise/repeated-texts.ts';
import type { Drawable } from '../portray/features/drawable.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { gridX, gridY } from '../quilt/coverage.ts';
import { type IsMade, madeVectorTiles } from '../quilt/made-tiles.ts';
import type { Face, Ownership } from '../quilt/ownership.ts';
import { faceDigest } from '../quilt/ownership-digest.ts';
import { partAlongBorder } from './along-border.ts';
import { borderRuns } from './border-runs.ts';
import { cutShape, type Shape } from './cut-shape.ts';
import { EdgeShapes, type Speck } from './edge-shapes.ts';
import { type Fragment, inTileOrder, numberFromKey, tileIdOf } from './fragment.ts';
import { type Frame, pictureFrame } from './frame.ts';
import { GatheredShapes } from './gathered-shapes.ts';
import { type OwnsPoint, pointOwner } from './own-point.ts';
import { coverageProperties, type Owner } from './owner.ts';
import { type Territory, type TilePart, territoryOf, tileKey } from './territory.ts';

/**
 * The vector fragments of one owner, in tile id order.
 * @param isWanted selects the tiles; default: all
 */
export function* sliceVector(
  owner: Owner,
  drawables: readonly Drawable[],
  ownership: Ownership,
  clipper: Clipper,
  isWanted: IsMade = () => true,
): Generator<Fragment, void, undefined> {
  const edges = new EdgeShapes(owner.coverage?.rings);
  const made = madeVectorTiles(ownership.makers);
  const isMade: IsMade = (...tile) => isWanted(...tile) && made(...tile);
  const ids = new Map(drawables.map(({ key }) => [key, numberFromKey(key)]));
  const ranksAt = ranksByFace(owner, drawables, ownership);
  for (let zoom = 0; zoom <= MAX_VECTOR_ZOOM; zoom++) {
    const face = ownership.faces.find(({ tier }) => tier === tierForZoom(zoom))!;
    if (face.rings.length === 0) continue;
    const frame = pictureFrame(zoom, EXTENT, TILE_BUFFER);
    const { shown, ranks } = ranksAt(face);
    const layout = new ZoomLayout({ owner, frame, face, ownership, isMade, ranks, clipper });
    if (layout.territory.tiles.size === 0) continue;
    edges.begin(frame, EXTENT, roundingStepAt(zoom, owner.nativeZoom));
    layout.addCoverage();
    for (const drawable of shown) {
      // Objects whose SCAMIN zoom is deeper than the deepest tiles are in those, for styles to
      // show.
      const minZoom = Math.min(drawable.minZoom, owner.deepestZoom);
      const isDue = minZoom <= zoom || ranks.isLastSign(drawable, zoom);
      if (isDue) layout.add(drawable, edges, ids.get(drawable.key)!);
    }
    yield* inTileOrder(layout.finish());
  }
}

/** Decides which points of a face are shown at a zoom. */
interface ShownPoints {
  /** Whether it is shown although SCAMIN hides it, because nothing near it represents it. */
  isLastSign(drawable: Drawable, zoom: number): boolean;
  at(drawable: Drawable, zoom: number): Drawable['properties'] | undefined;
}

/** The drawables of a face with their floors, and which of its points are shown. */
interface RankedFace {
  readonly shown: readonly Drawable[];
  readonly ranks: ShownPoints;
}

/** Ranks of the points that a face shows, computed once for all zooms with the same face. */
function ranksByFace(
  owner: Owner,
  drawables: readonly Drawable[],
  ownership: Ownership,
): (face: Face) => RankedFace {
  const rankedFaces = new Map<string, RankedFace>();
  return (face) => {
    const key = `${faceDigest(face, false)} ${JSON.stringify(face.reference)}`;
    let found = rankedFaces.get(key);
    if (found === undefined) {
      const ownsPoint = pointOwner(ownership, face);
      const shown = withFloors(drawables, face.reference);
      const points = shown.filter(
        ({ geometry }) =>
          geometry.type === 'point' &&
          Math.abs(geometry.latitude) <= MAX_LATITUDE &&
          ownsPoint(gridX(geometry.longitude), gridY(geometry.latitude)),
      );
      const ranked = new PointRanks(points, owner.scaleZoom);
      const visibleFrom = (point: Drawable) => ranked.visibleFrom(point);
      const texts = new RepeatedTexts(points, owner.deepestZoom, visibleFrom);
      const signs = new AreaSigns(points, owner.scaleZoom, owner.deepestZoom, visibleFrom);
      const ranks: ShownPoints = {
        isLastSign: (drawable, zoom) => ranked.isLastSign(drawable, zoom),
        at: (drawable, zoom) => {
          const ownRank = ranked.at(drawable, zoom);
          const written = ownRank && texts.at(drawable, ownRank, zoom);
          const signed = written && signs.at(drawable, written, zoom);
          return signed && propertiesFromFloor(drawable, signed, zoom);
        },
      };
      found = { shown, ranks };
      rankedFaces.set(key, found);
    }
    return found;
  };
}

interface LayoutOptions {
  readonly owner: Owner;
  readonly frame: Frame;
  readonly face: Face;
  readonly ownership: Ownership;
  readonly isMade: IsMade;
  readonly ranks: ShownPoints;
  readonly clipper: Clipper;
}

type EmitLines = (part: TilePart, lines: Flat[]) => void;

/** The tiles of one owner at one zoom while they are filled. */
class ZoomLayout {
  readonly territory: Territory;
  readonly #owner: Owner;
  readonly #frame: Frame;
  readonly #face: Flat[];
  readonly #coverage: readonly Flat[];
  readonly #gridFace: readonly Flat[];
  readonly #hasFinerNeighbour: boolean;
  /** Whether all ground of the cell has a skin. */
  readonly #isCharted: boolean;
  readonly #ownsPoint: OwnsPoint;
  readonly #isMade: IsMade;
  readonly #clipper: Clipper;
  readonly #tiles = new Map<number, { part: TilePart; layers: Map<string, LayerBuilder> }>();
  readonly #ranks: ShownPoints;
  /**
   * The same tiles as if entirely owned; computed once, as ground may have thousands of borders.
   */
  #wholeTiles: Territory | undefined;
  /** Layers, properties and places of specks, to draw one of several at the same place. */
  readonly #specks = new Set<string>();
  /** Only below the compilation scale: see GatheredShapes. */
  readonly #gathered: GatheredShapes | undefined;

  constructor({ owner, frame, face, ownership, isMade, ranks, clipper }: LayoutOptions) {
    this.#owner = owner;
    this.#frame = frame;
    this.#gridFace = face.rings;
    this.#hasFinerNeighbour = face.hasFinerNeighbour === true;
    this.#isCharted = face.bare === undefined;
    this.#coverage = ownership.coverage;
    this.#face = face.rings.map((ring) =>
      ring.map((value, i) => (i % 2 === 0 ? frame.x(value) : frame.y(value))),
    );
    this.territory = territoryOf(this.#face, frame, isMade);
    this.#ownsPoint = pointOwner(ownership, face);
    this.#isMade = isMade;
    this.#clipper = clipper;
    this.#ranks = ranks;
    this.#gathered = frame.zoom < owner.nativeZoom ? new GatheredShapes() : undefined;
  }

  /** The owned ground, and its border as lines. */
  addCoverage(): void {
    const { coverage } = this.#owner;
    if (coverage === undefined) return;
    const id = numberFromKey(`coverage/${coverage.name}`);
    const properties = coverageProperties(coverage, this.#hasFinerNeighbour, this.#isCharted);
    const { left, top, right, bottom } = BUFFERED_TILE;
    for (const part of this.territory.tiles.values()) {
      const rings = part.rings?.map((ring) => local(ring, part)) ?? [
        [left, top, right, top, right, bottom, left, bottom],
      ];
      // Finer cells can divide the ground. Rings are grouped by their winding, which needs whole numbers.
      const polygons = groupRings(rings.map((ring) => ring.map(Math.round))).flatMap((polygon) =>
        splitPolygon(polygon, BUFFERED_TILE),
      );
      this.#layer(part, 'coverage').add(id, 3, properties, polygonCommands(polygons));
    }
    this.#face.forEach((ring, i) => {
      for (const { kind, line } of borderRuns(ring, this.#gridFace[i]!, this.#coverage)) {
        this.#cutLines([line], this.#whole(), (part, lines) =>
          this.#layer(part, 'coverage_line').add(
            id,
            2,
            { cell: coverage.name, k: kind },
            lineCommands(lines),
          ),
        );
      }
    });
  }

  add(drawable: Drawable, edges: EdgeShapes, id: number): void {
    const { geometry, layer } = drawable;
    if (geometry.type === 'point') {
      this.#addPoint(drawable, geometry.longitude, geometry.latitude, id);
      return;
    }
    const properties = propertiesFromFloor(drawable, drawable.properties, this.#frame.zoom);
    const specks: Flat[] = [];
    const addSpeck = (speck: Speck) => {
      if (this.#isOwnSpeck(drawable, speck)) specks.push(speck.path);
    };
    if (geometry.type === 'line') {
      const whole = edges.lines(geometry.chains, layer === 'LNDARE' ? addSpeck : undefined);
      this.#cutOwnedLines(whole, specks, (part, lines) => {
        const layerBuilder = this.#layer(part, layer);
        if (this.#gathered === undefined) layerBuilder.add(id, 2, properties, lineCommands(lines));
        else this.#gathered.addLines(layerBuilder, id, properties, lines);
      });
      return;
    }
    const polygons = edges.polygons(
      geometry.polygons,
      KEEPS_SPECKS.has(layer) ? addSpeck : undefined,
    );
    const emit = (part: TilePart, cut: Shape) => {
      if (cut.type !== 'area') return;
      const layerBuilder = this.#layer(part, layer);
      const moved = cut.polygons.map((rings) => rings.map((ring) => local(ring, part)));
      if (this.#gathered === undefined) layerBuilder.add(id, 3, properties, polygonCommands(moved));
      else this.#gathered.addPolygons(layerBuilder, id, properties, moved);
    };
    cutShape({ type: 'area', polygons }, this.#frame, this.territory, this.#clipper, emit);
    if (specks.length === 0) return;
    const squares: Shape = { type: 'area', polygons: specks.map((ring) => [ring]) };
    cutShape(squares, this.#frame, this.#whole(), this.#clipper, emit);
  }

  /**
   * Whether a speck is the first at its place. Like a symbol, it is not cut to the owned ground, because
   * its rounded place may lie beyond the border.
   */
  #isOwnSpeck({ layer, properties }: Drawable, { gridX: x, gridY: y, path }: Speck): boolean {
    const key = `${layer} ${JSON.stringify(properties)} ${path[0]} ${path[1]}`;
    if (this.#specks.has(key) || !this.#ownsPoint(x, y)) return false;
    this.#specks.add(key);
    return true;
  }

  /**
   * Cuts lines to the owned ground. Emits each tile once, with the parts along the border.
   * @param specks lines that are cut to the tiles only
   */
  #cutOwnedLines(lines: readonly Flat[], specks: readonly Flat[], emit: EmitLines): void {
    // The border is found before lines are cut to tiles, because the cut rounds positions. The
    // background is excluded: its border is large, and has no charted lines.
    const { along, beside } =
      this.#owner.coverage === undefined
        ? { along: [], beside: lines }
        : partAlongBorder(lines, this.#face);
    const uncut = [...along, ...specks];
    if (uncut.length === 0) {
      this.#cutLines(beside, this.territory, emit);
      return;
    }
    const found = new Map<number, { part: TilePart; lines: Flat[] }>();
    const add: EmitLines = (part, cut) => {
      const key = tileKey(part.column, part.row);
      const tile = found.get(key);
      if (tile === undefined) found.set(key, { part, lines: cut });
      else for (const line of cut) tile.lines.push(line);
    };
    this.#cutLines(beside, this.territory, add);
    this.#cutLines(uncut, this.#whole(), add);
    for (const { part, lines: cut } of found.values()) emit(part, cut);
  }

  #cutLines(lines: readonly Flat[], territory: Territory, emit: EmitLines): void {
    cutShape({ type: 'line', lines }, this.#frame, territory, this.#clipper, (part, cut) => {
      if (cut.type === 'line')
        emit(
          part,
          cut.lines.map((line) => local(line, part)),
        );
    });
  }

  /** For borders and specks: they lie on the edge of the part, so they are cut to the tile only. */
  #whole(): Territory {
    this.#wholeTiles ??= {
      has: this.territory.has,
      tiles: new Map(
        [...this.territory.tiles].map(([key, part]) => [
          key,
          { ...part, rings: undefined, box: undefined },
        ]),
      ),
    };
    return this.#wholeTiles;
  }

  #addPoint(drawable: Drawable, longitude: number, latitude: number, id: number): void {
    const gx = gridX(longitude);
    const gy = gridY(latitude);
    if (!this.#ownsPoint(gx, gy)) return;
    const x = this.#frame.x(gx);
    const y = this.#frame.y(gy);
    const column = this.#frame.columnAt(x);
    const row = this.#frame.rowAt(y);
    if (row < 0 || row >= 2 ** this.#frame.zoom) return;
    if (!this.#isMade(this.#frame.zoom, this.#frame.zoom, column, row)) return;
    const part = this.territory.tiles.get(tileKey(column, row)) ?? {
      column,
      row,
      rings: undefined,
      box: undefined,
    };
    const properties = this.#ranks.at(drawable, this.#frame.zoom);
    if (properties === undefined) return;
    const at = local([x, y], part);
    this.#layer(part, drawable.layer).add(id, 1, properties, pointCommands(at));
  }

  finish(): Fragment[] {
    this.#gathered?.finish();
    const fragments: Fragment[] = [];
    for (const { part, layers } of this.#tiles.values()) {
      const bytes = encodeTile(layers.values());
      if (bytes.length === 0) continue;
      fragments.push({ tileId: tileIdOf(this.#frame.zoom, part.column, part.row), bytes });
    }
    return fragments;
  }

  #layer(part: TilePart, name: string): LayerBuilder {
    const key = tileKey(part.column, part.row);
    const tile = remembered(this.#tiles, key, () => ({ part, layers: new Map() }));
    return remembered(tile.layers, name, () => new LayerBuilder(name));
  }
}

/** Converts frame coordinates to those of one tile. */
function local(path: Flat, { column, row }: TilePart): Flat {
  const out: Flat = new Array(path.length);
  for (let i = 0; i < path.length; i += 2) {
    out[i] = path[i]! - column * EXTENT;
    out[i + 1] = path[i + 1]! - row * EXTENT;
  }
  return out;
}

// Portrayal of real cells: complete, in conformance with the schema, with symbols inside their areas and
// safety edges wherever safe water meets unsafe water.

import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { QUERY_ONLY_CLASSES } from '../../../shared/chart/tile-schema.ts';
import type { Cell, Feature } from '../../../shared/s57/cell/cell.ts';
import { areaOf, nodesOf, positionsOf } from '../../../shared/s57/cell/geometry.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import type { Drawable } from '../../../tiles-build/portray/features/drawable.ts';
import { portrayCell } from '../../../tiles-build/portray/portray-cell.ts';
import { encData } from '../../support/enc-data.ts';
import { schemaFaults } from './schema-conformance.ts';

const ROOTS = ['ENC_ROOT', 'synthetic', 'edge/gdal_autotest', 'edge/anti_abut']
  .map((folder) => encData(folder))
  .filter(existsSync);

interface Portrayed {
  readonly cell: Cell;
  readonly drawn: readonly Drawable[];
}

const keyOf = ({ id }: Feature) => `${id.agency}-${id.number}-${id.subdivision}`;
const classOf = (feature: Feature) => feature.acronym.toUpperCase();

describe.runIf(ROOTS.length > 0)('portrayal of real cells', () => {
  const portrayed: Portrayed[] = [];

  beforeAll(async () => {
    const { cells } = await findCells(ROOTS);
    for (const source of cells) {
      const { cell } = readCell(await loadCell(source));
      if (cell !== undefined) portrayed.push({ cell, drawn: portrayCell(cell) });
    }
  });

  it('conforms to the schema and uses only existing images', () => {
    expect(portrayed.length).toBeGreaterThanOrEqual(13);
    const faults = new Set(portrayed.flatMap(({ drawn }) => drawn.flatMap(schemaFaults)));
    expect([...faults]).toEqual([]);
  });

  it('draws each sounding once, with its position and depth', () => {
    for (const { cell, drawn } of portrayed) {
      const charted = cell.features
        .filter((feature) => classOf(feature) === 'SOUNDG')
        .flatMap((feature) => nodesOf(cell, feature))
        .flatMap(({ positions, depths }) =>
          Array.from(depths ?? [], (d, i) => `${positions[2 * i]} ${positions[2 * i + 1]} ${d}`),
        );
      const shown = drawn.flatMap(({ layer, geometry, properties }) =>
        layer === 'SOUNDG' && geometry.type === 'point'
          ? [`${geometry.longitude} ${geometry.latitude} ${properties['d']}`]
          : [],
      );
      expect(shown.sort(), cell.header.name).toEqual(charted.sort());
    }
  });

  it('draws every object that is not query-only, except limits without drawable edges', () => {
    for (const { cell, drawn } of portrayed) {
      const keys = new Set(drawn.flatMap(({ key }) => key.split(':')));
      const silent = cell.features.filter(
        (feature) =>
          feature.primitive !== 'none' &&
          classOf(feature) !== 'SOUNDG' &&
          !QUERY_ONLY_CLASSES.has(classOf(feature)) &&
          !keys.has(keyOf(feature)) &&
          feature.spatial.some((use) => use.usage !== 'truncated' && !use.masked),
      );
      // Named waters without a name, and one buoyage region whose limits are all border.
      const told = silent.filter((feature) => classOf(feature) !== 'SEAARE');
      expect(told.map((feature) => `${classOf(feature)} ${keyOf(feature)}`)).toEqual([]);
    }
  });

  it('gives each feature of a cell a different key', () => {
    for (const { cell, drawn } of portrayed) {
      const keys = drawn.map(({ layer, key, geometry }) => `${layer} ${geometry.type} ${key}`);
      const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
      expect(
        twice.filter((key) => !key.startsWith('SOUNDG')),
        cell.header.name,
      ).toEqual([]);
    }
  });

  it('places the symbol of an area inside it', () => {
    for (const { cell, drawn } of portrayed) {
      const areas = new Map(
        cell.features.filter((f) => f.primitive === 'area').map((f) => [keyOf(f), f]),
      );
      const outside = drawn.filter(({ layer, geometry, key }) => {
        const area = areas.get(key.split(':')[2] ?? '');
        if (layer !== 'AREASYM' || area === undefined || geometry.type !== 'point') return false;
        return !holds(cell, area, geometry.longitude, geometry.latitude);
      });
      expect(outside.map(({ key }) => key)).toEqual([]);
    }
  });

  it('finds the depth around each point danger like a test of every depth area', () => {
    const { cell, drawn } = portrayed.find(({ cell: { header } }) => header.name === 'US5AK5QG')!;
    const depths = cell.features.filter(
      (f) => f.primitive === 'area' && ['DEPARE', 'DRGARE'].includes(f.acronym),
    );
    const dangers = drawn.filter(
      ({ layer, geometry, properties }) =>
        ['UWTROC', 'OBSTRN', 'WRECKS'].includes(layer) &&
        geometry.type === 'point' &&
        properties['ar'] === undefined,
    );
    expect(dangers.length).toBeGreaterThan(90);
    for (const { geometry, properties, key } of dangers) {
      if (geometry.type !== 'point' || properties['ud'] === -100) continue;
      const around = depths
        .filter((area) => holds(cell, area, geometry.longitude, geometry.latitude))
        .map((area) => Number(area.attributes['DRVAL1'] ?? -1));
      expect(Math.max(...around), key).toBe(properties['ud']);
    }
  });

  it('has a safety edge wherever safe water meets unsafe water', () => {
    for (const { cell, drawn } of portrayed) {
      for (const limit of [3, 5.4, 10]) {
        const expected = new Set<number>();
        const sides = new Map<number, number[]>();
        for (const feature of cell.features) {
          if (feature.primitive !== 'area' || !/^(DEPARE|DRGARE)$/.test(classOf(feature))) continue;
          const depth = Number(feature.attributes['DRVAL1'] ?? -1);
          for (const use of feature.spatial) {
            sides.set(use.id, [...(sides.get(use.id) ?? []), depth]);
          }
        }
        for (const [edge, depths] of sides) {
          if (Math.min(...depths) < limit && Math.max(...depths) >= limit) expected.add(edge);
        }
        const found = new Set(
          drawn.flatMap(({ layer, geometry, properties: { s, d } }) =>
            layer === 'DEPEDGE' &&
            geometry.type === 'line' &&
            Number(s) < limit &&
            Number(d) >= limit
              ? geometry.chains.flatMap((chain) => chain.map((use) => use.edge.id))
              : [],
          ),
        );
        expect([...expected].filter((edge) => !found.has(edge))).toEqual([]);
      }
    }
  });
});

/** Even-odd rule over all rings, each tested separately. */
function holds(cell: Cell, area: Feature, x: number, y: number): boolean {
  let inside = false;
  for (const ring of areaOf(cell, area).flat()) {
    const p = positionsOf(ring.uses);
    for (let i = 0, j = p.length - 2; i < p.length; j = i, i += 2) {
      const [xi, yi, xj, yj] = [p[i]!, p[i + 1]!, p[j]!, p[j + 1]!];
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
    }
  }
  return inside;
}

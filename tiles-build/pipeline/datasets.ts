// The provenance of a build: source, terms and date of each dataset. The attributions endpoint
// serves it.

import { boxesMeet, type GeoBounds } from '../../shared/chart/bounds.ts';
import type { Dataset, ManifestCell } from '../../shared/chart/manifest.ts';
import { NOT_FOR_NAVIGATION } from './tilesets.ts';

/** Producing agency of NOAA (S-62), whose terms of use are known. */
const NOAA = 550;

const NOAA_SITE = 'https://www.charts.noaa.gov/ENCs/ENCs.shtml';
const NATURAL_EARTH_SITE = 'https://www.naturalearthdata.com';

interface DatasetInputs {
  readonly cells: readonly ManifestCell[];
  /** Download address of the cells, if known. */
  readonly cellsUrl: string | undefined;
  readonly backgroundName: string;
  /** Epoch milliseconds. */
  readonly cellsSourcedAt: number;
  readonly backgroundSourcedAt: number;
  readonly processedAt: number;
}

/** Returns the dataset records, the cells' first. */
export function describeDatasets(inputs: DatasetInputs): readonly Dataset[] {
  const used = inputs.cells.filter((cell) => cell.status.startsWith('used'));
  const sourceUrl = inputs.cellsUrl ?? (used.some(isNoaa) ? NOAA_SITE : undefined);
  return [
    {
      id: 'enc',
      shortDescription: 'Electronic navigational charts (ENC)',
      longDescription: encDescription(used),
      ...(sourceUrl !== undefined && { sourceUrl }),
      dataSourcedAt: inputs.cellsSourcedAt,
      dataProcessedAt: inputs.processedAt,
    },
    {
      id: 'background',
      shortDescription: 'Background land and lakes from Natural Earth',
      longDescription:
        `Land and lakes at small scale for the ground without charts: ${inputs.backgroundName}. ` +
        `Made with Natural Earth, which is in the public domain. ${NOT_FOR_NAVIGATION}`,
      sourceUrl: NATURAL_EARTH_SITE,
      dataSourcedAt: inputs.backgroundSourcedAt,
      dataProcessedAt: inputs.processedAt,
    },
  ];
}

/**
 * One line of attribution for archives and maps.
 * @param used the cells that are shown
 * @param box the part of the world
 */
export function attributionIn(used: readonly ManifestCell[], box: GeoBounds): string {
  const charts = used.some((cell) => isNoaa(cell) && boxesMeet(cell.bounds, box))
    ? 'Charts derived from NOAA ENC'
    : 'Charts derived from S-57 cells';
  return `${charts}; background Natural Earth. ${NOT_FOR_NAVIGATION}`;
}

function encDescription(used: readonly ManifestCell[]): string {
  const sentences = [
    `Derived from ${used.length} S-57 ${used.length === 1 ? 'cell' : 'cells'}` +
      ` issued ${issueSpan(used)}.`,
  ];
  if (used.some(isNoaa)) {
    sentences.push(
      'Cells of agency 550 are NOAA ENC®, produced by the National Oceanic and Atmospheric ' +
        'Administration of the United States, a work of the US government, and used under the ' +
        'NOAA ENC User Agreement. The derived charts are not official NOAA ENCs: they were ' +
        'reformatted, cut and simplified, and NOAA does not endorse them.',
    );
  }
  if (!used.every(isNoaa)) {
    const others = [...new Set(used.filter((cell) => !isNoaa(cell)).map((cell) => cell.agency))];
    sentences.push(
      `Cells of producing agency ${others.sort((a, b) => a - b).join(', ')} (S-62 code) remain ` +
        'subject to the terms of their producers.',
    );
  }
  sentences.push(NOT_FOR_NAVIGATION);
  return sentences.join(' ');
}

function isNoaa(cell: ManifestCell): boolean {
  return cell.agency === NOAA;
}

function issueSpan(cells: readonly ManifestCell[]): string {
  const dates = cells.map((cell) => cell.issueDate).filter(isDate);
  if (dates.length === 0) return 'at unknown dates';
  const first = dates.reduce((a, b) => (a < b ? a : b));
  const last = dates.reduce((a, b) => (a > b ? a : b));
  return first === last ? `on ${dashed(first)}` : `from ${dashed(first)} to ${dashed(last)}`;
}

function isDate(text: string): boolean {
  return /^\d{8}$/.test(text);
}

function dashed(date: string): string {
  return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
}

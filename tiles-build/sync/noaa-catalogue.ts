// Reads NOAA's catalogue ENCProdCat.xml ("NOAA ENC Product Catalog Technical Specifications" 1.0),
// which is also available for each state, region and district.

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isCellName } from '../fetch/sources.ts';
import { type Box, boxAround } from './boxes.ts';
import {
  type Catalogue,
  CatalogueUnreadable,
  type CellVersion,
  compareVersions,
  type OfferedCell,
} from './catalogue.ts';

const ROOT = 'EncProductCatalog';
const LISTS = new Set(['cell', 'state', 'region', 'coast_guard_district', 'panel', 'vertex']);

/** Cells are parsed one by one: a tree of the national catalogue needs almost 1 GB of memory. */
const CELL = /<(?:\w+:)?cell(?:\s[^>]*)?>[\s\S]*?<\/(?:\w+:)?cell\s*>/g;
const COMMENT = /<!--[\s\S]*?-->/g;

const PARSER = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  removeNSPrefix: true,
  isArray: (name) => LISTS.has(name),
});

type Node = Readonly<Record<string, unknown>>;

/**
 * Read a catalogue.
 *
 * @param text the complete XML
 * @param address source of the catalogue; base of relative addresses in it
 * @param zips address of a folder with the zips, instead of the addresses in the catalogue
 * @throws CatalogueUnreadable if the XML is malformed (for example truncated) or not a catalogue
 */
export function readNoaaCatalogue(text: string, address: string, zips?: string): Catalogue {
  const fault = XMLValidator.validate(text);
  if (fault !== true) {
    throw new CatalogueUnreadable(
      `${address} is not a catalogue: it is not well-formed XML (line ${fault.err.line}). Check --from.`,
    );
  }
  const bare = text.replace(COMMENT, '');
  const frame = PARSER.parse(bare.replace(CELL, '')) as Node;
  if (!Object.hasOwn(frame, ROOT)) {
    const name = Object.keys(frame)[0] ?? 'nothing';
    throw new CatalogueUnreadable(
      `${address} is not a chart catalogue: the root element is <${name}>, expected <${ROOT}>.`,
    );
  }
  const problems: string[] = [];
  const cells = new Map<string, OfferedCell>();
  let unnamedCount = 0;
  for (const [entry] of bare.matchAll(CELL)) {
    const [node = {}] = listOf((PARSER.parse(entry) as Node)['cell']);
    const cell = offeredCell(node, address, zips, problems);
    if (cell === undefined) {
      unnamedCount++;
      continue;
    }
    const before = cells.get(cell.name);
    if (before !== undefined)
      problems.push(`${cell.name} is listed twice; the newer entry is used.`);
    if (before === undefined || isNewer(cell, before)) cells.set(cell.name, cell);
  }
  if (cells.size === 0) throw new CatalogueUnreadable(`${address} contains no cells.`);
  return { cells: [...cells.values()], problems, unnamedCount };
}

/** The cell, also without a usable address; `undefined` if its name is invalid. */
function offeredCell(
  node: Node,
  address: string,
  zips: string | undefined,
  problems: string[],
): OfferedCell | undefined {
  const name = textOf(node, 'name').toUpperCase();
  if (!isCellName(name)) {
    problems.push(`The catalogue contains an invalid cell name: "${name.slice(0, 40)}".`);
    return undefined;
  }
  const isWithdrawn = /^(cancel|withdraw|inactive|replaced)/i.test(textOf(node, 'status'));
  const place = zips === undefined ? textOf(node, 'zipfile_location') : `${zips}/${name}.zip`;
  const url = addressOf(place, address);
  if (url === undefined && !isWithdrawn)
    problems.push(`${name} has an invalid or insecure address: "${place.slice(0, 200)}".`);
  const bytes = textOf(node, 'zipfile_size');
  const panels = listOf(isNode(node['cov']) ? node['cov']['panel'] : undefined);
  return {
    name,
    title: textOf(node, 'lname').replace(/\s+/g, ' '),
    version: versionOf(node),
    isWithdrawn,
    url,
    bytes: /^\d+$/.test(bytes) ? Number(bytes) : undefined,
    zipTime: textOf(node, 'zipfile_datetime_iso8601') || textOf(node, 'zipfile_datetime'),
    states: textsOf(node['states'], 'state').map((state) => state.toUpperCase()),
    regions: textsOf(node['regions'], 'region'),
    districts: textsOf(node['coast_guard_districts'], 'coast_guard_district'),
    boxes: panels.map(boxOf).filter((box) => box !== undefined),
  };
}

function versionOf(node: Node): CellVersion | undefined {
  const [edition, update] = [textOf(node, 'edtn'), textOf(node, 'updn')];
  if (!/^\d{1,9}$/.test(edition) || !/^\d{0,9}$/.test(update)) return undefined;
  return { edition: Number(edition), update: Number(update) };
}

/** Bounding box of a panel. Panels of type I are holes and have no box. */
function boxOf(panel: Node): Box | undefined {
  if (/^i/i.test(textOf(panel, 'type'))) return undefined;
  const positions = listOf(panel['vertex'])
    .map((vertex) => [Number(textOf(vertex, 'long')), Number(textOf(vertex, 'lat'))] as const)
    .filter(([longitude, latitude]) => Number.isFinite(longitude) && Number.isFinite(latitude));
  return boxAround(positions);
}

/**
 * Resolve an address. Only HTTP(S) is accepted, and only HTTPS if the catalogue itself came by
 * HTTPS.
 */
function addressOf(place: string, address: string): string | undefined {
  if (place === '') return undefined;
  try {
    const isRemote = /^https?:/i.test(address);
    const url = isRemote ? new URL(place, address) : new URL(place);
    const allowed = /^https:/i.test(address) ? ['https:'] : ['http:', 'https:'];
    return allowed.includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

function isNewer(a: OfferedCell, b: OfferedCell): boolean {
  if (a.version === undefined || b.version === undefined) return a.version !== undefined;
  return compareVersions(a.version, b.version) > 0;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

function listOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function textOf(node: Node, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value.trim() : '';
}

function textsOf(node: unknown, name: string): readonly string[] {
  const values = isNode(node) ? node[name] : undefined;
  if (!Array.isArray(values)) return [];
  return values.filter((value): value is string => typeof value === 'string').map((v) => v.trim());
}

// A plain folder of zips on a web server: the links of its index page, each a zip of cells.

import { type Catalogue, CatalogueUnreadable, type OfferedCell } from './catalogue.ts';

const LINK = /<a\s[^>]*href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
/** Names that are safe as names of files here. */
const ZIP_NAME = /^[A-Za-z0-9][\w.-]{0,120}\.zip$/i;

/**
 * The zips that an index page links, each in that folder itself; its `name` is the zip's without its
 * ending.
 *
 * @throws CatalogueUnreadable where there is none
 */
export function readZipIndex(html: string, address: string): Catalogue {
  const folder = new URL('.', address);
  const cells = new Map<string, OfferedCell>();
  for (const [, double, single, bare] of html.matchAll(LINK)) {
    const url = linked((double ?? single ?? bare ?? '').replaceAll('&amp;', '&'), folder);
    const file = url?.href.slice(folder.href.length) ?? '';
    if (url === undefined || !url.href.startsWith(folder.href) || !ZIP_NAME.test(file)) continue;
    const name = file.slice(0, -'.zip'.length);
    cells.set(name, { ...UNKNOWN, name, url: url.href });
  }
  if (cells.size === 0) throw new CatalogueUnreadable(`${address} links no zip.`);
  return { cells: [...cells.values()], problems: [] };
}

const UNKNOWN = {
  title: '',
  version: undefined,
  isWithdrawn: false,
  bytes: undefined,
  zipTime: '',
  states: [],
  regions: [],
  districts: [],
  boxes: [],
} as const;

function linked(place: string, folder: URL): URL | undefined {
  try {
    const url = new URL(place, folder);
    url.search = '';
    url.hash = '';
    return url;
  } catch {
    return undefined;
  }
}

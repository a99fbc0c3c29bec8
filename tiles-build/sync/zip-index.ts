// Reads the index page of a folder of zips on a web server.

import { type Catalogue, CatalogueUnreadable, type OfferedCell } from './catalogue.ts';

const LINK = /<a\s[^>]*href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
/** Zip names that are safe as local file names. */
const ZIP_NAME = /^[A-Za-z0-9][\w.-]{0,120}\.zip$/i;

/**
 * The zips that an index page links and that are in the same folder. `name` is the file name
 * without `.zip`.
 *
 * @throws CatalogueUnreadable if there are no such links
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
  if (cells.size === 0) throw new CatalogueUnreadable(`${address} contains no links to zips.`);
  return { cells: [...cells.values()], problems: [], unnamedCount: 0 };
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

// The deliveries among the found files: which data server a file is from, the latest state of its cell,
// and notices about missing or older base media.

import type { Problem } from '../../shared/s57/cell/cell.ts';
import type { CellFileSource, FoundText } from '../exchange-set/cell-source.ts';
import { dashed } from './days.ts';
import { folderTexts, type Text } from './folder-texts.ts';
import {
  linesOf,
  type Product,
  readProducts,
  readSerial,
  readStatus,
  type Serial,
} from './media.ts';
import { sse } from './sse.ts';

export interface Deliveries {
  /** The delivery of a file; undefined if no SERIAL.ENC is above it. */
  of(file: Pick<CellFileSource, 'origin'>): Serial | undefined;
  /** The latest state of a cell, from the newest product list of a data server. */
  latest(cell: string, dataServer: string): Product | undefined;
  /** Notices about base media. @param incomplete licensed cells that do not reach their latest state */
  notices(incomplete: ReadonlySet<string>, today: string): readonly Problem[];
}

/** Read the texts of all deliveries. An unreadable text is ignored, because it decides nothing. */
export async function readDeliveries(texts: readonly FoundText[]): Promise<Deliveries> {
  const read = async <Content>(
    name: string,
    contentOf: (lines: readonly string[]) => Content | undefined,
  ): Promise<readonly Text<Content>[]> => {
    const found: Text<Content>[] = [];
    for (const text of texts) {
      if (text.name !== name) continue;
      const content = contentOf(linesOf(await text.read().catch(() => new Uint8Array(0))));
      if (content !== undefined) found.push({ prefix: prefixOf(text), content });
    }
    // A set below another one has the longer prefix.
    return found.sort((a, b) => b.prefix.length - a.prefix.length);
  };
  const serials = await read('SERIAL.ENC', readSerial);
  const media = await read('MEDIA.TXT', readSerial);
  const statuses = await read('STATUS.LST', readStatus);
  const products = await read('PRODUCTS.TXT', readProducts);
  const [serialOf, mediumOf] = [folderTexts(serials), folderTexts(media)];
  const serverOf = (prefix: string): string =>
    (serialOf.near(prefix) ?? mediumOf.near(prefix))?.dataServer ?? '';
  const lists = products
    .map(({ prefix, content }) => ({ server: serverOf(prefix), ...content }))
    .sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
  const newest = new Map<string, Product & { readonly date: string }>();
  for (const { server, date, products: list } of lists) {
    for (const [cell, product] of list) {
      const key = `${server} ${cell}`;
      const known = newest.get(key);
      if (known === undefined || (known.date === date && isNewer(product, known))) {
        newest.set(key, { ...product, date });
      }
    }
  }
  const latest = (cell: string, dataServer: string) => newest.get(`${dataServer} ${cell}`);
  return {
    of: ({ origin }) => serialOf.above(origin),
    latest,
    notices(incomplete, today) {
      const sets = [...serials, ...media].map(({ content }) => content);
      const future = sets.find(({ issued }) => issued > today);
      const clock = `The date is ${dashed(today)}, and a delivery is of ${dashed(future?.issued ?? today)}`;
      const bases = statuses.flatMap(({ content }) => content);
      return [
        ...(future === undefined ? [] : [sse(14, { found: clock })]),
        ...bases.flatMap((base) => {
          const own = sets.filter(
            ({ place, dataServer }) => place === base.place && dataServer === base.dataServer,
          );
          const needs = [...incomplete].filter((cell) =>
            isAt(latest(cell, base.dataServer), base.place),
          );
          if (needs.length === 0 || own.some(({ issued }) => issued >= base.issued)) return [];
          const reason =
            own.length === 0
              ? 'is needed for'
              : 'is newer than the base delivery that was given for';
          const message = `Load "${base.title}" first: it ${reason} ${namesOf(needs)}. Updates may not fit without it`;
          return [{ code: 's63-base-media', message, severity: 'warning' } as const];
        }),
      ];
    },
  };
}

const isNewer = (a: Product, b: Product): boolean =>
  a.edition > b.edition || (a.edition === b.edition && a.update > b.update);

const isAt = (product: Product | undefined, place: string): boolean => product?.places[0] === place;

const namesOf = (cells: readonly string[]): string =>
  cells.slice(0, 10).join(', ') + (cells.length > 10 ? ` and ${cells.length - 10} more cells` : '');

/** The folder of a text. INFO belongs to the folder above it. */
function prefixOf({ origin, name }: FoundText): string {
  const folder = origin.slice(0, origin.length - name.length);
  return folder.replace(/(?<=^|[\\/:])INFO[\\/]$/i, '');
}

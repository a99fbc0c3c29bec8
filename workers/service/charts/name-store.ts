// Finds named objects of the current build by the typed text. Pages of the archive are read in few
// range requests and cached within a limit.

import type { Entry } from 'pmtiles';
import { daysAt, isInForce } from '../../../shared/chart/in-force.ts';
import type { Manifest } from '../../../shared/chart/manifest.ts';
import type { NamesQuery } from '../../../shared/contract/names.ts';
import { entriesOf, hasWords, inOrder, pageRun } from '../../../shared/names/find-names.ts';
import {
  firstPageOf,
  NAMES_TILESET,
  type NameEntry,
  type NamePage,
  readPage,
} from '../../../shared/names/name-page.ts';
import { objectClassByCode } from '../../../shared/s57/vocabulary/object-classes.ts';
import type { Env } from '../runtime/env.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { openEntries } from './archive-entries.ts';
import type { OpenArchive } from './open-archive.ts';
import { BrokenArchive } from './part-heads.ts';
import { withArchive } from './tile-store.ts';

/** Memory for each byte of a page's text. */
const BYTES_A_BYTE = 3;

/** Number of the longest typed words that are compared to find the rarest one. */
const WORDS_COMPARED = 4;

interface KeptPage extends NamePage {
  readonly weight: number;
}

/** Cache: opened pages; keys contain the build id. */
const opened = boundedCache<KeptPage>('namePages', { sizeOf: ({ weight }) => weight });

interface FoundNames {
  readonly names: readonly NameEntry[];
  /** Whether these are all results. */
  readonly isComplete: boolean;
}

/** @throws ApiError 503 if the archive is missing, unreadable or damaged */
export function findNames(
  env: Env,
  manifest: Manifest,
  query: NamesQuery,
  cost: RequestCost,
): Promise<FoundNames> {
  return withArchive(env, manifest, NAMES_TILESET, cost, async (archive) => {
    const pages = new Pages(archive);
    const days = daysAt(Date.now());
    const isCurrent = ({ classCode, period }: NameEntry) =>
      period === undefined || isInForce(objectClassByCode(classCode)?.acronym ?? '', period, days);
    const { q: typed, near, limit } = query;
    const phrase = await pages.beginning(typed);
    const found = entriesOf(phrase.pages, typed).filter(isCurrent);
    let names = inOrder(found, { typed, near });
    let { isCut } = phrase;
    const words = typed.split(' ');
    if (words.length > 1 && names.length <= limit) {
      const rarest = await pages.rarest(words);
      const others = entriesOf(rarest.pages, rarest.typed);
      const matching = others.filter((entry) => hasWords(entry, words) && isCurrent(entry));
      names = inOrder([...found, ...matching], { typed, near });
      isCut ||= rarest.isCut;
    }
    return { names: names.slice(0, limit), isComplete: !isCut && names.length <= limit };
  });
}

interface Run {
  readonly typed: string;
  readonly pages: readonly NamePage[];
  readonly isCut: boolean;
}

/** The pages of an archive as used by one request. */
class Pages {
  readonly #archive: OpenArchive;

  constructor(archive: OpenArchive) {
    this.#archive = archive;
  }

  /** Names whose keys begin with the typed text. */
  async beginning(typed: string): Promise<Run> {
    const first = firstPageOf(typed);
    const [page] = await this.#read([first]);
    if (page === undefined) return { typed, pages: [], isCut: false };
    const { from, to, isCut } = pageRun(page.next, typed);
    const isMore = isCut || page.isCut === true;
    const ids = Array.from({ length: to - from }, (_, i) => first + from + i);
    return { typed, pages: (await this.#read(ids)).map(whole), isCut: isMore };
  }

  /** Names for the word with the fewest candidates, among the longest words. */
  async rarest(all: readonly string[]): Promise<Run> {
    const words = [...all].sort((a, b) => b.length - a.length).slice(0, WORDS_COMPARED);
    const pages = await this.#read(words.map(firstPageOf));
    const weights = words.map((_, i) => weightOf(pages[i], words[i]!));
    const least = weights.reduce((best, weight, i) => (weight < weights[best]! ? i : best), 0);
    return this.beginning(words[least]!);
  }

  /**
   * Pages by tile id, in the given order; `undefined` for pages that the archive does not contain.
   */
  async #read(ids: readonly number[]): Promise<readonly (NamePage | undefined)[]> {
    const entries = await Promise.all(ids.map((id) => this.#archive.entryOfId(id)));
    const there = entries.filter((entry): entry is Entry => entry !== undefined);
    const pages = await openEntries(this.#archive, there, {
      cache: opened,
      open: (bytes) => ({
        ...readPage(new TextDecoder().decode(bytes)),
        weight: BYTES_A_BYTE * bytes.length,
      }),
    });
    return entries.map((entry) => (entry === undefined ? undefined : pages.get(entry.offset)));
  }
}

/** Amount of data to search for a word. @param page the first of its bucket */
function weightOf(page: NamePage | undefined, word: string): number {
  if (page === undefined) return 0;
  const { from, to, isCut } = pageRun(page.next, word);
  return isCut ? Number.POSITIVE_INFINITY : to - from;
}

function whole(page: NamePage | undefined): NamePage {
  if (page === undefined) throw new BrokenArchive('a page of names is missing');
  return page;
}

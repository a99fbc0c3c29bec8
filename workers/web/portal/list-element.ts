// The base of the sections with a list: a search, pages, and all entries as CSV.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { allEntries, downloadCsv, type ListPage, PortalError, textOf } from './api.ts';
import { filledValuesOf, PortalElement } from './portal-element.ts';

const PAGE = 50;

type Cell = string | number;

/** @typeParam Form names of the forms that can be open for an entry */
export abstract class ListElement<
  T extends object,
  Form extends string = never,
> extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    entries: { state: true },
    next: { state: true },
    query: { state: true },
    opened: { state: true },
    downloaded: { state: true },
  };
  /** The entries that are shown; `undefined` until the first page is there. */
  declare protected entries: readonly T[] | undefined;
  /** Where the next page begins; `undefined` if all entries are shown. */
  declare protected next: string | undefined;
  /** The search, as parameters of the address. */
  declare protected query: string;
  /** The entry whose form is open. */
  declare protected opened: { readonly id: string; readonly form: Form } | undefined;
  /** Number of entries that a download has read; `undefined` without one. */
  declare protected downloaded: number | undefined;
  /** Number of times that a page was asked for. */
  #loads = 0;
  /** The search whose entries are shown. */
  #shownQuery = '';

  constructor() {
    super();
    this.query = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.read(() => this.reload());
  }

  /** Unique in the list. */
  protected keyOf(entry: T): unknown {
    return (entry as { readonly id?: unknown }).id;
  }

  /** Shows a changed entry instead of the one with the same key. */
  protected replace(changed: T): void {
    const key = this.keyOf(changed);
    this.entries = this.entries?.map((one) => (this.keyOf(one) === key ? changed : one));
  }

  /** Whether the list contains all accounts, for administrators. */
  protected get isOfAll(): boolean {
    return false;
  }

  protected isOpen(id: string, form: Form): boolean {
    return this.opened?.id === id && this.opened.form === form;
  }

  /** A button that opens or closes a form of an entry. @param of the name of the entry */
  protected formOpener(id: string, form: Form, title: string, of: string): TemplateResult {
    return this.opener(title, of, this.isOpen(id, form), () => this.toggle(id, form));
  }

  /** Opens a form of an entry, or closes it if it is open. */
  protected toggle(id: string, form: Form): void {
    this.opened = this.isOpen(id, form) ? undefined : { id, form };
  }

  /** Changes an entry, closes its form and loads the list again. */
  protected change(work: () => Promise<unknown>): void {
    void this.attempt(async () => {
      await work();
      this.opened = undefined;
      await this.reload();
    });
  }

  /** The page that begins at `from`, or the first one. */
  protected abstract page(from: string | undefined, limit: number): Promise<ListPage<T>>;

  /** Loads the list again. @param least minimum number of entries to load, if the list has that many */
  protected async reload(least = this.entries?.length ?? 0): Promise<void> {
    await this.#load([], undefined, least);
  }

  async #more(): Promise<void> {
    const shown = this.entries ?? [];
    await this.#load(shown, this.next, shown.length + 1);
    await this.focusEntry(shown.length);
  }

  /** Old entries are shown until the new ones are loaded. */
  async #load(before: readonly T[], from: string | undefined, least: number): Promise<void> {
    const load = ++this.#loads;
    const { query } = this;
    const entries = [...before];
    let next = from;
    do {
      const page = await this.page(next, PAGE);
      // The list was searched or loaded again meanwhile.
      if (load !== this.#loads) return;
      for (const entry of page.entries) entries.push(entry);
      next = page.next;
    } while (entries.length < Math.max(1, least) && next !== undefined);
    this.entries = entries;
    this.next = next;
    this.#shownQuery = query;
  }

  /** Loads the entries of a search. @param query parameters of the address */
  protected search(query: string): void {
    this.query = query;
    this.reloadFor(() => (this.query = this.#shownQuery), 0);
  }

  /**
   * Loads the entries of another search or choice.
   * @param undo called if that fails: the next page is one of the entries that are still shown
   */
  protected reloadFor(undo: () => void, least?: number): void {
    const load = this.#loads + 1;
    this.read(async () => {
      try {
        await this.reload(least);
      } catch (error) {
        if (load === this.#loads) undo();
        throw error;
      }
    });
  }

  /** @param fields labels by name of the parameter. @param most maximum number of characters, except of an account */
  protected searchForm(fields: Readonly<Record<string, string>>, most = 128): TemplateResult {
    const submit = (event: SubmitEvent) =>
      this.search(`${new URLSearchParams(filledValuesOf(event))}`);
    return html`<form class="card" @submit=${submit}>
      <h2>Search</h2>
      ${Object.entries(fields).map(
        ([name, title]) => html`<label for="search-${name}">${title}</label>
          <input id="search-${name}" name=${name} maxlength=${name === 'account' ? 64 : most} autocomplete="off" />`,
      )}
      <button class="main">Search</button>
    </form>`;
  }

  /** @param empty what the user can do if there is no entry */
  protected list(row: (entry: T) => unknown, empty: unknown, more = 'Show more') {
    return html`<p role="status">${this.#result(empty)}</p>
      <ul class="tokens">${repeat(this.entries ?? [], (entry) => this.keyOf(entry), row)}</ul>
      ${
        this.next === undefined
          ? nothing
          : html`<button type="button" ?disabled=${this.isBusy}
              @click=${() => this.read(() => this.#more())}>${more}</button>`
      }`;
  }

  /** What screen readers say when entries were loaded. */
  #result(empty: unknown): unknown {
    const { entries, next } = this;
    const isSearch = this.#shownQuery !== '';
    if (entries?.length === 0 && next === undefined) {
      return isSearch ? 'No entry matches. Remove a part of the search.' : empty;
    }
    return entries !== undefined && isSearch
      ? `Entries found: ${entries.length}${next === undefined ? '' : ', and more'}`
      : nothing;
  }

  /** A button that downloads all entries, also those that are not shown yet. */
  protected downloadButton(
    name: string,
    head: readonly string[],
    cellsOf: (entry: T) => Cell[],
    title = 'Download as CSV',
  ) {
    const { downloaded } = this;
    const download = async () => {
      // A disabled button would lose the focus.
      if (this.downloaded !== undefined) return;
      this.downloaded = 0;
      try {
        const all = await allEntries<T>(
          (from, limit) => this.page(from, limit),
          (count) => (this.downloaded = count),
        );
        downloadCsv(name, [head, ...all.map(cellsOf)]);
      } catch (error) {
        const status = error instanceof PortalError ? error.status : 0;
        throw new PortalError(status, `The file was not made. ${textOf(error)}`);
      } finally {
        this.downloaded = undefined;
      }
    };
    return html`<button type="button" aria-disabled=${downloaded !== undefined}
      @click=${() => this.aside(download)}>${title}${downloaded === undefined ? nothing : `: ${downloaded} entries`}</button>`;
  }
}

/** A page of a list whose next page begins after its last entry. */
export const pageByKey = <T>(
  entries: readonly T[],
  limit: number,
  keyOf: (entry: T) => string | number,
): ListPage<T> => ({
  entries,
  next: entries.length < limit ? undefined : `${keyOf(entries.at(-1)!)}`,
});

/** A search and a page as parameters of an address. */
export function pageQuery(query: string, page: Readonly<Record<string, unknown>>): string {
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(page)) {
    if (value !== undefined) all.set(name, `${value}`);
  }
  return `${all}`;
}

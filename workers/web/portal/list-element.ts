// The base of the sections with a list: a search, pages, and all entries as CSV.

import { html, nothing, type TemplateResult } from 'lit';
import { allEntries, downloadCsv, type ListPage } from './api.ts';
import { filledValuesOf, PortalElement } from './portal-element.ts';

const PAGE = 50;

type Cell = string | number;

/** @typeParam Form names of the forms that can be open for an entry */
export abstract class ListElement<T, Form extends string = never> extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    entries: { state: true },
    next: { state: true },
    query: { state: true },
    opened: { state: true },
  };
  /** The entries that are shown; `undefined` until the first page is there. */
  declare protected entries: readonly T[] | undefined;
  /** Where the next page begins; `undefined` if all entries are shown. */
  declare protected next: string | undefined;
  /** The search, as parameters of the address. */
  declare protected query: string;
  /** The entry whose form is open. */
  declare protected opened: { readonly id: string; readonly form: Form } | undefined;
  /** Number of times that a page was asked for. */
  #loads = 0;

  constructor() {
    super();
    this.query = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.read(() => this.reload());
  }

  /** Whether the list contains all accounts, for administrators. */
  protected get isOfAll(): boolean {
    return false;
  }

  /** Opens a form of an entry, or closes it if it is open. */
  protected toggle(id: string, form: Form): void {
    const isOpen = this.opened?.id === id && this.opened.form === form;
    this.opened = isOpen ? undefined : { id, form };
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

  protected async reload(): Promise<void> {
    this.entries = undefined;
    this.next = undefined;
    await this.#more();
  }

  async #more(): Promise<void> {
    const load = ++this.#loads;
    let page: ListPage<T>;
    let from = this.next;
    do {
      page = await this.page(from, PAGE);
      // The list was searched or loaded again meanwhile.
      if (load !== this.#loads) return;
      from = page.next;
    } while (page.entries.length === 0 && from !== undefined);
    this.entries = [...(this.entries ?? []), ...page.entries];
    this.next = from;
  }

  /** @param fields labels by name of the parameter */
  protected searchForm(fields: Readonly<Record<string, string>>): TemplateResult {
    const submit = (event: SubmitEvent) => {
      this.query = `${new URLSearchParams(filledValuesOf(event))}`;
      this.read(() => this.reload());
    };
    return html`<form class="card" @submit=${submit}>
      <h2>Search</h2>
      ${Object.entries(fields).map(
        ([name, title]) => html`<label for="search-${name}">${title}</label>
          <input id="search-${name}" name=${name} maxlength="128" autocomplete="off" />`,
      )}
      <button class="main">Search</button>
    </form>`;
  }

  /** @param empty what the user can do if there is no entry */
  protected list(row: (entry: T) => unknown, empty: unknown, more = 'Show more') {
    if (this.entries === undefined) return nothing;
    if (this.entries.length === 0 && this.next === undefined) {
      return html`<p>${this.query === '' ? empty : 'No entry matches. Remove a part of the search.'}</p>`;
    }
    return html`<ul class="tokens">${this.entries.map(row)}</ul>
      ${
        this.next === undefined
          ? nothing
          : html`<button type="button"
              @click=${() => this.read(() => this.#more())}>${more}</button>`
      }`;
  }

  /** A button that downloads all entries, also those that are not shown yet. */
  protected downloadButton(
    name: string,
    head: readonly string[],
    cellsOf: (entry: T) => Cell[],
    title = 'Download as CSV',
  ) {
    const download = async () => {
      const all = await allEntries<T>((from, limit) => this.page(from, limit));
      downloadCsv(name, [head, ...all.map(cellsOf)]);
    };
    return html`<button type="button"
      @click=${() => this.aside(download)}>${title}</button>`;
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

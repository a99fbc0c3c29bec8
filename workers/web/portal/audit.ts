// The audit trail, for administrators: a list by pages with a search, and all entries as CSV.

import { html, nothing } from 'lit';
import type { AuditEntry } from '../../../shared/contract/audit.ts';
import { ask } from './api.ts';
import { PortalElement, valuesOf } from './portal-element.ts';

const PAGE = 50;
const FILTERS = {
  account: 'Account',
  actor: 'Actor, such as user:ID',
  act: 'Action, such as token mint',
} as const;

class PortalAudit extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    entries: { state: true },
    isComplete: { state: true },
    filter: { state: true },
  };
  declare protected entries: readonly AuditEntry[];
  declare protected isComplete: boolean;
  /** The filter as a query. */
  declare protected filter: string;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#search('');
  }

  #search(filter: string): void {
    this.filter = filter;
    this.entries = [];
    this.#more();
  }

  #more(): void {
    void this.attempt(async () => {
      const last = this.entries.at(-1);
      const query = new URLSearchParams(this.filter);
      query.set('limit', `${PAGE}`);
      if (last !== undefined) query.set('before', `${last.id}`);
      const page = await ask<AuditEntry[]>('GET', `/admin/audit?${query}`);
      this.entries = [...this.entries, ...page];
      this.isComplete = page.length < PAGE;
    });
  }

  #submit(event: SubmitEvent): void {
    const values = Object.entries(valuesOf(event)).map(([name, text]) => [name, text.trim()]);
    this.#search(`${new URLSearchParams(values.filter(([, text]) => text !== ''))}`);
  }

  protected override render() {
    return html`
      <h1>Audit trail</h1>
      ${this.messageBox()}
      <form class="card" @submit=${(event: SubmitEvent) => this.#submit(event)}>
        <h2>Search</h2>
        ${Object.entries(FILTERS).map(
          ([name, title]) => html`<label for="audit-${name}">${title}</label>
            <input id="audit-${name}" name=${name} maxlength="128" autocomplete="off" />`,
        )}
        <button class="main" ?disabled=${this.isBusy}>Search</button>
      </form>
      <p class="tools">
        <a href="/api/portal/v1/admin/audit.csv?${this.filter}" download>Download as CSV</a>
      </p>
      ${this.#list()}`;
  }

  #list() {
    if (this.entries.length === 0) {
      if (this.isBusy || this.message !== '') return nothing;
      return this.filter === ''
        ? html`<p>There is no entry yet. Create a token or an account, and the action is listed here.</p>`
        : html`<p>No entry matches. Remove a part of the search.</p>`;
    }
    return html`
      <ul class="tokens">${this.entries.map(row)}</ul>
      ${
        this.isComplete
          ? nothing
          : html`<button type="button" ?disabled=${this.isBusy} @click=${() => this.#more()}>Show more</button>`
      }`;
  }
}

const row = ({ at, actor, act, accountId, tokenId, detail }: AuditEntry) => html`<li>
  <h3>${act}</h3>
  <p>${new Date(at).toLocaleString()} by ${actor}${accountId === null ? '' : `; account ${accountId}`}${
    tokenId === null ? '' : `; token ${tokenId}`
  }</p>
  <p><code>${JSON.stringify(detail)}</code></p>
</li>`;

customElements.define('portal-audit', PortalAudit);

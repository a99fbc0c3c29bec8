// The people whose reports and votes are rejected: a list by pages, and unblocking.

import { html, nothing } from 'lit';
import type { ReportBlock } from '../../../shared/contract/moderation.ts';
import { allEntries, ask, dayOf, downloadCsv, isoOf } from './api.ts';
import { PortalElement } from './portal-element.ts';

const PAGE = 50;

export class PortalBlocks extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    blocks: { state: true },
    isComplete: { state: true },
  };
  declare protected blocks: readonly ReportBlock[];
  declare protected isComplete: boolean;

  override connectedCallback(): void {
    super.connectedCallback();
    this.blocks = [];
    this.reload();
  }

  reload(): void {
    void this.attempt(async () => {
      this.blocks = [];
      await this.#more();
    });
  }

  async #more(): Promise<void> {
    const page = await this.#pageBefore(this.blocks.at(-1), PAGE);
    this.blocks = [...this.blocks, ...page];
    this.isComplete = page.length < PAGE;
  }

  #pageBefore(last: ReportBlock | undefined, limit: number): Promise<ReportBlock[]> {
    return ask('GET', `/blocks?limit=${limit}${last === undefined ? '' : `&before=${last.id}`}`);
  }

  #unblock(id: number): void {
    void this.attempt(async () => {
      await ask('DELETE', `/blocks/${id}`);
      this.blocks = this.blocks.filter((one) => one.id !== id);
      this.announce('unblocked');
    });
  }

  async #download(): Promise<void> {
    const blocks = await allEntries<ReportBlock>((last, limit) => this.#pageBefore(last, limit));
    const rows = blocks.map(({ id, accountId, kind, name, createdAt }) => [
      ...[id, accountId, kind, name, isoOf(createdAt)],
    ]);
    downloadCsv('blocks', [['number', 'account', 'kind', 'name', 'blocked'], ...rows]);
  }

  protected override render() {
    return html`
      <h2>Blocked people</h2>
      ${this.messageBox()}
      ${
        this.blocks.length === 0
          ? html`<p>Nobody is blocked. To block the author of a report, select the report.</p>`
          : html`<p class="tools"><button type="button"
              @click=${() => void this.attempt(() => this.#download())}>Download blocked people as CSV</button></p>`
      }
      <ul class="tokens">${this.blocks.map(
        ({ id, accountId, kind, name, createdAt }) => html`<li>
          <h3>${name}</h3>
          <p>${kind === 'user' ? 'End user' : 'Subject'} of ${accountId}; since ${dayOf(createdAt)}</p>
          <button type="button" aria-label=${`Unblock: ${name}`} ?disabled=${this.isBusy}
            @click=${() => this.#unblock(id)}>Unblock</button>
        </li>`,
      )}</ul>
      ${
        this.isComplete !== false
          ? nothing
          : html`<button type="button" ?disabled=${this.isBusy}
              @click=${() => void this.attempt(() => this.#more())}>Show more blocked people</button>`
      }`;
  }
}

customElements.define('portal-blocks', PortalBlocks);

// The people whose reports and votes are rejected: a list by pages, and unblocking.

import { html, nothing } from 'lit';
import type { ReportBlock } from '../../../shared/contract/moderation.ts';
import { ask, dayOf, isoOf } from './api.ts';
import { confirmForm } from './confirm-form.ts';
import { ListElement, pageByKey, pageQuery } from './list-element.ts';

const KINDS = { user: 'End user', stated: 'End user (not verified)', subject: 'Subject' } as const;
const HEAD = ['number', 'account', 'kind', 'name', 'blocked'];
const EMPTY = 'Nobody is blocked. To block the author of a report, select the report.';

export class PortalBlocks extends ListElement<ReportBlock, 'unblock'> {
  protected override async page(before: string | undefined, limit: number) {
    const page = await ask<ReportBlock[]>('GET', `/blocks?${pageQuery('', { limit, before })}`);
    return pageByKey(page, limit, ({ id }) => id);
  }

  /** Read the list again. */
  refresh(): void {
    this.read(() => this.reload());
  }

  #unblock(id: number): void {
    void this.attempt(async () => {
      await ask('DELETE', `/blocks/${id}`);
      this.opened = undefined;
      this.entries = this.entries?.filter((one) => one.id !== id);
      this.announce('unblocked');
    });
  }

  protected override render() {
    return html`
      <h2>Blocked people</h2>
      ${this.messageBox()}
      ${
        this.entries?.length
          ? html`<p class="tools">${this.downloadButton('blocks', HEAD, cellsOf, 'Download blocked people as CSV')}</p>`
          : nothing
      }
      ${this.list((block) => this.#row(block), EMPTY, 'Show more blocked people')}`;
  }

  #row({ id, accountId, kind, name, createdAt }: ReportBlock) {
    const isOpen = this.opened?.id === `${id}`;
    const consequence =
      'New reports and votes are accepted again. To block this person again, you need one of the reports.';
    return html`<li>
      <h3>${name}</h3>
      <p>${KINDS[kind]} of ${accountId}; since ${dayOf(createdAt)}</p>
      <button type="button" aria-label=${`Unblock: ${name}`} aria-expanded=${isOpen} ?disabled=${this.isBusy}
        @click=${() => this.toggle(`${id}`, 'unblock')}>Unblock</button>
      ${
        isOpen
          ? confirmForm(
              { id: `unblock-${id}`, name, consequence, action: 'Unblock', isBusy: this.isBusy },
              () => this.#unblock(id),
            )
          : nothing
      }
    </li>`;
  }
}

const cellsOf = ({ id, accountId, kind, name, createdAt }: ReportBlock) => [
  ...[id, accountId, kind, name, isoOf(createdAt)],
];

customElements.define('portal-blocks', PortalBlocks);

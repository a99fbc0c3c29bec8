// The audit trail, for administrators: a list by pages with a search, and all entries as CSV.

import { html } from 'lit';
import type { AuditEntry } from '../../../shared/contract/audit.ts';
import { ask, timeText } from './api.ts';
import { ListElement, pageByKey, pageQuery } from './list-element.ts';

class PortalAudit extends ListElement<AuditEntry> {
  protected override async page(before: string | undefined, limit: number) {
    const query = pageQuery(this.query, { limit, before });
    const page = await ask<AuditEntry[]>('GET', `/admin/audit?${query}`);
    return pageByKey(page, limit, ({ id }) => id);
  }

  protected override render() {
    const empty =
      'There is no entry yet. Create a token or an account, and the action is listed here.';
    return html`
      <h1>Audit trail</h1>
      ${this.messageBox()}
      ${this.searchForm({
        account: 'Account',
        actor: 'Actor, such as user:ID',
        act: 'Action, such as token mint',
      })}
      <p class="tools">
        <a href="/api/portal/v1/admin/audit.csv?${this.query}" download>Download as CSV</a>
      </p>
      ${this.list(row, empty)}`;
  }
}

const row = ({ at, actor, act, accountId, tokenId, detail }: AuditEntry) => html`<li>
  <h3>${act}</h3>
  <p>${timeText(at)} by ${actor}${accountId === null ? '' : `; account ${accountId}`}${
    tokenId === null ? '' : `; token ${tokenId}`
  }</p>
  <p><code>${JSON.stringify(detail)}</code></p>
</li>`;

customElements.define('portal-audit', PortalAudit);

// Requests by day of an account or of all accounts, for administrators.

import { html, nothing } from 'lit';
import type { AccountUsage } from '../client/portal-wire.ts';
import { ask } from './api.ts';
import { PortalElement, valuesOf } from './portal-element.ts';
import { drawUsageIn, type UsageDay, usageSection, withEmptyDays } from './usage-chart.ts';

class PortalUsage extends PortalElement {
  static override properties = { ...PortalElement.properties, days: { state: true } };
  declare protected days: readonly UsageDay[] | undefined;
  /** The account of these days; empty for all accounts. */
  #account = '';
  /** Number of times that days were asked for. */
  #reads = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#read('');
  }

  #read(account: string): void {
    this.read(async () => {
      const read = ++this.#reads;
      const query = account === '' ? '' : `?account=${encodeURIComponent(account)}`;
      const { days } = await ask<AccountUsage>('GET', `/admin/usage${query}`);
      // Another account was asked for meanwhile.
      if (read !== this.#reads) return;
      this.days = withEmptyDays(days);
      this.#account = account;
    });
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('days')) drawUsageIn(this, this.days ?? []);
  }

  protected override render() {
    const note = this.#account === '' ? 'All accounts.' : `Account ${this.#account}.`;
    const submit = (event: SubmitEvent) => this.#read((valuesOf(event)['account'] ?? '').trim());
    return html`
      <h1>Usage</h1>
      ${this.messageBox()}
      <form class="card" @submit=${submit}>
        <label for="usage-account">Account; empty for all accounts</label>
        <input id="usage-account" name="account" maxlength="64" autocomplete="off" />
        <button class="main">Show the requests</button>
      </form>
      ${this.days === undefined ? nothing : usageSection(this.days, note)}`;
  }
}

customElements.define('portal-usage', PortalUsage);

// The overview: requests by day, the state of the charts, and the first steps of a new account.

import { html, nothing } from 'lit';
import type { AccountUsage } from '../client/portal-wire.ts';
import type { Attribution } from '../client/wire.ts';
import { ask, dayOf, type PortalToken } from './api.ts';
import { PortalElement } from './portal-element.ts';
import {
  drawUsageIn,
  SHOWN_DAYS,
  type UsageDay,
  usageSection,
  withEmptyDays,
} from './usage-chart.ts';

/** The part of the state of the charts that is shown. */
interface Charts {
  readonly build?: string | null;
  readonly datasets: readonly Attribution[];
}

class PortalOverview extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    days: { state: true },
    hasToken: { state: true },
    charts: { state: true },
  };
  declare protected days: readonly UsageDay[] | undefined;
  declare protected hasToken: boolean | undefined;
  declare protected charts: Charts | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.attempt(async () => {
      const [usage, tokens, charts] = await Promise.all([
        ask<AccountUsage>('GET', '/usage'),
        ask<PortalToken[]>('GET', '/apiTokens?limit=1'),
        readCharts(),
      ]);
      this.days = withEmptyDays(usage.days, SHOWN_DAYS);
      this.hasToken = tokens.length > 0;
      this.charts = charts;
    });
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('days')) drawUsageIn(this, this.days ?? []);
  }

  protected override render() {
    return html`
      <h1>Overview</h1>
      ${this.messageBox()} ${this.hasToken === false ? firstSteps() : nothing}
      ${this.days === undefined ? nothing : usageSection(this.days, rateLimits)}
      ${this.charts === undefined ? nothing : chartsState(this.charts)}`;
  }
}

const rateLimits = html`There is no quota; each token has a
  <a href="/docs/guides/rate-limits">rate limit</a>.`;

const firstSteps = () => html`
  <h2>First steps</h2>
  <ol>
    <li><a href="#tokens">Create a token</a> and limit it to the address of your web server.</li>
    <li>Copy the page that is shown with the token and save it on your web server.</li>
    <li>Open it in the browser. The <a href="/docs/guides">guides</a> show more maps and options.</li>
  </ol>`;

async function readCharts(): Promise<Charts> {
  const [status, credits] = await Promise.all([
    fetch('/readyz'),
    fetch('/api/v1/datasets/attributions'),
  ]);
  const { build } = (await status.json()) as Charts;
  // A deployment can require a token for the credits.
  return { build: build ?? null, datasets: credits.ok ? await credits.json() : [] };
}

const chartsState = ({ build, datasets }: Charts) => html`
  <h2>Charts</h2>
  <p>${
    build == null
      ? html`The charts are not available at the moment. See the <a href="/status">status page</a>.`
      : html`Build <code>${build}</code>. The <a href="/status">status page</a> shows the state of the
          service. Not for navigation.`
  }</p>
  <ul>${datasets.map(
    (one) => html`<li>${one.shortDescription}: newest file of ${dayOf(one.dataSourcedAt)}</li>`,
  )}</ul>`;

customElements.define('portal-overview', PortalOverview);

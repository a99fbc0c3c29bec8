// The overview: requests by day, the state of the charts, and the first steps of a new account.

import { html, nothing } from 'lit';
import { ask, downloadCsv, type PortalToken } from './api.ts';
import { PortalElement } from './portal-element.ts';
import { drawUsage, type UsageDay, withEmptyDays } from './usage-chart.ts';

const SHOWN_DAYS = 30;

/** The part of `/readyz` that is shown. */
interface Charts {
  readonly build?: string | null;
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
      const [usage, tokens, status] = await Promise.all([
        ask<{ days: UsageDay[] }>('GET', '/usage'),
        ask<PortalToken[]>('GET', '/apiTokens?limit=1'),
        fetch('/readyz').then((answer) => answer.json() as Promise<Charts>),
      ]);
      this.days = withEmptyDays(usage.days, SHOWN_DAYS);
      this.hasToken = tokens.length > 0;
      this.charts = status;
    });
  }

  protected override updated(changed: Map<string, unknown>): void {
    const place = this.querySelector<HTMLElement>('.usage-chart');
    if (place !== null && changed.has('days')) drawUsage(place, this.days ?? []);
  }

  protected override render() {
    return html`
      <h1>Overview</h1>
      ${this.messageBox()} ${this.hasToken === false ? firstSteps() : nothing}
      ${this.days === undefined ? nothing : this.#usage(this.days)}
      ${this.charts === undefined ? nothing : chartsState(this.charts)}`;
  }

  #usage(days: readonly UsageDay[]) {
    const total = days.reduce((sum, { requests }) => sum + requests, 0);
    const rows = days.map(({ day, requests }) => [day, requests] as const);
    return html`
      <h2>Requests</h2>
      <p>${total.toLocaleString()} requests in the last ${SHOWN_DAYS} days, in UTC. There is no quota; each
        token has a <a href="/docs/guides/rate-limits">rate limit</a>.</p>
      <div class="usage-chart" role="img" aria-label="Requests by day; the table below has the numbers"></div>
      <details>
        <summary>Table of the requests</summary>
        <button type="button"
          @click=${() => downloadCsv('requests', [['day', 'requests'], ...rows])}>Download as CSV</button>
        <table>
          <thead><tr><th scope="col">Day</th><th scope="col">Requests</th></tr></thead>
          <tbody>${rows.map(([day, requests]) => html`<tr><td>${day}</td><td>${requests}</td></tr>`)}</tbody>
        </table>
      </details>`;
  }
}

const firstSteps = () => html`
  <h2>First steps</h2>
  <ol>
    <li><a href="#tokens">Create a token</a> and limit it to the address of your page.</li>
    <li>Copy the snippet that is shown with the token into your page.</li>
    <li>Open your page. The <a href="/docs/guides">guides</a> show more maps and options.</li>
  </ol>`;

const chartsState = ({ build }: Charts) => html`
  <h2>Charts</h2>
  <p>${
    build == null
      ? html`The charts are not available at the moment. See the <a href="/status">status page</a>.`
      : html`Build <code>${build}</code>. The <a href="/status">status page</a> shows its age and the
          state of the service. Not for navigation.`
  }</p>`;

customElements.define('portal-overview', PortalOverview);

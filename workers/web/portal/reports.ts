// The reports of the account, for moderators: a list by pages next to a map, which select each other.

import { html, nothing } from 'lit';
import type {
  ModeratedPage,
  ModeratedReport,
  ReportDetails,
} from '../../../shared/contract/moderation.ts';
import { REPORT_KINDS, REPORT_STATES } from '../../../shared/reports/report.ts';
import { ask, type PortalUser, timeText } from './api.ts';
import type { PortalBlocks } from './blocks.ts';
import './blocks.ts';
import { ListElement, pageQuery } from './list-element.ts';
import { mapNote } from './map-note.ts';
import { filledValuesOf } from './portal-element.ts';
import { authorOf, detailsView, titleOf } from './report-details.ts';
import { openReportMap, type ReportMap } from './report-map.ts';

/** A day of the form as the time at which it begins or ends. */
const TIMES: Readonly<Record<string, string>> = { since: 'T00:00', until: 'T24:00' };

const EMPTY = html`There is no report yet. Reports that apps send with a
  <a href="#tokens">token</a> of the account are listed here.`;

class PortalReports extends ListElement<ModeratedReport> {
  static override properties = {
    ...ListElement.properties,
    user: {},
    details: { state: true },
    isBlocking: { state: true },
    hasChart: { state: true },
  };
  declare user: PortalUser;
  /** The selected report. */
  declare protected details: ReportDetails | undefined;
  declare protected isBlocking: boolean;
  declare protected hasChart: boolean | undefined;
  #map: ReportMap | undefined;
  /** Number of times that a report was selected. */
  #selects = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#map?.stop();
    // Late answers still change the entries.
    this.#map = undefined;
  }

  protected override firstUpdated(): void {
    const place = this.querySelector<HTMLElement>('.report-map')!;
    this.aside(async () => {
      const map = await openReportMap(place, (id) => void this.#select(id, 'map'));
      if (!this.isConnected) return map.stop();
      this.#map = map;
      this.hasChart = map.hasChart;
      this.#draw();
      map.fit();
    });
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('entries') || changed.has('details')) this.#draw();
  }

  #draw(): void {
    this.#map?.show(this.entries ?? []);
    this.#map?.select(this.details?.report.id);
  }

  protected override async reload(least?: number): Promise<void> {
    this.#selects++;
    this.details = undefined;
    await super.reload(least);
    await this.updateComplete;
    this.#map?.fit();
  }

  protected override async page(before: string | undefined, limit: number) {
    const path = `/reports?${pageQuery(this.query, { limit, before })}`;
    const { reports, next } = await ask<ModeratedPage>('GET', path);
    return { entries: reports, next: next ?? undefined };
  }

  #submit(event: SubmitEvent): void {
    const values = filledValuesOf(event).map(([name, value]) => {
      const time = TIMES[name];
      return [name, time ? `${Date.parse(`${value}${time}`)}` : value];
    });
    this.search(`${new URLSearchParams(values)}`);
  }

  async #select(id: string, from: 'list' | 'map'): Promise<void> {
    const select = ++this.#selects;
    this.isBlocking = false;
    if (from === 'list' && this.details?.report.id === id) {
      this.details = undefined;
      return;
    }
    await this.attempt(async () => {
      const details = await ask<ReportDetails>('GET', `/reports/${id}`);
      // Another report was selected meanwhile.
      if (select === this.#selects) this.details = details;
    });
    if (from === 'list' || select !== this.#selects) return;
    await this.updateComplete;
    this.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
  }

  /** Run a change, and show the report and the blocked people as they are then. */
  #change(work: () => Promise<ReportDetails>): void {
    const select = ++this.#selects;
    void this.attempt(async () => {
      const details = await work();
      this.replace(details.report);
      if (select === this.#selects) {
        this.details = details;
        this.isBlocking = false;
      }
      this.querySelector<PortalBlocks>('portal-blocks')?.refresh();
    });
  }

  protected override render() {
    return html`
      <link rel="stylesheet" href="/page/chart-map.css" />
      <link rel="stylesheet" href="/page/report-map.css" />
      <h1>Reports</h1>
      ${this.messageBox()} ${this.#filterForm()}
      <p class="tools">
        <a href="/api/portal/v1/reports.csv?${this.query}" download>Download as CSV</a>
      </p>
      <div class="report-columns">
        <div class="report-side">
          <div class="map report-map"></div>
          ${mapNote(this.hasChart)}
        </div>
        <div>${this.list((report) => this.#row(report), EMPTY)}</div>
      </div>
      <portal-blocks @unblocked=${() => this.#reselect()}></portal-blocks>`;
  }

  #reselect(): void {
    const id = this.details?.report.id;
    this.details = undefined;
    if (id !== undefined) void this.#select(id, 'list');
  }

  #filterForm() {
    const choice = (name: string, title: string, values: readonly string[]) => html`<div>
      <label for="report-${name}">${title}</label>
      <select id="report-${name}" name=${name}>
        <option value="">all</option>
        ${values.map((value) => html`<option>${value}</option>`)}
      </select></div>`;
    const field = (name: string, title: string, type: string, most: number) => html`<div>
      <label for="report-${name}">${title}</label>
      <input id="report-${name}" name=${name} type=${type} maxlength=${most} autocomplete="off" /></div>`;
    return html`<form class="card report-filter" @submit=${(event: SubmitEvent) => this.#submit(event)}>
      ${choice('type', 'Type', REPORT_KINDS)} ${choice('state', 'State', REPORT_STATES)}
      ${field('since', 'From day', 'date', 10)} ${field('until', 'To day', 'date', 10)}
      ${field('text', 'Text or author', 'text', 100)}
      ${this.user.isAdmin ? field('account', 'Account', 'text', 64) : nothing}
      <button class="main">Search</button>
    </form>`;
  }

  #row(report: ModeratedReport) {
    const { id, state, createdAt, latitude, longitude } = report;
    const isOpen = this.details?.report.id === id;
    return html`<li>
      <h3><button type="button" class="report-title" data-id=${id} aria-expanded=${isOpen ? 'true' : 'false'}
        @click=${() => void this.#select(id, 'list')}>${titleOf(report)}${
          state === 'active' ? nothing : html` <em>(${state})</em>`
        }</button></h3>
      <p>${timeText(createdAt)} by ${authorOf(report)} at
        ${latitude.toFixed(4)}, ${longitude.toFixed(4)}</p>
      ${
        isOpen && this.details !== undefined
          ? detailsView(this.details, {
              isBlocking: this.isBlocking,
              isBusy: this.isBusy,
              change: (method, path) => this.#change(() => ask(method, path)),
              unblock: (block) =>
                this.#change(async () => {
                  await ask('DELETE', `/blocks/${block}`);
                  return ask('GET', `/reports/${id}`);
                }),
              toggleBlocking: () => {
                this.isBlocking = !this.isBlocking;
              },
            })
          : nothing
      }
    </li>`;
  }
}

customElements.define('portal-reports', PortalReports);

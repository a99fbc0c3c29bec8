// For administrators: the refresh of the public charts from their producers, at once or by a schedule.

import { html, nothing } from 'lit';
import type { ChartSchedule } from '../client/portal-wire.ts';
import { ask, timeText } from './api.ts';
import { choiceForm } from './choice-form.ts';
import { PortalElement } from './portal-element.ts';

const SCHEDULES: Readonly<Record<ChartSchedule['every'], string>> = {
  never: 'Never',
  day: 'Every day',
  week: 'Every week',
};

const TITLE = 'Automatic refresh';

class PortalRefreshCharts extends PortalElement {
  static override properties = { ...PortalElement.properties, schedule: { state: true } };
  declare protected schedule: ChartSchedule | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.read(async () => {
      this.schedule = await ask<ChartSchedule>('GET', '/admin/chartSchedule');
    });
  }

  #refresh(): void {
    void this.attempt(async () => {
      await ask('POST', '/charts/refresh');
      location.hash = '#jobs';
    });
  }

  #set(every: ChartSchedule['every']): Promise<void> {
    return this.attempt(async () => {
      this.schedule = await ask<ChartSchedule>('POST', '/admin/chartSchedule', { every });
    });
  }

  protected override render() {
    if (this.schedule === undefined) return this.messageBox();
    const { every, nextAt, hasProducers } = this.schedule;
    return html`${this.messageBox()}
      <section class="card" aria-labelledby="refresh-title">
        <h2 id="refresh-title">Public charts</h2>
        ${
          hasProducers
            ? html`<p>A refresh downloads the new editions of the configured producers and publishes them for all
                accounts.</p>`
            : html`<p>No producer is configured. The operator of the service sets <code>LEADLINE_SYNC</code> for the
                chart worker.</p>`
        }
        <p class="tools"><button type="button" ?disabled=${this.isBusy || !hasProducers}
          @click=${() => this.#refresh()}>Refresh now</button></p>
        ${choiceForm(
          { label: TITLE, name: TITLE, titles: SCHEDULES, value: every, isBusy: this.isBusy },
          (choice) => this.#set(choice),
        )}
        <p role="status">${nextAt === null ? nothing : `Next refresh: ${timeText(nextAt)}`}</p>
      </section>`;
  }
}

customElements.define('portal-refresh-charts', PortalRefreshCharts);

// A test of a new token: a request with it and, if it succeeds, a small map whose tiles are read with it.

import { html, nothing } from 'lit';
import type { MapLibreMap } from 'maplibre-gl';
import type { NewPortalToken } from './api.ts';
import { PortalElement } from './portal-element.ts';

class PortalTokenTest extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    made: { attribute: false },
    status: { state: true },
  };
  declare made: NewPortalToken;
  /** Of the answer; 0 if there was none; `undefined` before the test. */
  declare protected status: number | undefined;
  #map: MapLibreMap | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#map?.remove();
  }

  async #test(): Promise<void> {
    const address = `/api/v1/styles/base.json?token=${this.made.token}`;
    const answer = await fetch(address).catch(() => undefined);
    this.status = answer?.status ?? 0;
    if (answer?.ok !== true || this.#map !== undefined) return;
    await this.updateComplete;
    const { openChartMap } = await import('./chart-map.ts');
    const place = this.querySelector<HTMLElement>('.map')!;
    const { map } = await openChartMap(place, 'Chart with the new token', {
      style: await answer.json(),
    });
    if (this.isConnected) this.#map = map;
    else map.remove();
  }

  protected override render() {
    const { status, made } = this;
    const text = status === undefined ? nothing : testText(status, made.restrictions !== null);
    return html`${this.messageBox()}
      <p><button type="button" @click=${() => void this.attempt(() => this.#test())}>Test</button>
        <span role="status">${text}</span></p>
      ${
        status === 200
          ? html`<link rel="stylesheet" href="/page/chart-map.css" />
            <div class="map"></div>
            <p>This map reads its tiles with the token. Not for navigation.</p>`
          : nothing
      }`;
  }
}

function testText(status: number, isRestricted: boolean): string {
  if (status === 200) return 'The token works from this page.';
  if (status === 403 && isRestricted) {
    return 'The token is limited to other origins, so this page cannot use it. That is correct.';
  }
  if (status === 403)
    return 'The token is valid. Its scopes do not include styles, so no map is shown.';
  return status === 0
    ? 'The service does not respond. Try again.'
    : `The service answers ${status}. Wait a minute and try again.`;
}

customElements.define('portal-token-test', PortalTokenTest);

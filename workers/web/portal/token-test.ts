// A test of a new token: a request with it and, if it succeeds, a small map whose tiles are read with it.

import { html, nothing } from 'lit';
import type { MapLibreMap } from 'maplibre-gl';
import type { NewPortalToken } from './api.ts';
import { PortalElement } from './portal-element.ts';

class PortalTokenTest extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    newToken: { attribute: false },
    status: { state: true },
  };
  declare newToken: NewPortalToken;
  /** Status of the response; 0 without a response; `undefined` before the test. */
  declare protected status: number | undefined;
  #map: MapLibreMap | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#map?.remove();
  }

  async #test(): Promise<void> {
    const read = (path: string) =>
      fetch(`${path}?token=${this.newToken.token}`).catch(() => undefined);
    const style = await read('/api/v1/styles/base.json');
    this.status = style?.status ?? 0;
    if (style?.ok !== true || this.#map !== undefined) return;
    const description = await read('/api/v2/tiles/enc-v2.json');
    if (description?.ok !== true) return;
    await this.updateComplete;
    const [{ openChartMap }, view] = await Promise.all([
      import('./chart-map.ts'),
      viewOf(description),
    ]);
    const place = this.querySelector<HTMLElement>('.map')!;
    const given = { style: await style.json(), ...view };
    const { map } = await openChartMap(place, 'Chart with the new token', given);
    if (this.isConnected) this.#map = map;
    else map.remove();
  }

  protected override render() {
    const { status, newToken } = this;
    const text = status === undefined ? nothing : testText(status, newToken.restrictions !== null);
    return html`${this.messageBox()}
      <p><button type="button" ?disabled=${this.isBusy} @click=${() => void this.attempt(() => this.#test())}>Test</button>
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

/** The view that TileJSON 3.0.0 proposes: longitude, latitude, zoom. */
async function viewOf(description: Response) {
  const { center } = (await description.json()) as { readonly center?: [number, number, number] };
  return center && { center: { lon: center[0], lat: center[1] }, zoom: Math.max(center[2] - 1, 0) };
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

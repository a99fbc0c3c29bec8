// The base of sections whose list follows jobs in progress: it is loaded again every two seconds.

import { html, nothing } from 'lit';
import type { PortalUser } from './api.ts';
import { PortalElement } from './portal-element.ts';

const PAGE = 25;
const MAX_SHOWN = 100;
const REFRESH_MS = 2000;

export abstract class RefreshedList extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    user: {},
    shown: { state: true },
  };
  declare user: PortalUser;
  /** Maximum number of entries that are shown. */
  declare protected shown: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.shown = PAGE;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.attempt(() => this.refresh());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected abstract load(): Promise<void>;

  /** Loads the list now and every two seconds from now. */
  protected async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    await this.load();
    if (!this.isConnected) return;
    clearTimeout(this.#timer);
    // Errors of a refresh are shown by the next action of the user.
    this.#timer = setTimeout(() => void this.refresh().catch(() => undefined), REFRESH_MS);
  }

  /** @param hasMore whether there are entries that are not shown */
  protected moreButton(hasMore: boolean) {
    if (!hasMore || this.shown >= MAX_SHOWN) return nothing;
    const showMore = () => {
      this.shown = Math.min(MAX_SHOWN, this.shown + PAGE);
      void this.attempt(() => this.refresh());
    };
    return html`<button type="button" ?disabled=${this.isBusy} @click=${showMore}>Show more</button>`;
  }
}

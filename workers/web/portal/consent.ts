// Consent for the depths from the crowd: the default of the account, and a choice for all stored tracks.

import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { DefaultConsent } from '../client/portal-wire.ts';
import { ask, type PortalUser } from './api.ts';
import { confirmForm } from './confirm-form.ts';
import { PortalElement } from './portal-element.ts';

type Share = DefaultConsent['share'];

const TITLES: Readonly<Record<Share, string>> = {
  private: 'Private',
  aggregate: 'In depths from the crowd',
  'open data': 'Open data',
};

/** What a choice for all tracks does. */
const CONSEQUENCES: Readonly<Record<Share, string>> = {
  private: 'This removes all tracks of the account from the depths from the crowd.',
  aggregate: 'This uses all tracks of the account in depths that several boats support.',
  'open data': 'This also passes the tracks of the account on to hydrographic offices.',
};

/** A list of the kinds of consent. @param choose called with the user's choice */
export const consentSelect = (label: string, value: Share, choose: (share: Share) => void) =>
  html`<select aria-label=${label} @change=${(event: Event) =>
    choose((event.target as HTMLSelectElement).value as Share)}>
    ${Object.entries(TITLES).map(
      ([share, title]) =>
        html`<option value=${share} .selected=${live(share === value)}>${title}</option>`,
    )}</select>`;

export const consentTitle = (share: Share): string => TITLES[share];

class PortalConsent extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    user: {},
    share: { state: true },
    asked: { state: true },
    changed: { state: true },
  };
  declare user: PortalUser;
  declare protected share: Share | undefined;
  /** The choice for all tracks that the user must confirm. */
  declare protected asked: Share | undefined;
  /** The number of tracks that the last change was for. */
  declare protected changed: number | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.read(async () => {
      ({ share: this.share } = await ask<DefaultConsent>('GET', '/consent'));
    });
  }

  #setDefault(share: Share): void {
    void this.attempt(async () => {
      ({ share: this.share } = await ask<DefaultConsent>('POST', '/consent', { share }));
    });
  }

  #setAll(share: Share): void {
    void this.attempt(async () => {
      const { tracks } = await ask<{ tracks: number }>('POST', '/tracks/consent', { share });
      this.changed = tracks;
      this.asked = undefined;
      this.announce('consent-changed');
    });
  }

  #toggle(share: Share): void {
    this.changed = undefined;
    this.asked = this.asked === share ? undefined : share;
  }

  #confirmation(share: Share) {
    const { name } = this.user.account;
    const consequence = `${CONSEQUENCES[share]} It replaces the consent of each track and cannot be undone.`;
    return confirmForm(
      { id: 'consent-of-all', name, consequence, action: 'Set all tracks', isBusy: this.isBusy },
      () => this.#setAll(share),
    );
  }

  protected override render() {
    if (this.share === undefined) return this.messageBox();
    const isOwner = this.user.isAccountOwner || this.user.isAdmin;
    return html`
      ${this.messageBox()}
      <h2>Consent</h2>
      <p>Private soundings are not used. “${TITLES.aggregate}” uses them in depths that several boats support.
        “${TITLES['open data']}” also passes the tracks on to hydrographic offices. A change takes effect when the
        depths are next built, usually within the hour.</p>
      <p class="tools"><label>New uploads without their own consent: ${
        isOwner
          ? consentSelect('Consent for new uploads', this.share, (share) => this.#setDefault(share))
          : TITLES[this.share]
      }</label></p>
      ${
        this.user.role === 'member'
          ? nothing
          : html`<p class="tools">Set all stored tracks to
              ${Object.entries(TITLES).map(
                ([share, title]) =>
                  html`<button type="button" ?disabled=${this.isBusy} aria-expanded=${this.asked === share}
                    @click=${() => this.#toggle(share as Share)}>${title}</button>`,
              )}</p>
              ${this.asked === undefined ? nothing : this.#confirmation(this.asked)}`
      }
      <p role="status">${this.changed === undefined ? '' : `${this.changed} ${this.changed === 1 ? 'track was' : 'tracks were'} changed.`}</p>`;
  }
}

customElements.define('portal-consent', PortalConsent);

// Consent for the crowdsourced depths: the default of the account, and a choice for all stored tracks.

import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { DefaultConsent } from '../client/portal-wire.ts';
import { ask, type PortalUser } from './api.ts';
import { choiceForm } from './choice-form.ts';
import { confirmForm } from './confirm-form.ts';
import { PortalElement } from './portal-element.ts';

type Share = DefaultConsent['share'];

const TITLES: Readonly<Record<Share, string>> = {
  private: 'Private',
  aggregate: 'In crowdsourced depths',
  'open data': 'Open data',
};

const DEFAULT = 'Consent for uploads that state none';

/** What a choice for all tracks does. */
const CONSEQUENCES: Readonly<Record<Share, string>> = {
  private: 'This removes all tracks of the account from the crowdsourced depths.',
  aggregate: 'This uses all tracks of the account in depths that several boats support.',
  'open data': 'This also passes the tracks of the account on to hydrographic offices.',
};

/** A form with the kinds of consent. @param save sends the user's choice */
export const consentForm = (
  choice: { label: string; name: string; value: Share; isBusy: boolean },
  save: (share: Share) => Promise<void>,
) => choiceForm({ ...choice, titles: TITLES }, save);

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

  #setDefault(share: Share): Promise<void> {
    return this.attempt(async () => {
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

  #defaultForm(value: Share) {
    return consentForm({ label: DEFAULT, name: DEFAULT, value, isBusy: this.isBusy }, (share) =>
      this.#setDefault(share),
    );
  }

  #toggle(share: Share): void {
    this.changed = undefined;
    this.asked = this.asked === share ? undefined : share;
  }

  #confirmation(share: Share) {
    const { name } = this.user.account;
    const consequence = `${CONSEQUENCES[share]} It replaces the consent of each track and cannot be undone.`;
    const form = confirmForm(
      { id: 'consent-of-all', name, consequence, action: 'Set all tracks', isBusy: this.isBusy },
      () => this.#setAll(share),
    );
    // All choices are confirmed with the same name.
    return keyed(share, form);
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
      ${isOwner ? this.#defaultForm(this.share) : html`<p class="tools">${DEFAULT}: ${TITLES[this.share]}</p>`}
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

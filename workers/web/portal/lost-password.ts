// A new password by email: the form that requests a link, and the form that the link opens.

import { html } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { ask, textOf } from './api.ts';
import { focusOn, PortalElement, valuesOf } from './portal-element.ts';

/** A form without a session. A refusal does not mean that a session has ended. */
class LostPasswordElement extends PortalElement {
  protected async send(work: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.message = '';
    await work().catch((error: unknown) => {
      this.message = textOf(error);
    });
    this.isBusy = false;
  }
}

class PortalForgotPassword extends LostPasswordElement {
  static override properties = { ...PortalElement.properties, sentTo: { state: true } };
  /** The address of the last request. */
  declare protected sentTo: string | undefined;

  #request(event: SubmitEvent): void {
    const username = valuesOf(event)['username']?.trim();
    this.sentTo = undefined;
    void this.send(async () => {
      await ask('POST', '/auth/forgotPassword', { username });
      this.sentTo = username;
    });
  }

  protected override render() {
    return html`
      <form @submit=${(event: SubmitEvent) => this.#request(event)}>
        <h2 tabindex="-1" ${ref(focusOn)}>Request a link</h2>
        <p>The service sends you an email with a link to choose a new password.</p>
        <label for="lost-address">Your email address</label>
        <input id="lost-address" name="username" type="email" required maxlength="254" autocomplete="username" />
        ${this.messageBox()}
        <p role="status">${
          this.sentTo === undefined
            ? ''
            : `If there is a user ${this.sentTo}, the service sends an email with a link. The link works once, within a day. If no email arrives, check the address and the spam folder. The service sends at most one email in five minutes, and five in a day, to an address.`
        }</p>
        <button type="submit" ?disabled=${this.isBusy}>Send the link</button>
      </form>`;
  }
}

class PortalNewPassword extends LostPasswordElement {
  static override properties = { ...PortalElement.properties, link: {} };
  /** The token of the link. */
  declare link: string;

  #set(event: SubmitEvent): void {
    const { password } = valuesOf(event);
    void this.send(async () => {
      await ask('POST', '/auth/resetPassword', { link: this.link, password });
      this.announce('password-set');
    });
  }

  protected override render() {
    return html`
      <h1 tabindex="-1" ${ref(focusOn)}>Choose a new password</h1>
      <form @submit=${(event: SubmitEvent) => this.#set(event)}>
        <label for="new-password">New password, at least 10 characters</label>
        <input id="new-password" name="password" type="password" required minlength="10" maxlength="128"
          autocomplete="new-password" />
        ${this.messageBox()}
        <button class="main" type="submit" ?disabled=${this.isBusy}>Set the password</button>
      </form>
      <p><button type="button" @click=${() => this.announce('password-left')}>Sign in instead</button></p>`;
  }
}

customElements.define('portal-forgot-password', PortalForgotPassword);
customElements.define('portal-new-password', PortalNewPassword);

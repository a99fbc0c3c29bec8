// The password, the passkeys, the second factor and the sessions of the user.

import { html, nothing } from 'lit';
import { ask, type PortalUser } from './api.ts';
import { confirmForm } from './confirm-form.ts';
import { PortalElement, valuesOf } from './portal-element.ts';
import './passkeys.ts';
import './second-factor.ts';

class PortalAccount extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    user: {},
    isDone: { state: true },
    isLeaving: { state: true },
  };
  declare user: PortalUser;
  declare protected isDone: boolean;
  /** Whether the form that ends all sessions is open. */
  declare protected isLeaving: boolean;

  #change(event: SubmitEvent): void {
    const form = event.currentTarget as HTMLFormElement;
    const { password, currentPassword } = valuesOf(event);
    this.isDone = false;
    void this.attempt(async () => {
      await ask('POST', '/user/passwordChange', {
        password,
        ...(currentPassword === '' ? {} : { currentPassword }),
      });
      form.reset();
      this.isDone = true;
    });
  }

  #signOutEverywhere(): void {
    void this.attempt(async () => {
      await ask('POST', '/auth/logoutEverywhere');
      this.announce('signed-out');
    });
  }

  protected override render() {
    return html`
      <h1>Security</h1>
      <h2>Password</h2>
      <form class="narrow" @submit=${(event: SubmitEvent) => this.#change(event)}>
        <label for="current">Current password; leave it empty if you have none yet</label>
        <input id="current" name="currentPassword" type="password" maxlength="128"
          autocomplete="current-password" />
        <label for="new">New password, at least 10 characters</label>
        <input id="new" name="password" type="password" required minlength="10" maxlength="128"
          autocomplete="new-password" />
        ${this.messageBox()}
        ${this.isDone ? html`<p role="status">The password is set. Other sessions have ended.</p>` : nothing}
        <button class="main" type="submit" ?disabled=${this.isBusy}>Set the password</button>
      </form>
      <portal-passkeys></portal-passkeys>
      <portal-second-factor></portal-second-factor>
      <h2>Sessions</h2>
      <p>After a device was lost, end all sessions. You sign in again afterwards. API tokens still work.</p>
      <button type="button" aria-expanded=${this.isLeaving === true}
        @click=${() => (this.isLeaving = !this.isLeaving)}>Sign out everywhere</button>
      ${this.isLeaving ? this.#leaveForm() : nothing}`;
  }

  #leaveForm() {
    const { username: name } = this.user;
    const consequence = 'You are signed out on all devices, including this one.';
    return confirmForm(
      { id: 'leave', name, consequence, action: 'Sign out everywhere', isBusy: this.isBusy },
      () => this.#signOutEverywhere(),
    );
  }
}

customElements.define('portal-account', PortalAccount);

// The sign-in form.

import { html } from 'lit';
import { ask, textOf } from './api.ts';
import { PortalElement, valuesOf } from './portal-element.ts';

class PortalSignIn extends PortalElement {
  async #signIn(event: SubmitEvent): Promise<void> {
    const { username = '', password = '' } = valuesOf(event);
    this.isBusy = true;
    this.message = '';
    try {
      await ask('POST', '/auth/login', { username: username.trim(), password });
      this.announce('signed-in');
    } catch (error) {
      this.message = textOf(error);
    }
    this.isBusy = false;
  }

  protected override render() {
    return html`
      <h1>Sign in</h1>
      <form @submit=${(event: SubmitEvent) => void this.#signIn(event)}>
        <label for="username">Email address</label>
        <input id="username" name="username" type="email" required autocomplete="username" />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" required maxlength="128"
          autocomplete="current-password" />
        ${this.messageBox()}
        <button class="main" type="submit" ?disabled=${this.isBusy}>Sign in</button>
      </form>
      <p>New here, or the password is lost? Ask the operator of this service for a sign-in link.</p>`;
  }
}

customElements.define('portal-sign-in', PortalSignIn);

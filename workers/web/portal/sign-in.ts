// The sign-in form. It asks users with a second factor for a code.

import { html, nothing } from 'lit';
import { ask, PortalError, textOf } from './api.ts';
import { hasPasskeys, type PasskeyOptions, usePasskey } from './passkey-ceremony.ts';
import { PortalElement, valuesOf } from './portal-element.ts';
import './lost-password.ts';

class PortalSignIn extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    needsCode: { state: true },
    hasMail: { state: true },
    isForgotten: { state: true },
  };
  declare protected needsCode: boolean;
  /** Whether the service sends links by email; `undefined` until that is known. */
  declare protected hasMail: boolean | undefined;
  /** Whether the form that requests a link is open. */
  declare protected isForgotten: boolean;

  /** The user who was asked for a code. */
  #codeOf = '';

  override connectedCallback(): void {
    super.connectedCallback();
    void ask<{ hasMail: boolean }>('GET', '/auth/options').then(
      ({ hasMail }) => {
        this.hasMail = hasMail;
      },
      () => {
        this.hasMail = false;
      },
    );
  }

  async #signIn(event: SubmitEvent): Promise<void> {
    const { username = '', password = '', code } = valuesOf(event);
    this.isBusy = true;
    this.message = '';
    try {
      await ask('POST', '/auth/login', {
        username: username.trim(),
        password,
        ...(code && { code }),
      });
      this.announce('signed-in');
    } catch (error) {
      const isFirst =
        error instanceof PortalError && error.code === 'code_required' && !this.needsCode;
      this.needsCode ||= isFirst;
      if (isFirst) this.#codeOf = username;
      this.message = isFirst ? '' : textOf(error);
    }
    this.isBusy = false;
  }

  async #usePasskey(): Promise<void> {
    this.isBusy = true;
    this.message = '';
    try {
      const credential = await usePasskey(await ask<PasskeyOptions>('POST', '/auth/passkey'));
      await ask('POST', '/auth/loginByPasskey', { credential });
      this.announce('signed-in');
    } catch (error) {
      this.message = textOf(error);
    }
    this.isBusy = false;
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('needsCode') && this.needsCode)
      this.querySelector<HTMLElement>('#code')?.focus();
  }

  #help() {
    if (this.hasMail === undefined) return nothing;
    if (!this.hasMail) {
      return html`<p>New here, or the password is lost? Ask the operator of this service for a sign-in link.</p>`;
    }
    return html`
      <p><button type="button" aria-expanded=${this.isForgotten === true}
        @click=${() => (this.isForgotten = !this.isForgotten)}>Forgot your password?</button></p>
      ${this.isForgotten ? html`<portal-forgot-password></portal-forgot-password>` : nothing}
      <p>New here? Ask the operator of this service for an invitation.</p>`;
  }

  protected override render() {
    return html`
      <h1>Sign in</h1>
      <form @submit=${(event: SubmitEvent) => void this.#signIn(event)}>
        <label for="username">Email address</label>
        <input id="username" name="username" type="email" required autocomplete="username"
          @input=${({ target }: Event) => {
            // Password managers fill the fields again.
            this.needsCode &&= (target as HTMLInputElement).value === this.#codeOf;
          }} />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" required maxlength="128"
          autocomplete="current-password" />
        ${
          this.needsCode
            ? html`<label for="code">Code of the authenticator app, or a recovery code</label>
                <input id="code" name="code" required minlength="6" maxlength="32" inputmode="text"
                  autocomplete="one-time-code" />`
            : nothing
        }
        ${this.messageBox()}
        <button class="main" type="submit" ?disabled=${this.isBusy}>Sign in</button>
      </form>
      ${
        hasPasskeys()
          ? html`<p><button type="button" ?disabled=${this.isBusy}
              @click=${() => void this.#usePasskey()}>Sign in with a passkey</button></p>`
          : nothing
      }
      ${this.#help()}`;
  }
}

customElements.define('portal-sign-in', PortalSignIn);

// The second factor of the user: set up with an authenticator app, or ended.

import { html, nothing, svg } from 'lit';
import { encode } from 'uqr';
import type { PortalCalls } from '../client/portal-wire.ts';
import { ask, type PortalUser } from './api.ts';
import { copyButton } from './copy-button.ts';
import { PortalElement, valuesOf } from './portal-element.ts';

type Started = PortalCalls['POST /user/secondFactor']['answer'];

class PortalSecondFactor extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    isSet: { state: true },
    started: { state: true },
  };
  /** `undefined` until it is known. */
  declare protected isSet: boolean | undefined;
  declare protected started: Started | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.read(async () => {
      this.isSet = (await ask<PortalUser>('GET', '/auth/whoami')).hasSecondFactor;
    });
  }

  #start(event: SubmitEvent): void {
    const { password } = valuesOf(event);
    void this.attempt(async () => {
      this.started = await ask<Started>('POST', '/user/secondFactor', { password });
    });
  }

  #confirm(event: SubmitEvent): void {
    const { code } = valuesOf(event);
    void this.attempt(async () => {
      await ask('POST', '/user/secondFactor/confirm', { code });
      this.started = undefined;
      this.isSet = true;
    });
  }

  #end(event: SubmitEvent): void {
    const { password } = valuesOf(event);
    void this.attempt(async () => {
      await ask('POST', '/user/secondFactor/end', { password });
      this.isSet = false;
    });
  }

  #passwordForm(button: string, submit: (event: SubmitEvent) => void) {
    return html`<form class="narrow" @submit=${submit}>
      <label for="factor-password">Your password</label>
      <input id="factor-password" name="password" type="password" required maxlength="128"
        autocomplete="current-password" />
      ${this.messageBox()}
      <button type="submit" ?disabled=${this.isBusy}>${button}</button>
    </form>`;
  }

  #setUp({ uri, recoveryCodes }: Started) {
    const secret = new URL(uri).searchParams.get('secret') ?? '';
    return html`
      <ol data-unsaved>
        <li>
          <p>Scan the picture with an authenticator app, or <a href=${uri} @click=${openApp}>open the app on this device</a>.</p>
          ${qrCode(uri)}
          <p>Without a camera, enter this key: <code class="key">${secret}</code></p>
        </li>
        <li>
          <p>Keep these recovery codes in a safe place. Each replaces the app once. They are not shown again.</p>
          <pre class="codes">${recoveryCodes.join('\n')}</pre>
          ${copyButton('Copy the codes', recoveryCodes.join('\n'))}
        </li>
        <li>
          <form class="narrow" @submit=${(event: SubmitEvent) => this.#confirm(event)}>
            <label for="first-code">Code that the app shows</label>
            <input id="first-code" name="code" required minlength="6" maxlength="6" inputmode="numeric"
              autocomplete="one-time-code" />
            ${this.messageBox()}
            <button class="main" type="submit" ?disabled=${this.isBusy}>Turn the second factor on</button>
          </form>
        </li>
      </ol>`;
  }

  #content() {
    if (this.started !== undefined) return this.#setUp(this.started);
    if (this.isSet === undefined) return this.messageBox();
    return this.isSet
      ? html`<p role="status">On. Signing in with the password needs a code of your authenticator app.</p>
          ${this.#passwordForm('Turn it off', (event) => this.#end(event))}`
      : html`<p>Off. With a second factor, a stolen password is not enough to sign in.</p>
          ${this.#passwordForm('Set it up', (event) => this.#start(event))}`;
  }

  protected override render() {
    return html`<h2>Second factor</h2>${this.#content() || nothing}`;
  }
}

/** For a link to an app. The browser must not ask before it opens the app, because this page stays. */
function openApp({ currentTarget }: Event): void {
  const list = (currentTarget as Element).closest('ol')!;
  list.removeAttribute('data-unsaved');
  setTimeout(() => list.setAttribute('data-unsaved', ''), 1000);
}

/** A QR code, black on white in every theme so that cameras read it. */
function qrCode(text: string) {
  const { data, size } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the key">
    ${svg`<rect width="100%" height="100%" fill="#fff" /><path d=${path} fill="#000" />`}
  </svg>`;
}

customElements.define('portal-second-factor', PortalSecondFactor);

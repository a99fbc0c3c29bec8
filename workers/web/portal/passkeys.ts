// The passkeys of the user: list, add, remove.

import { html, nothing } from 'lit';
import type { Passkey } from '../client/portal-wire.ts';
import { ask, dayOf } from './api.ts';
import { createPasskey, hasPasskeys, type PasskeyOptions } from './passkey-ceremony.ts';
import { PortalElement, valuesOf } from './portal-element.ts';

class PortalPasskeys extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    passkeys: { state: true },
    removing: { state: true },
  };
  /** `undefined` until they are known. */
  declare protected passkeys: readonly Passkey[] | undefined;
  /** Id of the passkey whose form is open. */
  declare protected removing: string | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.read(() => this.#load());
  }

  async #load(): Promise<void> {
    this.passkeys = await ask<Passkey[]>('GET', '/user/passkeys');
    this.removing = undefined;
  }

  #add(event: SubmitEvent): void {
    const form = event.currentTarget as HTMLFormElement;
    const { name, password } = valuesOf(event);
    void this.attempt(async () => {
      const options = await ask<PasskeyOptions>('POST', '/user/passkeys/start', proofOf(password));
      await ask('POST', '/user/passkeys', { name, credential: await createPasskey(options) });
      form.reset();
      await this.#load();
    });
  }

  #remove(id: string, event: SubmitEvent): void {
    const { password } = valuesOf(event);
    void this.attempt(async () => {
      await ask('POST', `/user/passkeys/${id}/remove`, proofOf(password));
      await this.#load();
    });
  }

  #row({ id, name, createdAt, lastUsedAt }: Passkey) {
    const isOpen = this.removing === id;
    const toggle = () => (this.removing = isOpen ? undefined : id);
    return html`<li>
      <h3>${name}</h3>
      <p>Added ${dayOf(createdAt)}; last used: ${dayOf(lastUsedAt)}</p>
      <p class="tools">${this.opener('Remove', name, isOpen, toggle)}</p>
      ${
        isOpen
          ? html`<form class="narrow" @submit=${(event: SubmitEvent) => this.#remove(id, event)}>
              <p>The passkey <strong>${name}</strong> no longer signs you in. Delete it on your device too.</p>
              ${passwordField('passkey-remove-password')}
              <button class="main danger" type="submit" ?disabled=${this.isBusy}>Remove the passkey</button>
            </form>`
          : nothing
      }
    </li>`;
  }

  #addForm() {
    return html`<form class="narrow" @submit=${(event: SubmitEvent) => this.#add(event)}>
      <label for="passkey-name">Name, such as the device</label>
      <input id="passkey-name" name="name" required maxlength="128" autocomplete="off" />
      ${passwordField('passkey-password')}
      <button type="submit" ?disabled=${this.isBusy}>Add a passkey</button>
    </form>`;
  }

  protected override render() {
    const { passkeys = [] } = this;
    return html`
      <h2>Passkeys</h2>
      <p>Sign in with the lock of your device or a security key instead of the password and code.</p>
      ${this.messageBox()}
      ${passkeys.length === 0 ? nothing : html`<ul class="tokens">${passkeys.map((one) => this.#row(one))}</ul>`}
      ${hasPasskeys() ? this.#addForm() : html`<p>This browser has no passkeys.</p>`}`;
  }
}

const passwordField = (id: string) => html`
  <label for=${id}>Your password; not needed within ten minutes of signing in</label>
  <input id=${id} name="password" type="password" maxlength="128" autocomplete="current-password" />`;

const proofOf = (password = '') => (password === '' ? {} : { password });

customElements.define('portal-passkeys', PortalPasskeys);

// The API tokens of the account: a list by pages, and what can be done with a token.

import { html, nothing } from 'lit';
import {
  allEntries,
  ask,
  dayOf,
  downloadCsv,
  isoOf,
  type NewPortalToken,
  type PortalToken,
} from './api.ts';
import { PortalElement } from './portal-element.ts';
import { createForm, newTokenBox, originsForm, revokeForm } from './token-forms.ts';

const PAGE = 50;

/** What is open for a token. */
type Opened = { readonly id: string; readonly form: 'origins' | 'revoke' } | undefined;

class PortalTokens extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    tokens: { state: true },
    isComplete: { state: true },
    withEnded: { state: true },
    made: { state: true },
    opened: { state: true },
  };
  declare protected tokens: readonly PortalToken[] | undefined;
  declare protected isComplete: boolean;
  declare protected withEnded: boolean;
  declare protected made: NewPortalToken | undefined;
  declare protected opened: Opened;

  override connectedCallback(): void {
    super.connectedCallback();
    this.withEnded = false;
    this.#reload();
  }

  #reload(): void {
    void this.attempt(async () => {
      this.tokens = [];
      await this.#more();
    });
  }

  async #more(): Promise<void> {
    const page = await this.#pageBefore(this.tokens?.at(-1), PAGE);
    this.tokens = [...(this.tokens ?? []), ...page];
    this.isComplete = page.length < PAGE;
  }

  #pageBefore(last: PortalToken | undefined, limit: number): Promise<PortalToken[]> {
    const before = last === undefined ? '' : `&before=${last.id}`;
    return ask('GET', `/apiTokens?limit=${limit}&ended=${this.withEnded}${before}`);
  }

  #create(body: object, form: HTMLFormElement): void {
    void this.attempt(async () => {
      this.made = await ask<NewPortalToken>('POST', '/apiTokens', body);
      form.reset();
      this.tokens = [];
      await this.#more();
    });
  }

  #change(work: () => Promise<unknown>): void {
    void this.attempt(async () => {
      await work();
      this.opened = undefined;
      this.tokens = [];
      await this.#more();
    });
  }

  protected override render() {
    return html`
      <h1>Tokens</h1>
      ${this.messageBox()}
      ${this.made === undefined ? nothing : newTokenBox(this.made, () => (this.made = undefined))}
      ${createForm(this.isBusy, (body, form) => this.#create(body, form))}
      <h2>Tokens of the account</h2>
      <p class="tools">
        <label><input type="checkbox" .checked=${this.withEnded} @change=${(event: Event) => {
          this.withEnded = (event.target as HTMLInputElement).checked;
          this.#reload();
        }} /> Show ended tokens</label>
        <button type="button" @click=${() => void this.attempt(() => this.#download())}>Download as CSV</button>
      </p>
      ${this.#list()}`;
  }

  #list() {
    if (this.tokens === undefined) return nothing;
    if (this.tokens.length === 0) {
      return this.isBusy
        ? nothing
        : html`<p>There is no token yet. Create one with the form above.</p>`;
    }
    return html`
      <ul class="tokens">${this.tokens.map((token) => this.#row(token))}</ul>
      ${
        this.isComplete
          ? nothing
          : html`<button type="button" ?disabled=${this.isBusy}
              @click=${() => void this.attempt(() => this.#more())}>Show more</button>`
      }`;
  }

  #row(token: PortalToken) {
    const { id, name, state, restrictions } = token;
    const used = token.lastUsedAt === null ? 'never used' : `last used ${dayOf(token.lastUsedAt)}`;
    const origins =
      restrictions === null ? 'from everywhere' : `from ${restrictions.hosts.join(', ')}`;
    return html`<li>
      <h3>${name} ${state === 'good' ? nothing : html`<em>(${state})</em>`}</h3>
      <p>${token.isPublic ? 'Public' : 'Secret'}, ${origins}; ${token.scopes.join(', ')}</p>
      <p>Created ${dayOf(token.createdAt)}${token.userEmail === null ? '' : ` by ${token.userEmail}`}; ${used};
        ${token.requests30Days.toLocaleString()} requests in 30 days;
        ${token.expiresAt === null ? 'does not expire' : `expires ${dayOf(token.expiresAt)}`}${
          token.revokedAt === null ? '' : `; ends ${dayOf(token.revokedAt)}`
        }</p>
      ${state === 'good' ? this.#actions(token) : nothing}
      ${
        this.opened?.id !== id
          ? nothing
          : this.opened.form === 'origins'
            ? originsForm(token, (hosts) =>
                this.#change(() =>
                  ask('POST', `/apiTokens/${id}`, {
                    restrictions: hosts.length > 0 ? { hosts } : null,
                  }),
                ),
              )
            : revokeForm(token, () => this.#change(() => ask('DELETE', `/apiTokens/${id}`)))
      }
    </li>`;
  }

  #actions({ id, name, isOpaque }: PortalToken) {
    const open = (form: 'origins' | 'revoke') => () => {
      this.opened = this.opened?.id === id && this.opened.form === form ? undefined : { id, form };
    };
    const button = (title: string, act: () => void) =>
      html`<button type="button" aria-label=${`${title}: ${name}`} @click=${act}>${title}</button>`;
    const rotate = () =>
      this.#change(async () => {
        this.made = await ask<NewPortalToken>('POST', `/apiTokens/${id}/rotate`, {});
      });
    return html`<p class="tools">
      ${isOpaque ? [button('Change origins', open('origins')), button('Rotate', rotate)] : nothing}
      ${button('Revoke', open('revoke'))}
    </p>`;
  }

  async #download(): Promise<void> {
    const head = ['id', 'name', 'state', 'created', 'last used', 'requests in 30 days', 'origins'];
    const tokens = await allEntries<PortalToken>((last, limit) => this.#pageBefore(last, limit));
    const rows = tokens.map((one) => [
      ...[one.id, one.name, one.state, isoOf(one.createdAt), isoOf(one.lastUsedAt)],
      ...[one.requests30Days, one.restrictions?.hosts.join(' ') ?? ''],
    ]);
    downloadCsv('tokens', [head, ...rows]);
  }
}

customElements.define('portal-tokens', PortalTokens);

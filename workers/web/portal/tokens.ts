// The API tokens of the account: a list by pages, and what can be done with a token.

import { html, nothing, type PropertyValues } from 'lit';
import { ask, dayOf, isoOf, type NewPortalToken, type PortalToken } from './api.ts';
import { ListElement, pageByKey, pageQuery } from './list-element.ts';
import { createForm, newTokenBoxes, originsForm, revokeForm, rotateForm } from './token-forms.ts';

const HEAD = [
  'id',
  'account',
  'name',
  'state',
  'created',
  'last used',
  'requests in 30 days',
  'origins',
];

type Form = 'origins' | 'rotate' | 'revoke';

/** The tokens of the account; `all-tokens.ts` extends it for all accounts. */
export class PortalTokens extends ListElement<PortalToken, Form> {
  static override properties = {
    ...ListElement.properties,
    withEnded: { state: true },
    made: { state: true },
  };
  declare protected withEnded: boolean;
  /** The new tokens that are shown. */
  declare protected made: readonly NewPortalToken[];
  /** Whether the entries that are shown include ended tokens. */
  #hasEnded = false;

  constructor() {
    super();
    this.withEnded = false;
    this.made = [];
  }

  protected override async page(before: string | undefined, limit: number) {
    const query = pageQuery(this.query, { limit, ended: this.withEnded, before });
    const path = this.isOfAll ? '/admin/apiTokens' : '/apiTokens';
    const page = await ask<PortalToken[]>('GET', `${path}?${query}`);
    return pageByKey(page, limit, ({ id }) => id);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('entries')) this.#hasEnded = this.withEnded;
  }

  #create(body: object, form: HTMLFormElement): void {
    void this.attempt(async () => {
      this.made = [await ask<NewPortalToken>('POST', '/apiTokens', body), ...this.made];
      form.reset();
      await this.reload();
    });
  }

  protected override render() {
    return html`
      <h1>Tokens</h1>
      ${this.messageBox()}
      ${newTokenBoxes(this.made, (rest) => (this.made = rest))}
      ${createForm(this.isBusy, (body, form) => this.#create(body, form))}
      <h2>Tokens of the account</h2>
      ${this.tokens('tokens', 'There is no token yet. Create one with the form above.')}`;
  }

  /** The list, with its download. */
  protected tokens(file: string, empty: string) {
    const change = (event: Event) => {
      this.withEnded = (event.target as HTMLInputElement).checked;
      this.reloadFor(() => (this.withEnded = this.#hasEnded));
    };
    return html`<p class="tools">
        <label><input type="checkbox" .checked=${this.withEnded} @change=${change} /> Show ended tokens</label>
        ${this.downloadButton(file, HEAD, cellsOf)}
      </p>
      ${this.list((token) => this.#row(token), empty)}`;
  }

  #row(token: PortalToken) {
    const { id, name, state, restrictions } = token;
    // The day of the last use is a day in UTC.
    const used =
      token.lastUsedAt === null ? 'never used' : `last used ${dayOf(token.lastUsedAt, 'UTC')}`;
    const origins =
      restrictions === null ? 'from everywhere' : `from ${restrictions.hosts.join(', ')}`;
    return html`<li>
      <h3>${name} ${state === 'good' ? nothing : html`<em>(${state})</em>`}</h3>
      <p>${token.isPublic ? 'Public' : 'Secret'}, ${origins}; ${token.scopes.join(', ')}</p>
      <p>${this.isOfAll ? `Account ${token.accountId}; created` : 'Created'} ${dayOf(token.createdAt)}${token.userEmail === null ? '' : ` by ${token.userEmail}`}; ${used};
        ${token.requests30Days.toLocaleString()} requests in 30 days;
        ${token.expiresAt === null ? 'does not expire' : `expires ${dayOf(token.expiresAt)}`}${
          token.revokedAt === null ? '' : `; ends ${dayOf(token.revokedAt)}`
        }</p>
      ${state === 'good' ? this.#actions(token) : nothing}
      ${this.opened?.id === id ? this.#form(token, this.opened.form) : nothing}
    </li>`;
  }

  #form(token: PortalToken, form: Form) {
    const path = `/apiTokens/${token.id}`;
    if (form === 'revoke')
      return revokeForm(token, this.isBusy, () => this.change(() => ask('DELETE', path)));
    if (form === 'origins') {
      return originsForm(token, this.isBusy, (hosts) => {
        const restrictions = hosts.length > 0 ? { hosts } : null;
        this.change(() => ask('POST', path, { restrictions }));
      });
    }
    return rotateForm(token, this.isBusy, (graceSeconds) => this.#rotate(path, graceSeconds));
  }

  #rotate(path: string, graceSeconds: number): void {
    void this.attempt(async () => {
      try {
        const body = { graceSeconds };
        this.made = [await ask<NewPortalToken>('POST', `${path}/rotate`, body), ...this.made];
      } finally {
        // If the response is lost, the list shows the replacement, which can be rotated.
        this.opened = undefined;
        await this.reload();
      }
    });
  }

  #actions({ id, name, isOpaque }: PortalToken) {
    const opener = (form: Form, title: string) => this.formOpener(id, form, title, name);
    return html`<p class="tools">
      ${isOpaque && !this.isOfAll ? [opener('origins', 'Change origins'), opener('rotate', 'Rotate')] : nothing}
      ${opener('revoke', 'Revoke')}
    </p>`;
  }
}

const cellsOf = (one: PortalToken) => [
  ...[one.id, one.accountId, one.name, one.state, isoOf(one.createdAt), isoOf(one.lastUsedAt)],
  ...[one.requests30Days, one.restrictions?.hosts.join(' ') ?? ''],
];

customElements.define('portal-tokens', PortalTokens);

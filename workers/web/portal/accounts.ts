// Accounts of the service, for administrators.

import { html, nothing } from 'lit';
import type { PortalAccount } from '../../../shared/contract/accounts.ts';
import type { MemberLink } from '../client/portal-wire.ts';
import { ask, dayOf, isoOf } from './api.ts';
import { choiceForm } from './choice-form.ts';
import { confirmForm } from './confirm-form.ts';
import { linkBoxes, withLink } from './link-box.ts';
import { ListElement, pageByKey, pageQuery } from './list-element.ts';
import { markUnsaved, valuesOf } from './portal-element.ts';

const PLANS = { standard: 'standard', enterprise: 'enterprise' } as const;
const HEAD = ['id', 'plan', 'routes', 'administration', 'created', 'suspended', 'users', 'tokens'];

class PortalAccounts extends ListElement<PortalAccount, 'suspend'> {
  static override properties = {
    ...ListElement.properties,
    made: { state: true },
    created: { state: true },
  };
  /** The sign-in links that are shown. */
  declare protected made: readonly MemberLink[];
  /** Id of the account that was created last. The list may not show it. */
  declare protected created: string | undefined;

  constructor() {
    super();
    this.made = [];
  }

  protected override async page(after: string | undefined, limit: number) {
    const query = pageQuery(this.query, { limit, after });
    const page = await ask<PortalAccount[]>('GET', `/admin/accounts?${query}`);
    return pageByKey(page, limit, ({ id }) => id);
  }

  #create(event: SubmitEvent): void {
    const form = event.currentTarget as HTMLFormElement;
    const { id, plan, pilot, admin } = valuesOf(event);
    this.created = undefined;
    void this.attempt(async () => {
      const rights = { plan, pilot: pilot === 'on', admin: admin === 'on' };
      await ask('POST', '/admin/accounts', { id, ...rights });
      this.created = id;
      form.reset();
      await this.reload();
    });
  }

  #invite(id: string, event: SubmitEvent): void {
    const body = valuesOf(event);
    void this.attempt(async () => {
      const link = await ask<MemberLink>('POST', `/admin/accounts/${id}/owner`, body);
      this.made = withLink(this.made, link);
      await this.reload();
    });
  }

  #change({ id }: PortalAccount, change: object): Promise<void> {
    return this.attempt(async () => {
      const changed = await ask<PortalAccount>('POST', `/admin/accounts/${id}`, change);
      // Another change must not close the open form.
      if ('suspended' in change) this.opened = undefined;
      this.replace(changed);
    });
  }

  protected override render() {
    return html`
      <h1>Accounts</h1>
      ${this.messageBox()}
      ${linkBoxes(this.made, (rest) => (this.made = rest))}
      <form class="card" @submit=${(event: SubmitEvent) => this.#create(event)} @input=${markUnsaved} @reset=${markUnsaved}>
        <h2>Create an account</h2>
        <label for="account-id">Id: lower-case letters, digits, dot, dash and underscore. It cannot change</label>
        <input id="account-id" name="id" required maxlength="64" pattern="[a-z0-9][a-z0-9._\\-]*" autocomplete="off" />
        <label>Plan <select name="plan"><option>standard</option><option>enterprise</option></select></label>
        <fieldset>
          <legend>Its tokens may</legend>
          <label><input type="checkbox" name="pilot" /> plan routes</label>
          <label><input type="checkbox" name="admin" /> delete the reports of others</label>
        </fieldset>
        <button class="main" type="submit" ?disabled=${this.isBusy}>Create</button>
        <p role="status">${this.created === undefined ? '' : `The account ${this.created} was created.`}</p>
      </form>
      ${this.searchForm({ search: 'The id begins with' }, 64)}
      <h2>Accounts of the service</h2>
      <p class="tools">${this.downloadButton('accounts', [...HEAD, 'requests in 30 days'], cellsOf)}</p>
      ${this.list((account) => this.#row(account), 'There is no account yet. Create one with the form above.')}`;
  }

  #row(account: PortalAccount) {
    const { id, createdAt, suspendedAt, erasedAt, users, tokens, requests30Days } = account;
    const state =
      erasedAt !== null ? 'erased' : suspendedAt !== null ? `suspended ${dayOf(suspendedAt)}` : '';
    return html`<li>
      <h3>${id} ${state === '' ? nothing : html`<em>(${state})</em>`}</h3>
      <p>Created ${dayOf(createdAt)}; ${users} users, ${tokens} tokens,
        ${requests30Days.toLocaleString()} requests in 30 days</p>
      ${erasedAt === null ? this.#actions(account) : nothing}
      ${this.opened?.id === id ? this.#suspendForm(account) : nothing}
      ${erasedAt === null && users === 0 ? this.#ownerForm(account) : nothing}
    </li>`;
  }

  #actions(account: PortalAccount) {
    const { id, plan, pilot, admin, suspendedAt } = account;
    const { isBusy } = this;
    const suspend = () => this.toggle(id, 'suspend');
    return html`<div class="tools">
      ${choiceForm(
        { label: 'Plan', name: `Plan of ${id}`, titles: PLANS, value: plan, isBusy },
        (choice) => this.#change(account, { plan: choice }),
      )}
      ${this.#right(account, 'routes', 'pilot', pilot)}
      ${this.#right(account, 'administration of reports', 'admin', admin)}
      ${
        suspendedAt === null
          ? html`<button type="button" aria-label=${`Suspend: ${id}`} @click=${suspend}>Suspend</button>`
          : html`<button type="button" aria-label=${`Resume: ${id}`} ?disabled=${isBusy}
              @click=${() => this.#change(account, { suspended: false })}>Resume</button>`
      }
    </div>`;
  }

  #right(account: PortalAccount, title: string, name: 'pilot' | 'admin', isSet: boolean) {
    const change = async (event: Event) => {
      const box = event.target as HTMLInputElement;
      await this.#change(account, { [name]: box.checked });
      // The right that is stored, even if the change was refused.
      box.checked = box.defaultChecked;
    };
    return html`<label><input type="checkbox" ?checked=${isSet} .checked=${isSet}
      aria-label=${`${account.id}: ${title}`} ?disabled=${this.isBusy} @change=${change} /> ${title}</label>`;
  }

  /** For an account without users, whose owner invites the others. */
  #ownerForm({ id }: PortalAccount) {
    return html`<form class="tools" @submit=${(event: SubmitEvent) => this.#invite(id, event)} @input=${markUnsaved}>
      <label>Email address of the owner <input name="username" type="email" required maxlength="254"
        aria-label=${`Email address of the owner of ${id}`} autocomplete="off" /></label>
      <button aria-label=${`Invite the owner: ${id}`} ?disabled=${this.isBusy}>Invite the owner</button>
    </form>`;
  }

  #suspendForm(account: PortalAccount) {
    const { id: name } = account;
    const consequence = 'All tokens of the account stop working until you resume it.';
    return confirmForm(
      { id: `suspend-${name}`, name, consequence, action: 'Suspend', isBusy: this.isBusy },
      () => this.#change(account, { suspended: true }),
    );
  }
}

const yesNo = (is: boolean) => (is ? 'yes' : 'no');

const cellsOf = (one: PortalAccount) => [
  ...[one.id, one.plan, yesNo(one.pilot), yesNo(one.admin)],
  ...[isoOf(one.createdAt), isoOf(one.suspendedAt)],
  ...[one.users, one.tokens, one.requests30Days],
];

customElements.define('portal-accounts', PortalAccounts);

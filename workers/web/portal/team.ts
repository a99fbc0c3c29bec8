// The team of the account: its users, their roles, and invitations by link.

import { html, nothing } from 'lit';
import type { MemberLink, TeamMember } from '../../../shared/contract/team.ts';
import { allEntries, ask, dayOf, downloadCsv, isoOf } from './api.ts';
import { confirmForm } from './confirm-form.ts';
import { copyButton } from './copy-button.ts';
import { PortalElement, valuesOf } from './portal-element.ts';

const PAGE = 50;
/** What a role may do, for roles that an owner can give. */
const ROLE_TEXTS = {
  member: 'Member: own tokens, usage, styles',
  moderator: 'Moderator: also reports of all users',
  owner: 'Owner: also the team',
} as const;

const TEAM_ROLES = Object.keys(ROLE_TEXTS) as (keyof typeof ROLE_TEXTS)[];

class PortalTeam extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    members: { state: true },
    isComplete: { state: true },
    made: { state: true },
    opened: { state: true },
  };
  declare protected members: readonly TeamMember[] | undefined;
  declare protected isComplete: boolean;
  declare protected made: MemberLink | undefined;
  /** Id and form of the user whose form is open. */
  declare protected opened: { readonly id: string; readonly form: 'remove' | 'link' } | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.attempt(() => this.#reload());
  }

  async #reload(): Promise<void> {
    this.members = [];
    await this.#more();
  }

  async #more(): Promise<void> {
    const page = await pageAfter(this.members?.at(-1), PAGE);
    this.members = [...(this.members ?? []), ...page];
    this.isComplete = page.length < PAGE;
  }

  #invite(event: SubmitEvent): void {
    const form = event.currentTarget as HTMLFormElement;
    const body = valuesOf(event);
    void this.attempt(async () => {
      this.made = await ask<MemberLink>('POST', '/team', body);
      form.reset();
      await this.#reload();
    });
  }

  #change(work: () => Promise<unknown>): void {
    void this.attempt(async () => {
      await work();
      this.opened = undefined;
      await this.#reload();
    });
  }

  protected override render() {
    return html`
      <h1>Team</h1>
      ${this.messageBox()}
      ${this.made === undefined ? nothing : this.#linkBox(this.made)}
      <form class="card" @submit=${(event: SubmitEvent) => this.#invite(event)}>
        <h2>Invite a user</h2>
        <label for="invite-address">Email address</label>
        <input id="invite-address" name="username" type="email" required maxlength="254" autocomplete="off" />
        <fieldset>
          <legend>Role</legend>
          ${TEAM_ROLES.map(
            (role) => html`<label><input type="radio" name="role" value=${role}
              ?checked=${role === 'member'} /> ${ROLE_TEXTS[role]}</label>`,
          )}
        </fieldset>
        <p>No mail is sent. You get a link to send to the user; it works once, within a day.</p>
        <button class="main" type="submit" ?disabled=${this.isBusy}>Create the link</button>
      </form>
      <h2>Users of the account</h2>
      <p class="tools"><button type="button" @click=${() => void this.attempt(download)}>Download as CSV</button></p>
      <ul class="tokens">${(this.members ?? []).map((member) => this.#row(member))}</ul>
      ${
        this.isComplete !== false
          ? nothing
          : html`<button type="button" ?disabled=${this.isBusy}
              @click=${() => void this.attempt(() => this.#more())}>Show more</button>`
      }`;
  }

  #linkBox({ user, link, expiresAt }: MemberLink) {
    return html`<section class="card new" aria-labelledby="new-link">
      <h2 id="new-link">Sign-in link of ${user.username}</h2>
      <p>Send it to the user now. It works once, until ${new Date(expiresAt).toLocaleString()}, and cannot be shown again.</p>
      <p><code>${link}</code></p>
      <p class="tools">${copyButton('Copy the link', link)}
        <button type="button" @click=${() => (this.made = undefined)}>Done</button></p>
    </section>`;
  }

  #row(member: TeamMember) {
    const { userId: id, username, role, createdAt, lastSeenAt, hasPassword } = member;
    const seen = lastSeenAt === null ? 'not signed in' : `last seen ${dayOf(lastSeenAt)}`;
    return html`<li>
      <h3>${username}</h3>
      <p>Invited ${dayOf(createdAt)}; ${seen}; ${hasPassword ? 'has a password' : 'has no password yet'}</p>
      <p class="tools">
        ${
          role === 'administrator'
            ? 'Administrator'
            : html`<label>Role <select aria-label=${`Role of ${username}`} @change=${(
                event: Event,
              ) => this.#changeRole(id, event)}>${TEAM_ROLES.map(
                (one) => html`<option value=${one} ?selected=${one === role}>${one}</option>`,
              )}</select></label>`
        }
        ${this.#opener(member, 'link', 'New sign-in link')}
        ${this.#opener(member, 'remove', 'Remove')}
      </p>
      ${this.opened?.id === id ? this.#form(member) : nothing}
    </li>`;
  }

  #opener({ userId: id, username }: TeamMember, form: 'remove' | 'link', title: string) {
    const open = () => {
      this.opened = this.opened?.id === id && this.opened.form === form ? undefined : { id, form };
    };
    return html`<button type="button" aria-label=${`${title}: ${username}`} @click=${open}>${title}</button>`;
  }

  #form({ userId, username: name }: TeamMember) {
    if (this.opened?.form === 'remove') {
      const consequence =
        'The user is signed out and can no longer sign in. The tokens of the account still work.';
      return confirmForm({ id: `remove-${userId}`, name, consequence, action: 'Remove' }, () =>
        this.#change(() => ask('DELETE', `/team/${userId}`)),
      );
    }
    const consequence = 'The password, the older links and the other sessions of the user end.';
    return confirmForm({ id: `link-${userId}`, name, consequence, action: 'Create the link' }, () =>
      this.#change(async () => {
        this.made = await ask<MemberLink>('POST', `/team/${userId}/link`);
      }),
    );
  }

  #changeRole(id: string, event: Event): void {
    const role = (event.target as HTMLSelectElement).value;
    void this.attempt(async () => {
      const changed = await ask<TeamMember>('POST', `/team/${id}`, { role });
      this.members = this.members?.map((one) => (one.userId === id ? changed : one));
    });
  }
}

const pageAfter = (last: TeamMember | undefined, limit: number): Promise<TeamMember[]> =>
  ask(
    'GET',
    `/team?limit=${limit}${last === undefined ? '' : `&after=${encodeURIComponent(last.username)}`}`,
  );

async function download(): Promise<void> {
  const head = ['address', 'role', 'invited', 'last seen', 'has password'];
  const rows = (await allEntries(pageAfter)).map((one) => [
    one.username,
    one.role,
    isoOf(one.createdAt),
    isoOf(one.lastSeenAt),
    one.hasPassword ? 'yes' : 'no',
  ]);
  downloadCsv('team', [head, ...rows]);
}

customElements.define('portal-team', PortalTeam);

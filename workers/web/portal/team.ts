// The team of the account: its users, their roles, and invitations by link.

import { html, nothing } from 'lit';
import type { MemberLink, TeamMember } from '../../../shared/contract/team.ts';
import { ask, dayOf, isoOf } from './api.ts';
import { choiceForm } from './choice-form.ts';
import { confirmForm } from './confirm-form.ts';
import { linkBoxes, withLink } from './link-box.ts';
import { ListElement, pageByKey, pageQuery } from './list-element.ts';
import { markUnsaved, valuesOf } from './portal-element.ts';

/** What a role may do, for roles that an owner can give. */
const ROLE_TEXTS = {
  member: 'Member: own tokens, usage, styles',
  moderator: 'Moderator: also reports of all users',
  owner: 'Owner: also the team',
} as const;

type TeamRole = keyof typeof ROLE_TEXTS;
const TEAM_ROLES = Object.keys(ROLE_TEXTS) as TeamRole[];
const ROLES = { member: 'member', moderator: 'moderator', owner: 'owner' } as const;

type Form = 'remove' | 'link' | 'signOut' | 'suspend';

/** The users of the account; `users.ts` extends it for all accounts. */
export class PortalTeam extends ListElement<TeamMember, Form> {
  static override properties = {
    ...ListElement.properties,
    made: { state: true },
  };
  /** The links that are shown. */
  declare protected made: readonly MemberLink[];

  constructor() {
    super();
    this.made = [];
  }

  protected override async page(after: string | undefined, limit: number) {
    const query = pageQuery(this.query, { limit, after });
    const path = this.isOfAll ? '/admin/users' : '/team';
    const page = await ask<TeamMember[]>('GET', `${path}?${query}`);
    return pageByKey(page, limit, ({ username }) => username);
  }

  protected override keyOf({ userId }: TeamMember): string {
    return userId;
  }

  #invite(event: SubmitEvent): void {
    const form = event.currentTarget as HTMLFormElement;
    const body = valuesOf(event);
    void this.attempt(async () => {
      this.made = withLink(this.made, await ask<MemberLink>('POST', '/team', body));
      form.reset();
      await this.reload();
    });
  }

  protected override render() {
    return html`
      <h1>Team</h1>
      ${this.messageBox()}
      ${this.linkBoxes()}
      <form class="card" @submit=${(event: SubmitEvent) => this.#invite(event)} @input=${markUnsaved} @reset=${markUnsaved}>
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
        <p>You get a link to send to the user; it works once, within a day.</p>
        <button class="main" type="submit" ?disabled=${this.isBusy}>Create the link</button>
      </form>
      <h2>Users of the account</h2>
      ${this.users('team')}`;
  }

  /** The list, with its download. */
  protected users(file: string) {
    return html`<p class="tools">${this.downloadButton(file, HEAD, cellsOf)}</p>
      ${this.list((member) => this.#row(member), 'There is no user yet.')}`;
  }

  protected linkBoxes() {
    return linkBoxes(this.made, (rest) => (this.made = rest));
  }

  #row(member: TeamMember) {
    const { userId: id, username, role, accountId, createdAt, suspendedAt } = member;
    const { lastSeenAt, hasPassword } = member;
    const seen = lastSeenAt === null ? 'not signed in' : `last seen ${dayOf(lastSeenAt)}`;
    return html`<li>
      <h3>${username} ${suspendedAt === null ? nothing : html`<em>(suspended ${dayOf(suspendedAt)})</em>`}</h3>
      <p>${this.isOfAll ? `Account ${accountId}; invited` : 'Invited'} ${dayOf(createdAt)}; ${seen}; ${hasPassword ? 'has a password' : 'has no password yet'}</p>
      ${this.isOfAll ? html`<p>Subject of the user’s tokens and data: <code>member:${id}</code></p>` : nothing}
      <div class="tools">
        ${role === 'administrator' ? 'Administrator' : this.#roleForm(member, role)}
        ${suspendedAt === null ? this.#openersOfActive(member) : this.#resume(member)}
        ${this.formOpener(id, 'remove', 'Remove', username)}
      </div>
      ${this.opened?.id === id ? this.#form(member) : nothing}
    </li>`;
  }

  /** A suspended user has no session and no new link. */
  #openersOfActive({ userId: id, username }: TeamMember) {
    return html`${this.formOpener(id, 'link', 'New sign-in link', username)}
      ${this.formOpener(id, 'signOut', 'Sign out everywhere', username)}
      ${this.formOpener(id, 'suspend', 'Suspend', username)}`;
  }

  #roleForm({ userId: id, username }: TeamMember, value: TeamRole) {
    const name = `Role of ${username}`;
    return choiceForm({ label: 'Role', name, titles: ROLES, value, isBusy: this.isBusy }, (role) =>
      this.#change(id, { role }),
    );
  }

  #resume({ userId: id, username }: TeamMember) {
    return html`<button type="button" aria-label=${`Resume: ${username}`}
      ?disabled=${this.isBusy} @click=${() => this.#change(id, { suspended: false })}>Resume</button>`;
  }

  #form({ userId, username: name }: TeamMember) {
    const { isBusy } = this;
    if (this.opened?.form === 'remove') {
      const consequence =
        'The user is signed out and can no longer sign in. The tokens of the account still work.';
      return confirmForm(
        { id: `remove-${userId}`, name, consequence, action: 'Remove', isBusy },
        () => this.change(() => ask('DELETE', `/team/${userId}`)),
      );
    }
    if (this.opened?.form === 'signOut') {
      const consequence = 'All sessions of the user end. The user can sign in again.';
      return confirmForm(
        { id: `out-${userId}`, name, consequence, action: 'Sign out', isBusy },
        () => this.change(() => ask('POST', `/team/${userId}/logoutEverywhere`)),
      );
    }
    if (this.opened?.form === 'suspend') {
      const consequence =
        'The user is signed out and cannot sign in until you resume the user. The tokens of the account still work.';
      return confirmForm(
        { id: `suspend-${userId}`, name, consequence, action: 'Suspend', isBusy },
        () => this.#change(userId, { suspended: true }),
      );
    }
    const consequence = 'The password, the older links and the other sessions of the user end.';
    return confirmForm(
      { id: `link-${userId}`, name, consequence, action: 'Create the link', isBusy },
      () =>
        this.change(async () => {
          this.made = withLink(this.made, await ask<MemberLink>('POST', `/team/${userId}/link`));
        }),
    );
  }

  #change(id: string, change: object): Promise<void> {
    return this.attempt(async () => {
      const changed = await ask<TeamMember>('POST', `/team/${id}`, change);
      if ('suspended' in change) this.opened = undefined;
      this.replace(changed);
    });
  }
}

const HEAD = ['address', 'account', 'role', 'invited', 'last seen', 'has password', 'suspended'];

const cellsOf = (one: TeamMember) => [
  ...[one.username, one.accountId, one.role, isoOf(one.createdAt), isoOf(one.lastSeenAt)],
  ...[one.hasPassword ? 'yes' : 'no', isoOf(one.suspendedAt)],
];

customElements.define('portal-team', PortalTeam);

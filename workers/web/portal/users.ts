// The users of all accounts, for administrators: search, roles, new link, sign out everywhere, remove.

import { html } from 'lit';
import { PortalTeam } from './team.ts';

class PortalUsers extends PortalTeam {
  protected override get isOfAll(): boolean {
    return true;
  }

  protected override render() {
    return html`
      <h1>Users</h1>
      ${this.messageBox()} ${this.linkBoxes()}
      ${this.searchForm({ address: 'The address begins with', account: 'Account' })}
      <h2>Users of all accounts</h2>
      <p>To stop all tokens of an account, suspend the account. To stop a user, suspend or remove the user.</p>
      ${this.users('users')}`;
  }
}

customElements.define('portal-users', PortalUsers);

// The tokens of all accounts, for administrators: search and revoke.

import { html } from 'lit';
import { PortalTokens } from './tokens.ts';

class PortalAllTokens extends PortalTokens {
  protected override get isOfAll(): boolean {
    return true;
  }

  protected override render() {
    return html`
      <h1>All tokens</h1>
      ${this.messageBox()}
      ${this.searchForm({ search: 'The name begins with, or the id is', account: 'Account' })}
      <h2>Tokens of all accounts</h2>
      ${this.tokens('all-tokens', 'There is no valid token.')}`;
  }
}

customElements.define('portal-all-tokens', PortalAllTokens);

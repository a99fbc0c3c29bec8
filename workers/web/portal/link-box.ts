// Shows a new sign-in link once.

import { html } from 'lit';
import type { MemberLink } from '../client/portal-wire.ts';
import { copyButton } from './copy-button.ts';

export const linkBox = ({ user, link, expiresAt }: MemberLink, close: () => void) => html`
  <section class="card new" aria-labelledby="new-link">
    <h2 id="new-link">Sign-in link of ${user.username}</h2>
    <p>Send it to the user now. It works once, until ${new Date(expiresAt).toLocaleString()}, and cannot be shown again.</p>
    <p><code>${link}</code></p>
    <p class="tools">${copyButton('Copy the link', link)} <button type="button" @click=${close}>Done</button></p>
  </section>`;

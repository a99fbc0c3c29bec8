// Shows a new sign-in link once.

import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { ref } from 'lit/directives/ref.js';
import type { MemberLink } from '../client/portal-wire.ts';
import { timeText } from './api.ts';
import { copyButton } from './copy-button.ts';
import { focusOn } from './portal-element.ts';

export const linkBox = ({ user, link, expiresAt, isMailed }: MemberLink, close: () => void) =>
  keyed(
    link,
    html`
  <section class="card new" data-unsaved aria-labelledby="new-link">
    <h2 id="new-link" tabindex="-1" ${ref(focusOn)}>Sign-in link of ${user.username}</h2>
    ${isMailed ? html`<p>An email with another link was sent to ${user.username}.</p>` : nothing}
    <p>${isMailed ? 'You can also send this link to the user.' : 'Send it to the user now.'} It works once, until ${timeText(expiresAt)}, and cannot be shown again.</p>
    <p><code>${link}</code></p>
    <p class="tools">${copyButton('Copy the link', link)} <button type="button" @click=${close}>Done</button></p>
  </section>`,
  );

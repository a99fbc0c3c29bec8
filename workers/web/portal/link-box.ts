// Shows new sign-in links once.

import { html, nothing } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import type { MemberLink } from '../client/portal-wire.ts';
import { timeText } from './api.ts';
import { copyButton } from './copy-button.ts';
import { focusOn } from './portal-element.ts';

/** Links with a new one, which ends an older one of the same user. */
export const withLink = (links: readonly MemberLink[], made: MemberLink): readonly MemberLink[] => [
  made,
  ...links.filter(({ user }) => user.userId !== made.user.userId),
];

/** @param keep called with the links that are not closed */
export const linkBoxes = (
  links: readonly MemberLink[],
  keep: (rest: readonly MemberLink[]) => void,
) =>
  repeat(
    links,
    ({ link }) => link,
    (one) => linkBox(one, () => keep(links.filter((other) => other !== one))),
  );

const linkBox = ({ user, link, expiresAt, isMailed }: MemberLink, close: () => void) => html`
  <section class="card new" data-unsaved aria-labelledby=${`new-link-${user.userId}`}>
    <h2 id=${`new-link-${user.userId}`} tabindex="-1" ${ref(focusOn)}>Sign-in link of ${user.username}</h2>
    ${isMailed ? html`<p>An email with another link is sent to ${user.username}.</p>` : nothing}
    <p>${isMailed ? 'You can also send this link to the user.' : 'Send it to the user now.'} It works once, until ${timeText(expiresAt)}, and cannot be shown again.</p>
    <p><code>${link}</code></p>
    <p class="tools">${copyButton('Copy the link', link)} <button type="button" @click=${close}>Done</button></p>
  </section>`;

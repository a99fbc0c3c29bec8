// The details of a report in the section Reports: texts, votes, and what a moderator can do.

import { html, nothing } from 'lit';
import type { ModeratedReport, ReportDetails } from '../../../shared/contract/moderation.ts';
import { timeText } from './api.ts';
import { confirmForm } from './confirm-form.ts';

/** The first line of a report in the list. */
export const titleOf = ({ reportType, properties }: ModeratedReport): string => {
  const { description } = properties;
  return typeof description === 'string' && description.trim() !== ''
    ? `${reportType}: ${description}`
    : reportType;
};

export const authorOf = ({ externalUserId, subject }: ModeratedReport): string =>
  externalUserId || subject;

export interface ReportActions {
  /** Whether the form that blocks the author is open. */
  readonly isBlocking: boolean;
  /** Whether a change is in progress. */
  readonly isBusy: boolean;
  change(method: 'POST' | 'DELETE', path: string): void;
  unblock(id: number): void;
  toggleBlocking(): void;
}

export const detailsView = ({ report, votes }: ReportDetails, actions: ReportActions) => html`
  <p>Account ${report.accountId}, subject ${report.subject}${
    report.externalUserId === null ? '' : `, end user ${report.externalUserId}`
  }; expires ${timeText(report.expiresAt)}${
    report.deletedAt === null ? '' : `; deleted ${timeText(report.deletedAt)}`
  }</p>
  <pre tabindex="0" role="group" aria-label="Properties"><code>${JSON.stringify(report.properties, null, 2)}</code></pre>
  <p>${report.upvoteCount} votes valid, ${report.downvoteCount} invalid${
    votes.length === 0 ? '' : '; the latest:'
  }</p>
  <ul>${votes.map(
    ({ vote, subject, externalUserId, at }) =>
      html`<li>${vote} by ${subject === null ? 'a user of another account' : externalUserId || subject}, ${timeText(at)}</li>`,
  )}</ul>
  ${buttons(report, actions)}`;

function buttons(report: ModeratedReport, { isBlocking, isBusy, ...actions }: ReportActions) {
  const { id, state, expiresAt, blockId } = report;
  const button = (title: string, act: () => void) =>
    html`<button type="button" aria-label=${`${title}: ${titleOf(report)}`} ?disabled=${isBusy} @click=${act}>${title}</button>`;
  return html`<p class="tools">
      ${
        state !== 'deleted'
          ? button('Delete', () => actions.change('DELETE', `/reports/${id}`))
          : expiresAt > Date.now()
            ? button('Restore', () => actions.change('POST', `/reports/${id}/restore`))
            : 'It has expired and cannot be restored.'
      }
      ${
        blockId === null
          ? button('Block author', actions.toggleBlocking)
          : button('Unblock author', () => actions.unblock(blockId))
      }
    </p>
    ${isBlocking && blockId === null ? blockForm(report, isBusy, () => actions.change('POST', `/reports/${id}/block`)) : nothing}`;
}

const blockForm = (report: ModeratedReport, isBusy: boolean, act: () => void) =>
  confirmForm(
    {
      id: `block-${report.id}`,
      name: authorOf(report),
      consequence: report.externalUserId
        ? 'New reports and votes of this end user are rejected. Existing ones stay.'
        : 'New reports and votes of this subject are rejected: those of everyone who uses its tokens without a user token. Existing ones stay.',
      action: 'Block',
      isBusy,
    },
    act,
  );

// Jobs that change the charts of the account: progress, steps and messages; cancel, retry.

import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ChartJob, ChartJobList } from '../client/portal-wire.ts';
import { ask, timeText } from './api.ts';
import {
  isActive,
  jobTitle,
  progressBar,
  stateText,
  stepTitle,
  withJob,
  workerNotice,
} from './job-text.ts';
import { RefreshedList } from './refreshed-list.ts';

class PortalJobs extends RefreshedList {
  static override properties = {
    ...RefreshedList.properties,
    list: { state: true },
    opened: { state: true },
  };
  declare protected list: ChartJobList | undefined;
  /** Id of the job whose messages are shown. */
  declare protected opened: string | undefined;

  protected override async load(isQuick: boolean, isNewest: () => boolean): Promise<void> {
    let list = this.list;
    const jobs = await this.readShown(isQuick ? this.listedJobs : [], async (page) => {
      list = await ask<ChartJobList>('GET', `/jobs?${page}`);
      return list.jobs;
    });
    if (isNewest()) this.list = { ...list!, jobs: [...jobs] };
  }

  protected override get listedJobs(): readonly ChartJob[] {
    return this.list?.jobs ?? [];
  }

  protected override showJob(job: ChartJob): void {
    this.list = withJob(this.list, job);
  }

  #change(id: string, verb: 'cancel' | 'retry'): void {
    void this.attempt(async () => {
      await ask('POST', `/jobs/${id}/${verb}`);
      await this.refresh();
    });
  }

  protected override render() {
    const { list } = this;
    return html`
      <h1>Jobs</h1>
      ${this.messageBox()}
      <p>What changes the charts of the account ${this.user.account.name}, newest first. The page follows jobs in
        progress.</p>
      ${workerNotice(list?.worker)}
      ${list !== undefined && list.jobs.length === 0 ? html`<p>There is no job yet. <a href="#charts">Upload charts</a>.</p>` : nothing}
      <ul class="tokens">${repeat(list?.jobs ?? [], keyOf, (job) => this.#row(job))}</ul>
      ${this.moreButton(list !== undefined && list.pagination.total > list.jobs.length)}`;
  }

  #row(job: ChartJob) {
    const { id, jobState, percentComplete, result, createdAt, isCancelled } = job;
    const title = jobTitle(job);
    const isOpen = this.opened === id;
    const isOwner = this.user.isAccountOwner;
    return html`<li>
      <h3>${title}${job.isPublic ? html` <em>(public charts)</em>` : nothing}</h3>
      <p>${timeText(createdAt)}: ${isCancelled && jobState === 'processing' ? 'being cancelled' : stateText(jobState)}
        ${jobState === 'processing' ? progressBar(`Progress of ${title}`, percentComplete) : nothing}</p>
      ${result === null ? nothing : html`<p>${result.message}</p>`}
      <p class="tools">
        ${this.opener('Steps and messages', title, isOpen, () => (this.opened = isOpen ? undefined : id))}
        ${
          isOwner && isActive(job) && job.jobType === 'upload' && !isCancelled
            ? html`<button type="button" aria-label=${`Cancel: ${title}`} ?disabled=${this.isBusy} @click=${() => this.#change(id, 'cancel')}>Cancel</button>`
            : nothing
        }
        ${
          isOwner && (jobState === 'failed' || jobState === 'cancelled')
            ? html`<button type="button" aria-label=${`Retry: ${title}`} ?disabled=${this.isBusy} @click=${() => this.#change(id, 'retry')}>Retry</button>`
            : nothing
        }
      </p>
      ${isOpen ? detailsOf(job) : nothing}
    </li>`;
  }
}

const keyOf = ({ id }: ChartJob): string => id;

const detailsOf = ({ steps, logs, attempts }: ChartJob) => html`
  <ol>${steps.map(
    ({ stepName, status, startedAt, completedAt }) =>
      html`<li>${stepTitle(stepName)}: ${stateText(status)}${
        startedAt === null || completedAt === null
          ? nothing
          : `, ${((completedAt - startedAt) / 1000).toFixed(1)} s`
      }</li>`,
  )}</ol>
  ${attempts > 1 ? html`<p>A worker ended ${attempts - 1} times; another continued.</p>` : nothing}
  ${
    logs.length === 0
      ? html`<p>There are no messages.</p>`
      : html`<ul>${logs.map(({ timestamp, type, message }) => html`<li>${timeText(Date.parse(timestamp))}: ${type === 'info' ? nothing : html`<strong>${type}</strong> `}${message}</li>`)}</ul>`
  }`;

customElements.define('portal-jobs', PortalJobs);

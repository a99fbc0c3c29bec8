// The charts of the account: upload, cells on a map and in a list, history of uploads, deletion.

import { html, nothing } from 'lit';
import type {
  ChartCells,
  ChartJobList,
  ChartUpload,
  ChartUploadList,
} from '../client/portal-wire.ts';
import { ask } from './api.ts';
import './cell-map.ts';
import { confirmForm } from './confirm-form.ts';
import { progressBar, stateText, timeText, workerNotice } from './job-text.ts';
import { RefreshedList } from './refreshed-list.ts';
import './upload-drop.ts';

/** The service shows a new build within this number of refreshes after the job. */
const REFRESHES = 10;
/** Cells of the list before a search. */
const LISTED = 50;

class PortalCharts extends RefreshedList {
  static override properties = {
    ...RefreshedList.properties,
    charts: { state: true },
    uploads: { state: true },
    jobs: { state: true },
    opened: { state: true },
    search: { state: true },
  };
  declare protected charts: ChartCells | undefined;
  declare protected uploads: readonly ChartUpload[] | undefined;
  declare protected jobs: ChartJobList | undefined;
  /** The upload whose cells or form are shown. */
  declare protected opened: { readonly id: string; readonly part: 'cells' | 'delete' } | undefined;
  declare protected search: string;
  #live = '';
  #refreshes = 0;

  constructor() {
    super();
    this.search = '';
  }

  protected override async load(): Promise<void> {
    const [{ uploads }, jobs] = await Promise.all([
      ask<ChartUploadList>('GET', `/charts/uploads?limit=${this.shown}`),
      ask<ChartJobList>('GET', '/jobs?limit=25&activeOnly=true'),
    ]);
    this.uploads = uploads;
    this.jobs = jobs;
    const live = uploads.map(({ id, isLive }) => `${id} ${isLive}`).join();
    if (live !== this.#live) this.#refreshes = REFRESHES;
    this.#live = live;
    if (this.#refreshes-- > 0) {
      this.charts = await ask<ChartCells>('GET', '/charts/cells').catch(() => this.charts);
    }
  }

  #delete(id: string): void {
    void this.attempt(async () => {
      await ask('DELETE', `/charts/uploads/${id}`);
      this.opened = undefined;
      await this.refresh();
    });
  }

  protected override render() {
    const { isAccountOwner, isAdmin, account } = this.user;
    return html`
      <h1>Charts</h1>
      ${this.messageBox()}
      <p>Tokens of the account ${account.name} see the public charts and the cells that you upload here. Other
        accounts do not see your cells. Not for navigation.</p>
      ${workerNotice(this.jobs?.worker)}
      ${
        isAccountOwner
          ? html`<portal-upload-drop .isAdmin=${isAdmin} @charts-uploaded=${() => void this.attempt(() => this.refresh())}></portal-upload-drop>`
          : html`<p>Owners of the account can upload charts.</p>`
      }
      <h2>Uploads</h2>
      ${this.uploads?.length === 0 ? html`<p>There is no upload yet.</p>` : nothing}
      <ul class="tokens">${this.uploads?.map((upload) => this.#row(upload))}</ul>
      ${this.moreButton(this.uploads !== undefined && this.uploads.length >= this.shown)}
      <h2>Cells</h2>
      <p>To see your cells in a chart, create a <a href="#tokens">token</a> and test it.</p>
      ${this.charts === undefined ? nothing : this.#cells(this.charts)}`;
  }

  #row(upload: ChartUpload) {
    const { id, filename, status, createdAt, uploaderEmail, totalCharts, jobId, logs } = upload;
    const isOpen = (part: 'cells' | 'delete') =>
      this.opened?.id === id && this.opened.part === part;
    const opener = (part: 'cells' | 'delete', title: string) =>
      html`<button type="button" aria-label=${`${title}: ${filename}`} aria-expanded=${isOpen(part)}
        @click=${() => (this.opened = isOpen(part) ? undefined : { id, part })}>${title}</button>`;
    const job = this.jobs?.jobs.find((one) => one.id === jobId);
    const error = logs.findLast(({ type }) => type === 'error')?.message;
    return html`<li>
      <h3>${filename}${upload.isPublic ? html` <em>(public charts)</em>` : nothing}</h3>
      <p>${timeText(createdAt)}${uploaderEmail === null ? '' : ` by ${uploaderEmail}`}; ${sizeText(upload.fileSize)}: ${stateText(status)}
        ${job?.jobState === 'processing' ? progressBar(`Progress of ${filename}`, job.percentComplete) : nothing}</p>
      ${status === 'failed' && error !== undefined ? html`<p>${error}</p>` : nothing}
      <p class="tools">
        ${totalCharts === 0 ? nothing : opener('cells', totalCharts === 1 ? '1 cell' : `${totalCharts} cells`)}
        <a href="#jobs" aria-label=${`Job of ${filename}`}>Job</a>
        ${this.user.isAccountOwner && status !== 'deleting' ? opener('delete', 'Delete') : nothing}
      </p>
      ${isOpen('cells') ? cellReports(upload) : nothing}
      ${
        isOpen('delete')
          ? confirmForm(
              {
                id: `delete-${id}`,
                name: filename,
                consequence:
                  'The cells of the upload are removed from the charts, and its files are deleted. An older edition shows again if there is one.',
                action: 'Delete',
              },
              () => this.#delete(id),
            )
          : nothing
      }
    </li>`;
  }

  #cells({ cells, total }: ChartCells) {
    const own = new Set(
      this.uploads
        ?.filter(({ isLive, isPublic }) => isLive && !isPublic)
        .flatMap((one) => one.cells.map(({ name }) => name)),
    );
    const text = this.search.trim().toUpperCase();
    const found = cells.filter(({ name }) => name.includes(text));
    const first = [...found]
      .sort((a, b) => Number(own.has(b.name)) - Number(own.has(a.name)))
      .slice(0, LISTED);
    return html`
      <portal-cell-map .cells=${cells}></portal-cell-map>
      <form @submit=${(event: Event) => event.preventDefault()}>
        <label for="cell-search">Search by name</label>
        <input id="cell-search" autocomplete="off" @input=${(event: Event) => {
          this.search = (event.target as HTMLInputElement).value;
        }} />
      </form>
      <p role="status">${found.length === total ? `${total} cells` : `${found.length} of ${total} cells`}${found.length > LISTED ? `; the first ${LISTED} are listed` : ''}</p>
      <ul class="tokens">${first.map(
        (cell) => html`<li>
          <h3>${cell.name}${own.has(cell.name) ? html` <em>(yours)</em>` : nothing}</h3>
          <p>Edition ${cell.edition}, update ${cell.update}, ${dateText(cell.issueDate)}; ${scaleText(cell.scaleDenominator)}${statusText(cell.status)}</p>
          ${problemList(cell.problems)}
        </li>`,
      )}</ul>`;
  }
}

const OUTCOMES: Readonly<Record<ChartUpload['cells'][number]['outcome'], string>> = {
  accepted: 'accepted',
  'accepted-partly': 'accepted, but parts of it could not be read',
  cancelled: 'cancelled by its producer',
  refused: 'refused',
};

const cellReports = ({ cells }: ChartUpload) =>
  html`<ul>${cells.map(
    ({ name, outcome, edition, update, problems }) =>
      html`<li><strong>${name}</strong>, edition ${edition}, update ${update}: ${OUTCOMES[outcome]}${problemList(problems)}</li>`,
  )}</ul>`;

const problemList = (problems: readonly string[]) =>
  problems.length === 0
    ? nothing
    : html`<ul>${problems.map((text) => html`<li>${text}</li>`)}</ul>`;

const statusText = (status: ChartCells['cells'][number]['status']): string =>
  ({
    used: '',
    'used-partly': '; parts are missing',
    cancelled: '; cancelled',
    refused: '; not shown',
  })[status];

const scaleText = (scale: number): string =>
  scale === 0 ? 'scale unknown' : `1:${scale.toLocaleString()}`;

/** @param day YYYYMMDD */
const dateText = (day: string): string =>
  /^\d{8}$/.test(day)
    ? `issued ${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
    : 'day of issue unknown';

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

customElements.define('portal-charts', PortalCharts);

// The charts of the account: upload, cells on a map and in a list, history of uploads, deletion.

import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type {
  ChartCells,
  ChartJob,
  ChartJobList,
  ChartSets,
  ChartUpload,
  ChartUploadList,
} from '../client/portal-wire.ts';
import { ask, timeText } from './api.ts';
import './cell-map.ts';
import { confirmForm } from './confirm-form.ts';
import { progressBar, stateText, withJob, workerNotice } from './job-text.ts';
import { RefreshedList } from './refreshed-list.ts';
import './refresh-charts.ts';
import './upload-drop.ts';

/** The service shows a new build within this number of refreshes after the job. */
const REFRESHES = 10;
/** Cells of the list before a search. */
const LISTED = 50;

type Part = 'cells' | 'delete' | 'return';

class PortalCharts extends RefreshedList {
  static override properties = {
    ...RefreshedList.properties,
    charts: { state: true },
    uploads: { state: true },
    total: { state: true },
    whole: { state: true },
    jobs: { state: true },
    sets: { state: true },
    opened: { state: true },
    search: { state: true },
  };
  declare protected charts: ChartCells | undefined;
  declare protected uploads: readonly ChartUpload[] | undefined;
  /** Number of all uploads. */
  declare protected total: number;
  /** The upload whose cells are all shown: a list has the first ones only. */
  declare protected whole: ChartUpload | undefined;
  declare protected jobs: ChartJobList | undefined;
  declare protected sets: ChartSets['sets'] | undefined;
  /** The upload or version whose cells or form are shown. */
  declare protected opened: { readonly id: string; readonly part: Part } | undefined;
  declare protected search: string;
  #live = '';
  #refreshes = 0;

  constructor() {
    super();
    this.total = 0;
    this.search = '';
  }

  protected override async load(isQuick: boolean, isNewest: () => boolean): Promise<void> {
    const known = isQuick ? (this.uploads ?? []) : [];
    let { total } = this;
    const [uploads, jobs, { sets }] = await Promise.all([
      this.readShown(known, async (page) => {
        const list = await ask<ChartUploadList>('GET', `/charts/uploads?${page}`);
        total = list.pagination.total;
        return list.uploads;
      }),
      ask<ChartJobList>('GET', '/jobs?limit=25&activeOnly=true'),
      ask<ChartSets>('GET', '/charts/sets'),
    ]);
    if (!isNewest()) return;
    this.uploads = uploads;
    this.total = total;
    this.jobs = jobs;
    this.sets = sets;
    const live = [sets[0]?.id, ...uploads.map(({ id, isLive }) => `${id} ${isLive}`)].join();
    if (live !== this.#live) this.#refreshes = REFRESHES;
    this.#live = live;
    if (this.#refreshes-- > 0) {
      const charts = await ask<ChartCells>('GET', '/charts/cells').catch(() => this.charts);
      if (isNewest()) this.charts = charts;
    }
  }

  protected override get listedJobs(): readonly ChartJob[] {
    return this.jobs?.jobs ?? [];
  }

  protected override showJob(job: ChartJob): void {
    this.jobs = withJob(this.jobs, job);
  }

  protected override get isSettling(): boolean {
    return this.#refreshes > 0;
  }

  #change(method: 'DELETE' | 'POST', path: string): void {
    void this.attempt(async () => {
      await ask(method, path);
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
          ? html`<portal-upload-drop .isAdmin=${isAdmin} @charts-uploaded=${() => this.read(() => this.refresh())}></portal-upload-drop>`
          : html`<p>Owners of the account can upload charts.</p>`
      }
      ${isAdmin ? html`<portal-refresh-charts></portal-refresh-charts>` : nothing}
      <h2>Uploads</h2>
      ${this.uploads?.length === 0 ? html`<p>There is no upload yet.</p>` : nothing}
      <ul class="tokens">${repeat(
        this.uploads ?? [],
        ({ id }) => id,
        (upload) => this.#row(upload),
      )}</ul>
      ${this.moreButton(this.uploads !== undefined && this.total > this.uploads.length)}
      ${this.sets === undefined || this.sets.length === 0 ? nothing : this.#history(this.sets)}
      <h2>Cells</h2>
      ${this.charts === undefined ? nothing : this.#cells(this.charts)}`;
  }

  #isOpen(id: string, part: Part): boolean {
    return this.opened?.id === id && this.opened.part === part;
  }

  /** A button that opens or closes a part. @param of the name of the upload or version */
  #opener(id: string, part: Part, title: string, of: string) {
    const isOpen = this.#isOpen(id, part);
    return html`<button type="button" aria-label=${`${title}: ${of}`} aria-expanded=${isOpen}
      @click=${() => (this.opened = isOpen ? undefined : { id, part })}>${title}</button>`;
  }

  #history(sets: ChartSets['sets']) {
    return html`<h2>Versions</h2>
      <p>The last versions of your charts. Each upload, deletion and change of the public charts makes one.</p>
      <ul class="tokens">${repeat(
        sets,
        ({ id }) => id,
        (set) => this.#version(set),
      )}</ul>`;
  }

  #version({ id, publishedAt, cells, isCurrent, canReturn }: ChartSets['sets'][number]) {
    const name = timeText(publishedAt);
    const back = () => this.#change('POST', `/charts/sets/${id}/return`);
    return html`<li>
      <h3>${name}${isCurrent ? html` <em>(current)</em>` : nothing}</h3>
      <p>Build ${id} with ${cells.length === 1 ? 'your cell' : `your ${cells.length} cells`} ${namesText(cells)}</p>
      ${isCurrent || canReturn ? nothing : html`<p>An upload in it was deleted, so you cannot return to it.</p>`}
      ${canReturn && this.user.isAccountOwner ? html`<p class="tools">${this.#opener(id, 'return', 'Return to this version', name)}</p>` : nothing}
      ${
        this.#isOpen(id, 'return')
          ? html`<div class="card"><p>Your charts, including the public cells, return to this version until the next
              upload, deletion or change of the public charts. Later uploads stay stored, but are not part of the
              charts.</p>
              <button type="button" class="main" ?disabled=${this.isBusy} @click=${back}>Return to ${name}</button></div>`
          : nothing
      }
    </li>`;
  }

  #row(upload: ChartUpload) {
    const { id, filename, status, createdAt, uploaderEmail, totalCharts, jobId, logs } = upload;
    const isOpen = (part: Part) => this.#isOpen(id, part);
    const opener = (part: Part, title: string) => this.#opener(id, part, title, filename);
    const job = this.jobs?.jobs.find((one) => one.id === jobId);
    const error = logs.findLast(({ type }) => type === 'error')?.message;
    return html`<li>
      <h3>${filename}${upload.isPublic ? html` <em>(public charts)</em>` : nothing}</h3>
      <p>${timeText(createdAt)}${uploaderEmail === null ? '' : ` by ${uploaderEmail}`}; ${sizeText(upload.fileSize)}: ${stateText(status)}
        ${job?.jobState === 'processing' ? progressBar(`Progress of ${filename}`, job.percentComplete) : nothing}</p>
      ${status === 'succeeded' && !upload.isLive ? html`<p>Not part of the current version.</p>` : nothing}
      ${['failed', 'deleting'].includes(status) && error !== undefined ? html`<p>${error}</p>` : nothing}
      <p class="tools">
        ${totalCharts === 0 ? nothing : opener('cells', totalCharts === 1 ? '1 cell' : `${totalCharts} cells`)}
        <a href="#jobs" aria-label=${`Job of ${filename}`}>Job</a>
        ${this.user.isAccountOwner && status !== 'deleting' ? opener('delete', 'Delete') : nothing}
      </p>
      ${isOpen('cells') ? this.#reports(upload) : nothing}
      ${
        isOpen('delete')
          ? confirmForm(
              {
                id: `delete-${id}`,
                name: filename,
                consequence:
                  'The cells of the upload are removed from the charts, and its files are deleted. An older edition shows again if there is one.',
                action: 'Delete',
                isBusy: this.isBusy,
              },
              () => this.#change('DELETE', `/charts/uploads/${id}`),
            )
          : nothing
      }
    </li>`;
  }

  #reports(upload: ChartUpload) {
    const { id, cells, totalCharts, updatedAt } = upload;
    const isWhole = this.whole?.id === id && this.whole.updatedAt === updatedAt;
    if (isWhole || cells.length === totalCharts) return cellReports(isWhole ? this.whole! : upload);
    const showAll = () =>
      this.attempt(async () => {
        this.whole = (await ask<{ upload: ChartUpload }>('GET', `/charts/uploads/${id}`)).upload;
      });
    return html`${cellReports(upload)}
      <p>The first ${cells.length} of ${totalCharts} cells. <button type="button" ?disabled=${this.isBusy}
        @click=${showAll}>Show all cells</button></p>`;
  }

  #cells({ buildId, cells, total }: ChartCells) {
    const own = new Set(this.sets?.find(({ isCurrent }) => isCurrent)?.cells);
    const text = this.search.trim().toUpperCase();
    const found = cells.filter(({ name }) => name.includes(text));
    const first = [...found]
      .sort((a, b) => Number(own.has(b.name)) - Number(own.has(a.name)))
      .slice(0, LISTED);
    return html`
      <portal-cell-map .cells=${cells} .buildId=${buildId}></portal-cell-map>
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

/** Cells of a version that are named. */
const NAMED = 10;
const namesText = (cells: readonly string[]): string =>
  `${cells.slice(0, NAMED).join(', ')}${cells.length > NAMED ? ' and others' : ''}`;

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

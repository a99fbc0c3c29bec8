// Jobs and uploads in words, and the notice that no worker is connected.

import { html, nothing } from 'lit';
import type { ChartJob, ChartJobList, ChartUpload } from '../client/portal-wire.ts';

const STATES: Readonly<Record<ChartUpload['status'], string>> = {
  pending: 'waiting',
  processing: 'in progress',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  deleting: 'being deleted',
};
export const stateText = (state: ChartUpload['status']): string => STATES[state];

const TITLES: Readonly<Record<ChartJob['jobType'], string>> = {
  upload: 'Upload',
  delete: 'Deletion',
  rebuild: 'Update of the public charts',
  erase: 'Erasure',
  refresh: 'Refresh of the public charts',
  rollback: 'Return to an earlier version',
};
export const jobTitle = ({ jobType, filename }: ChartJob): string =>
  `${TITLES[jobType]}${filename === null ? '' : `: ${filename}`}`;

const STEPS: Readonly<Record<string, string>> = {
  receive: 'Receive the files',
  check: 'Check the cells',
  refresh: 'Download new editions',
  build: 'Build the charts',
  publish: 'Publish',
};
export const stepTitle = (name: string): string => STEPS[name] ?? name;

export const isActive = ({ jobState }: ChartJob): boolean =>
  jobState === 'pending' || jobState === 'processing';

/** The same list with a newer state of a job. */
export const withJob = (list: ChartJobList | undefined, job: ChartJob): ChartJobList | undefined =>
  list && { ...list, jobs: list.jobs.map((one) => (one.id === job.id ? job : one)) };

export const workerNotice = (worker: ChartJobList['worker'] | undefined) =>
  worker === undefined || worker.isConnected
    ? nothing
    : html`<p class="message" role="status">No worker is connected, so uploads wait. The operator starts one with
        <code>npm run charts -- work --store FOLDER</code>; <code>npm start</code> and
        <code>npm run serve</code> start it themselves.</p>`;

export const progressBar = (name: string, percent: number) =>
  html`<progress max="100" .value=${percent} aria-label=${name}></progress> ${percent} %`;

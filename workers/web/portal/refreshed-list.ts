// The base of sections whose list follows the job in progress: by events of the service, or by loading the
// list every two seconds if the browser or a proxy does not pass events on.

import { html, nothing } from 'lit';
import type { ChartJob } from '../client/portal-wire.ts';
import type { PortalUser } from './api.ts';
import { isActive } from './job-text.ts';
import { PortalElement } from './portal-element.ts';

const FIRST_PAGE = 25;
/** Limit of the service. */
const PAGE = 100;
const REFRESH_MS = 2000;
/** While events arrive, or if nothing is expected to change. */
const CALM_MS = 20_000;

export abstract class RefreshedList extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    user: {},
    shown: { state: true },
    asked: { state: true },
  };
  declare user: PortalUser;
  /** Maximum number of entries that are shown. */
  declare protected shown: number;
  /** Number of loads of more entries in progress. */
  declare protected asked: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #events: EventSource | undefined;
  /** Id of the job that events are about. */
  #followed: string | undefined;
  /** Number of times that the list was loaded. */
  #loads = 0;
  /** Whether entries may be missing because a load of all of them is not complete. */
  #isPartial = false;

  constructor() {
    super();
    this.shown = FIRST_PAGE;
    this.asked = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.read(() => this.refresh());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#events?.close();
  }

  /**
   * @param isQuick whether only the first page has to be up to date
   * @param isNewest whether no other load began meanwhile; otherwise the result must not be shown
   */
  protected abstract load(isQuick: boolean, isNewest: () => boolean): Promise<void>;

  /** The jobs that are listed, newest first. */
  protected abstract get listedJobs(): readonly ChartJob[];

  /** Show a job that changed. */
  protected abstract showJob(job: ChartJob): void;

  /** Whether the list changes soon without a job. */
  protected get isSettling(): boolean {
    return false;
  }

  /** Follows the job in progress, or the one that is next. Without events, `#events` is closed. */
  #follow(): void {
    const active = this.listedJobs.filter(isActive);
    const next = active.findLast(({ jobState }) => jobState === 'processing') ?? active.at(-1);
    if (next?.id === this.#followed) return;
    this.#events?.close();
    this.#events = undefined;
    this.#followed = next?.id;
    if (next === undefined) return;
    let state = next.jobState;
    const events = new EventSource(`/api/portal/v1/jobs/${next.id}/events`);
    this.#events = events;
    events.addEventListener('job', ({ data }: MessageEvent<string>) => {
      const job = JSON.parse(data) as ChartJob;
      this.showJob(job);
      // Other parts of the page depend on the state.
      if (job.jobState !== state) this.#refreshQuietly();
      state = job.jobState;
      if (!isActive(job)) events.close();
    });
  }

  /** Loads the list now and later again. */
  protected async refresh(isQuick = false): Promise<void> {
    clearTimeout(this.#timer);
    const load = ++this.#loads;
    const isNewest = () => load === this.#loads;
    this.#isPartial ||= !isQuick;
    try {
      await this.load(!this.#isPartial, isNewest);
      if (isNewest()) this.#isPartial = false;
      if (this.isConnected) this.#follow();
    } finally {
      // A newer load sets the timer itself. Two timers would make slow loads replace each other for ever.
      if (this.isConnected && isNewest()) this.#refreshLater();
    }
  }

  /** Errors are shown by the next action of the user. */
  #refreshQuietly(isQuick = false): void {
    void this.refresh(isQuick).catch((error: unknown) => this.announceEnd(error));
  }

  #refreshLater(): void {
    clearTimeout(this.#timer);
    const isCalm = this.#followed === undefined || this.#events?.readyState === EventSource.OPEN;
    const ms = isCalm && !this.isSettling ? CALM_MS : REFRESH_MS;
    this.#timer = setTimeout(() => this.#refreshQuietly(ms === REFRESH_MS), ms);
  }

  /**
   * The entries that are shown. @param known entries that were read before: those after the first page are not read
   * again. @param read reads the page with these parameters
   */
  protected async readShown<T extends { readonly id: string }>(
    known: readonly T[],
    read: (page: string) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    let all = await read(`limit=${FIRST_PAGE}&offset=0`);
    const last = known.findIndex(({ id }) => id === all.at(-1)?.id);
    if (last !== -1) return [...all, ...known.slice(last + 1)];
    let isFull = all.length === FIRST_PAGE;
    for (let offset = FIRST_PAGE; isFull && offset < this.shown; offset += PAGE) {
      const page = await read(`limit=${PAGE}&offset=${offset}`);
      isFull = page.length === PAGE;
      // A new entry moves others to the next page.
      const ids = new Set(all.map(({ id }) => id));
      all = [...all, ...page.filter(({ id }) => !ids.has(id))];
    }
    return all;
  }

  /** @param hasMore whether there are entries that are not shown */
  protected moreButton(hasMore: boolean) {
    // While more entries are loaded, the button keeps the focus.
    if (!hasMore && this.asked === 0) return nothing;
    const showMore = () => {
      const shown = this.querySelector('.tokens')!.children.length;
      this.shown += PAGE;
      this.asked++;
      this.read(async () => {
        try {
          await this.refresh();
        } finally {
          this.asked--;
          await this.focusEntry(shown);
        }
      });
    };
    return html`<button type="button" ?disabled=${this.isBusy} @click=${showMore}>Show more</button>`;
  }
}

// The tracks of the account: a list by pages, each track on a map with its depths, files, deletion.

import { html, nothing } from 'lit';
import { milesText } from '../chart/parts/miles-text.ts';
import type { PortalTrack, PortalTrackList } from '../client/portal-wire.ts';
import { ask, downloadCsv, isoOf, type PortalUser } from './api.ts';
import { confirmForm } from './confirm-form.ts';
import { consentSelect, consentTitle } from './consent.ts';
import { PortalElement } from './portal-element.ts';
import './contributions.ts';
import './track-view.ts';

const FILES = ['geojson', 'csv', 'gpx'] as const;

class PortalSoundings extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    user: {},
    tracks: { state: true },
    cursor: { state: true },
    opened: { state: true },
  };
  declare user: PortalUser;
  declare protected tracks: readonly PortalTrack[];
  /** `null` if all tracks are shown; `undefined` before the first page. */
  declare protected cursor: string | null | undefined;
  /** The track whose map or form is open. */
  declare protected opened: { readonly id: string; readonly part: 'map' | 'delete' } | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.tracks = [];
    this.#more();
  }

  #share(track: PortalTrack, share: PortalTrack['share']): void {
    void this.attempt(async () => {
      await ask('POST', '/tracks/consent', { share, trackId: track.id });
      this.tracks = this.tracks.map((one) => (one.id === track.id ? { ...one, share } : one));
    });
  }

  #restart(): void {
    this.tracks = [];
    this.cursor = undefined;
    this.#more();
  }

  #more(): void {
    void this.attempt(async () => {
      const { tracks, nextCursor } = await pageAt(this.cursor);
      this.tracks = [...this.tracks, ...tracks];
      this.cursor = nextCursor;
    });
  }

  #delete(id: string): void {
    void this.attempt(async () => {
      await ask('DELETE', `/tracks/${id}`);
      this.opened = undefined;
      this.tracks = this.tracks.filter((one) => one.id !== id);
    });
  }

  protected override render() {
    return html`
      <h1>Soundings</h1>
      ${this.messageBox()}
      <p>Tracks that any token of the account ${this.user.account.name} sent, newest first. The subject is that of
        the token. Times are in UTC. Moderators and owners can delete a track.</p>
      <portal-consent .user=${this.user} @consent-changed=${() => this.#restart()}></portal-consent>
      <portal-contributions></portal-contributions>
      <h2>Tracks</h2>
      <p class="tools"><button type="button" @click=${() => void this.attempt(download)}>Download as CSV</button></p>
      ${
        this.cursor === null && this.tracks.length === 0
          ? html`<p>There is no track yet. <a href="#tokens">Create a secret token</a> for soundings, and send
              some as in the <a href="/docs/guides/soundings">guide</a>.</p>`
          : nothing
      }
      <ul class="tokens">${this.tracks.map((track) => this.#row(track))}</ul>
      ${
        typeof this.cursor !== 'string'
          ? nothing
          : html`<button type="button" ?disabled=${this.isBusy} @click=${() => this.#more()}>Show more</button>`
      }`;
  }

  #row(track: PortalTrack) {
    const { id, subject, externalUserId, pointCount, leastDepth, greatestDepth } = track;
    const isOpen = (part: 'map' | 'delete') => this.opened?.id === id && this.opened.part === part;
    const opener = (part: 'map' | 'delete', title: string) =>
      html`<button type="button" aria-label=${`${title}: ${nameOf(track)}`} aria-expanded=${isOpen(part)}
        @click=${() => (this.opened = isOpen(part) ? undefined : { id, part })}>${title}</button>`;
    return html`<li>
      <h3>${nameOf(track)}</h3>
      <p>Until ${minuteOf(track.endTime)}; ${pointCount.toLocaleString()} points; depths from
        ${leastDepth.toFixed(1)} to ${greatestDepth.toFixed(1)} m; ${milesText(track.lengthMeters)}</p>
      <p>Subject ${subject}${externalUserId === null ? '' : `; end user ${externalUserId}`}</p>
      <p class="tools"><label>Consent: ${
        this.user.role === 'member'
          ? consentTitle(track.share)
          : consentSelect(`Consent: ${nameOf(track)}`, track.share, (share) =>
              this.#share(track, share),
            )
      }</label></p>
      <p class="tools">
        ${opener('map', 'Map and depths')}
        ${FILES.map(
          (kind) =>
            html`<a href=${`/api/portal/v1/tracks/${id}.${kind}`} download
              aria-label=${`${kind.toUpperCase()}: ${nameOf(track)}`}>${kind.toUpperCase()}</a>`,
        )}
        ${this.user.role === 'member' ? nothing : opener('delete', 'Delete')}
      </p>
      ${isOpen('map') ? html`<portal-track-view .track=${id}></portal-track-view>` : nothing}
      ${isOpen('delete') ? this.#deleteForm(track) : nothing}
    </li>`;
  }

  #deleteForm({ id, startTime }: PortalTrack) {
    const consequence = 'The track is deleted with its points. This cannot be undone.';
    const name = minuteOf(startTime);
    return confirmForm({ id: `delete-${id}`, name, consequence, action: 'Delete' }, () =>
      this.#delete(id),
    );
  }
}

/** A time in UTC, such as 2026-06-01 12:00. */
const minuteOf = (ms: number): string => isoOf(ms).slice(0, 16).replace('T', ' ');

const nameOf = ({ platform, startTime }: PortalTrack): string =>
  `${platform ?? 'Unnamed vessel'}, ${minuteOf(startTime)}`;

const pageAt = (cursor: string | null | undefined): Promise<PortalTrackList> =>
  ask('GET', cursor == null ? '/tracks' : `/tracks?cursor=${cursor}`);

async function download(): Promise<void> {
  const head = ['id', 'subject', 'platform', 'end user', 'start', 'end', 'points'];
  const rows: (string | number)[][] = [
    [...head, 'least depth', 'greatest depth', 'length in metres'],
  ];
  let cursor: string | null | undefined;
  do {
    const page = await pageAt(cursor);
    for (const one of page.tracks) {
      rows.push([
        ...[one.id, one.subject, one.platform ?? '', one.externalUserId ?? ''],
        ...[isoOf(one.startTime), isoOf(one.endTime), one.pointCount],
        ...[one.leastDepth, one.greatestDepth, Math.round(one.lengthMeters)],
      ]);
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  downloadCsv('tracks', rows);
}

customElements.define('portal-soundings', PortalSoundings);

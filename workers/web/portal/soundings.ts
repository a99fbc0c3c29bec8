// The tracks of the account: a list by pages, each track on a map with its depths, files, deletion.

import { html, nothing } from 'lit';
import { downloadText } from '../chart/parts/download-text.ts';
import { milesText } from '../chart/parts/miles-text.ts';
import type { PortalTrack, PortalTrackList } from '../client/portal-wire.ts';
import { ask, isoOf, type PortalUser } from './api.ts';
import { confirmForm } from './confirm-form.ts';
import { consentForm, consentTitle } from './consent.ts';
import './contributions.ts';
import { ListElement, pageQuery } from './list-element.ts';
import './track-view.ts';

const FILES = ['geojson', 'csv', 'gpx'] as const;
const HEAD = ['id', 'subject', 'platform', 'end user', 'start', 'end', 'points'];

type Form = 'map' | 'delete';

class PortalSoundings extends ListElement<PortalTrack, Form> {
  static override properties = {
    ...ListElement.properties,
    user: {},
  };
  declare user: PortalUser;

  protected override async page(cursor: string | undefined) {
    const path = `/tracks?${pageQuery('', { cursor })}`;
    const { tracks, nextCursor } = await ask<PortalTrackList>('GET', path);
    return { entries: tracks, next: nextCursor ?? undefined };
  }

  #share(track: PortalTrack, share: PortalTrack['share']): Promise<void> {
    return this.attempt(async () => {
      await ask('POST', '/tracks/consent', { share, trackId: track.id });
      this.replace({ ...track, share });
    });
  }

  #downloadCorrected(id: string): void {
    void this.attempt(async () => {
      const file = await ask<object>('GET', `/tracks/${id}.geojson?corrected=true`);
      downloadText(JSON.stringify(file), `track-${id}-corrected.geojson`, 'application/geo+json');
    });
  }

  #delete(id: string): void {
    void this.attempt(async () => {
      await ask('DELETE', `/tracks/${id}`);
      this.opened = undefined;
      this.entries = this.entries?.filter((one) => one.id !== id);
    });
  }

  protected override render() {
    return html`
      <h1>Soundings</h1>
      ${this.messageBox()}
      <p>Tracks that any token of the account ${this.user.account.name} sent, newest first. The subject is
        the user or program that the token was created for. Times are in UTC. Moderators and owners can delete a track.</p>
      <portal-consent .user=${this.user} @consent-changed=${() => this.read(() => this.reload())}></portal-consent>
      <portal-contributions></portal-contributions>
      <h2>Tracks</h2>
      <p class="tools">${this.downloadButton('tracks', [...HEAD, 'least depth', 'greatest depth', 'length in metres'], cellsOf)}</p>
      ${this.list((track) => this.#row(track), EMPTY)}`;
  }

  #row(track: PortalTrack) {
    const { id, subject, externalUserId, pointCount, leastDepth, greatestDepth } = track;
    const opener = (form: Form, title: string) => this.formOpener(id, form, title, nameOf(track));
    return html`<li>
      <h3>${nameOf(track)}</h3>
      <p>Until ${minuteOf(track.endTime)}; ${pointCount.toLocaleString()} points; depths from
        ${leastDepth.toFixed(1)} to ${greatestDepth.toFixed(1)} m; ${milesText(track.lengthMeters)}</p>
      <p>Subject ${subject}${externalUserId === null ? '' : `; end user ${externalUserId}`}</p>
      ${
        this.user.role === 'member'
          ? html`<p>Consent: ${consentTitle(track.share)}</p>`
          : this.#consentForm(track)
      }
      <p class="tools">
        ${opener('map', 'Map and depths')}
        ${FILES.map(
          (kind) =>
            html`<a href=${`/api/portal/v1/tracks/${id}.${kind}`} download
              aria-label=${`${kind.toUpperCase()}: ${nameOf(track)}`}>${kind.toUpperCase()}</a>`,
        )}
        ${
          track.share === 'private'
            ? nothing
            : html`<button type="button" aria-label=${`GeoJSON, corrected: ${nameOf(track)}`}
                ?disabled=${this.isBusy}
                @click=${() => this.#downloadCorrected(id)}>GeoJSON, corrected</button>`
        }
        ${this.user.role === 'member' ? nothing : opener('delete', 'Delete')}
      </p>
      ${this.isOpen(id, 'map') ? html`<portal-track-view .track=${id}></portal-track-view>` : nothing}
      ${this.isOpen(id, 'delete') ? this.#deleteForm(track) : nothing}
    </li>`;
  }

  #consentForm(track: PortalTrack) {
    const name = `Consent: ${nameOf(track)}`;
    const choice = { label: 'Consent:', name, value: track.share, isBusy: this.isBusy };
    return consentForm(choice, (share) => this.#share(track, share));
  }

  #deleteForm({ id, startTime }: PortalTrack) {
    const consequence = 'The track is deleted with its points. This cannot be undone.';
    const name = minuteOf(startTime);
    return confirmForm(
      { id: `delete-${id}`, name, consequence, action: 'Delete', isBusy: this.isBusy },
      () => this.#delete(id),
    );
  }
}

/** A time in UTC, such as 2026-06-01 12:00. */
const minuteOf = (ms: number): string => isoOf(ms).slice(0, 16).replace('T', ' ');

const nameOf = ({ platform, startTime }: PortalTrack): string =>
  `${platform ?? 'Unnamed vessel'}, ${minuteOf(startTime)}`;

const EMPTY = html`There is no track yet. <a href="#tokens">Create a secret token</a> for soundings, and send
  some as in the <a href="/docs/guides/soundings">guide</a>.`;

const cellsOf = (one: PortalTrack) => [
  ...[one.id, one.subject, one.platform ?? '', one.externalUserId ?? ''],
  ...[isoOf(one.startTime), isoOf(one.endTime), one.pointCount],
  ...[one.leastDepth, one.greatestDepth, Math.round(one.lengthMeters)],
];

customElements.define('portal-soundings', PortalSoundings);

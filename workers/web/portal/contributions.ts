// What the tracks of the account added to the crowdsourced depths.

import { html, nothing } from 'lit';
import type { AccountContributions } from '../client/portal-wire.ts';
import { ask, isoOf } from './api.ts';
import { PortalElement } from './portal-element.ts';

type Vessel = AccountContributions['vessels'][number];
type Parts = Omit<Vessel, 'platform' | 'subject' | 'externalUserId' | 'bias'>;

const REASONS: Readonly<Record<keyof Parts['rejected'], string>> = {
  speed: 'the speed between positions is impossible',
  jump: 'the position jumps',
  outlier: 'the depth differs from its neighbours',
  range: 'the depth is outside the range of echo sounders, or the position is near a pole',
  land: 'the position is on charted land',
  duplicate: 'another sounding has the same time and position, and no greater depth',
  short: 'too few soundings between two gaps',
  contradicted: 'other boats contradict the depth',
  reference: 'the reference of the depths is not known',
};

class PortalContributions extends PortalElement {
  static override properties = { ...PortalElement.properties, found: { state: true } };
  declare protected found: AccountContributions | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.attempt(async () => {
      this.found = await ask<AccountContributions>('GET', '/contributions');
    });
  }

  protected override render() {
    const { found } = this;
    if (found === undefined) return this.messageBox();
    if (found.tracks === 0) return nothing;
    return html`
      <h2>What your tracks added</h2>
      ${
        found.builtAt === null
          ? html`<p>${nothingText(found)}</p>`
          : html`<p>Crowdsourced depths as of ${isoOf(found.builtAt).slice(0, 16).replace('T', ' ')} UTC. They are
              not for navigation.</p>
            ${partsList(found)}
            ${found.vessels.length === 0 ? nothing : html`<h3>Vessels</h3>`}
            ${found.vessels.map(vesselDetails)}`
      }`;
  }
}

function nothingText({ waitingTracks }: Parts): string {
  if (waitingTracks === 0)
    return 'Nothing yet: all tracks are private. Change their consent to add them.';
  return `Nothing yet: ${countOf(waitingTracks, 'track')} will be read when the depths are next built.`;
}

function partsList(parts: Parts) {
  const held = [
    ...(parts.privateTracks > 0 ? [`${parts.privateTracks} private`] : []),
    ...(parts.waitingTracks > 0 ? [`${parts.waitingTracks} for the next build`] : []),
  ];
  const usedTracks = parts.tracks - parts.privateTracks - parts.waitingTracks;
  const reasons = Object.entries(parts.rejected).sort(([, a], [, b]) => b - a);
  return html`<dl>
    <dt>Tracks</dt>
    <dd>${usedTracks} used${held.length === 0 ? '' : `; not used: ${held.join(', ')}`}</dd>
    <dt>Soundings</dt>
    <dd>${parts.used.toLocaleString()} of ${parts.soundings.toLocaleString()} used${
      reasons.length === 0
        ? nothing
        : html`. Not used: <ul>${reasons.map(
            ([reason, count]) =>
              html`<li>${count.toLocaleString()}: ${REASONS[reason as keyof typeof REASONS]}</li>`,
          )}</ul>`
    }</dd>
    <dt>Cells</dt>
    <dd>${parts.publicCells.toLocaleString()} public of ${parts.cells.toLocaleString()}; public because of you:
      ${parts.addedCells.toLocaleString()}</dd>
    <dt>Possible shoals</dt>
    <dd>${parts.possibleShoals.toLocaleString()}</dd>
  </dl>`;
}

const vesselDetails = (vessel: Vessel) => html`<details>
  <summary>${vessel.platform ?? 'Unnamed vessel'}: ${countOf(vessel.tracks, 'track')}</summary>
  <p>Subject ${vessel.subject}${
    vessel.externalUserId === null ? '' : `; end user ${vessel.externalUserId}`
  }</p>
  ${partsList(vessel)}
  <p>${biasText(vessel.bias)}</p>
</details>`;

/** Whether a vessel measures too much or too little. */
function biasText(bias: Vessel['bias']): string {
  if (bias === null) return 'The error of this vessel is known after the next build of the depths.';
  if (bias.crossings === 0)
    return 'The error of this vessel is not known: its tracks do not cross those of others.';
  const too = bias.meters < 0 ? 'too shallow' : 'too deep';
  return `Measures ${Math.abs(bias.meters).toFixed(2)} m ${too}, ± ${bias.uncertainty.toFixed(2)} m, from ${countOf(bias.crossings, 'cell')} shared with others. This is corrected.`;
}

const countOf = (count: number, name: string): string =>
  `${count.toLocaleString()} ${name}${count === 1 ? '' : 's'}`;

customElements.define('portal-contributions', PortalContributions);

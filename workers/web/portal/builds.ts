// The builds of the charts, for administrators: what is live, earlier builds, and the command of a rollback.

import { html, nothing } from 'lit';
import type { ChartBuild } from '../../../shared/contract/builds.ts';
import { ask, dayOf, downloadCsv, isoOf } from './api.ts';
import { copyButton } from './copy-button.ts';
import { PortalElement } from './portal-element.ts';

class PortalBuilds extends PortalElement {
  static override properties = { ...PortalElement.properties, builds: { state: true } };
  declare protected builds: readonly ChartBuild[] | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.read(async () => {
      this.builds = await ask<ChartBuild[]>('GET', '/admin/builds');
    });
  }

  protected override render() {
    return html`
      <h1>Builds</h1>
      <p>The builds of the charts, newest first. Not for navigation. The service can only read the charts, so a
        rollback is a command on your machine, in the folder of Leadline. It checks the archives of the earlier
        build first; the service uses them within two minutes. Without <code>.data</code>, add
        <code>--data FOLDER</code>; for large charts on Cloudflare, use <code>--r2 BUCKET</code> instead of
        <code>--remote</code>, which is slow.</p>
      ${this.messageBox()}
      ${this.builds === undefined ? nothing : listOf(this.builds)}`;
  }
}

const listOf = (builds: readonly ChartBuild[]) => html`
  <p class="tools"><button type="button" @click=${() => download(builds)}>Download as CSV</button></p>
  <ul class="tokens">${builds.map(row)}</ul>
  ${builds.length > 1 ? nothing : html`<p>There is no earlier build. Publish a new one with <code>npm run charts -- publish</code>.</p>`}`;

const row = ({ id, isCurrent, builtAt, sourcedAt, cells, rollback }: ChartBuild) => html`<li>
  <h3>${id}${isCurrent ? html` <em>(live)</em>` : nothing}</h3>
  <p>${
    cells === null
      ? 'The manifest of this build cannot be read, so a rollback to it fails.'
      : `Built ${dayOf(builtAt)} from files of ${dayOf(sourcedAt)}; ${cells.toLocaleString()} cells`
  }</p>
  ${
    rollback === null || cells === null
      ? nothing
      : html`<p><code>${rollback}</code></p>
          <p class="tools">${copyButton('Copy the command', rollback)}</p>`
  }
</li>`;

function download(builds: readonly ChartBuild[]): void {
  const rows = builds.map((one) => [
    ...[one.id, one.isCurrent ? 'live' : '', isoOf(one.builtAt), isoOf(one.sourcedAt)],
    one.cells ?? '',
  ]);
  downloadCsv('builds', [['id', 'state', 'built', 'newest file', 'cells'], ...rows]);
}

customElements.define('portal-builds', PortalBuilds);

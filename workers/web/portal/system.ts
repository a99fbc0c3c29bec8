// The state of each part of the service and its settings, for administrators.

import { html, nothing } from 'lit';
import type { ServicePart, SettingInForce, SystemState } from '../../../shared/contract/system.ts';
import { ask, downloadCsv } from './api.ts';
import { PortalElement } from './portal-element.ts';

const SOURCES: Readonly<Record<SettingInForce['source'], string>> = {
  set: 'set by this deployment',
  default: 'default',
  profile: 'from CONTRACT_PROFILE',
  wrangler: 'set in wrangler.toml',
};

class PortalSystem extends PortalElement {
  static override properties = { ...PortalElement.properties, system: { state: true } };
  declare protected system: SystemState | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.attempt(async () => {
      this.system = await ask<SystemState>('GET', '/admin/system');
    });
  }

  protected override render() {
    return html`
      <h1>System</h1>
      ${this.messageBox()}
      ${this.system === undefined ? nothing : contentOf(this.system)}`;
  }
}

const contentOf = ({ parts, settings }: SystemState) => html`
  <h2>State of each part</h2>
  <ul class="tokens">${parts.map(partRow)}</ul>
  <h2>Settings in force</h2>
  <p>Change a setting as an environment variable or in <code>wrangler.toml</code>, and start the service again.</p>
  <p class="tools"><button type="button" @click=${() => download(settings)}>Download as CSV</button></p>
  <ul class="tokens">${settings.map(settingRow)}</ul>`;

const partRow = ({ name, isGood, text }: ServicePart) => html`<li>
  <h3>${name} ${isGood ? nothing : html`<em>(unavailable)</em>`}</h3>
  <p>${text}</p>
</li>`;

const settingRow = (setting: SettingInForce) => html`<li>
  <h3>${setting.name}${setting.isValid ? nothing : html` <em>(invalid, so the default is used)</em>`}</h3>
  <p>${valueText(setting)}</p>
  <p>${setting.description}</p>
</li>`;

const valueText = ({ isSecret, value, source }: SettingInForce) =>
  isSecret
    ? `Secret; ${source === 'set' ? 'set' : 'not set'}`
    : html`${value === null ? nothing : html`<code>${value}</code>, `}${SOURCES[source]}`;

function download(settings: readonly SettingInForce[]): void {
  const rows = settings.map((one) => [one.name, one.value ?? '', one.source, one.description]);
  downloadCsv('settings', [['name', 'value', 'source', 'description'], ...rows]);
}

customElements.define('portal-system', PortalSystem);

// The saved styles of the account: list, edit, duplicate, export, import, versions, delete.

import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { INEXACT_NUMBER, preservesNumbersOf } from '../../../shared/contract/exact-numbers.ts';
import type { SavedStyle, StyleVersion } from '../../../shared/contract/saved-style.ts';
import { downloadText } from '../chart/parts/download-text.ts';
import { styleAddress } from '../chart/playground/style-parameters.ts';
import { ask, dayOf, downloadCsv, isoOf, textOf } from './api.ts';
import { confirmForm } from './confirm-form.ts';
import { copyButton } from './copy-button.ts';
import { mayDiscard, PortalElement } from './portal-element.ts';
import type { EditedStyle } from './style-tool.ts';

const NEW: EditedStyle = { name: '', baseTheme: 'day', parameters: { colors: {}, settings: {} } };

class PortalStyles extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    styles: { state: true },
    edited: { state: true },
    opened: { state: true },
    versions: { state: true },
  };
  declare protected styles: readonly SavedStyle[] | undefined;
  declare protected edited: EditedStyle | undefined;
  /** Id and form of the style whose form is open. */
  declare protected opened:
    | { readonly id: string; readonly form: 'delete' | 'versions' }
    | undefined;
  declare protected versions: readonly StyleVersion[];
  /** The end of the latest change. */
  #changed: Promise<void> = Promise.resolve();

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('style-closed', () => {
      this.edited = undefined;
      // Disabled while the list is loaded after a save.
      void this.#changed.then(() => this.querySelector('button')?.focus());
    });
    this.addEventListener('style-saved', () => this.#change(async () => {}));
    this.#change(async () => {});
  }

  #change(work: () => Promise<unknown>): void {
    this.#changed = this.attempt(async () => {
      try {
        await work();
        this.opened = undefined;
      } finally {
        this.styles = await ask<SavedStyle[]>('GET', '/styles');
      }
    });
  }

  /** Open the style tool, which brings the map library. */
  #edit(style: EditedStyle): void {
    if (!mayDiscard()) return;
    void this.attempt(async () => {
      await import('./style-tool.ts');
      this.edited = { ...style };
    });
  }

  #openVersions(id: string): void {
    void this.attempt(async () => {
      this.versions = await ask<StyleVersion[]>('GET', `/styles/${id}/versions`);
      this.opened = { id, form: 'versions' };
    });
  }

  #import(event: Event): void {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    // Without this, the browser ignores a second choice of the same file.
    input.value = '';
    this.#change(async () => {
      const faults: string[] = [];
      for (const file of files) {
        await importStyle(file).catch((error: unknown) => faults.push(textOf(error)));
      }
      if (faults.length > 0) throw new Error(faults.join('; '));
    });
  }

  #duplicate({ name, baseTheme, parameters }: SavedStyle): void {
    const taken = new Set(this.styles?.map((one) => one.name));
    let copy = `${name.slice(0, 110)} copy`;
    for (let n = 2; taken.has(copy); n++) copy = `${name.slice(0, 110)} copy ${n}`;
    this.#change(() => ask('POST', '/styles', { name: copy, baseTheme, parameters }));
  }

  protected override render() {
    return html`
      <h1>Styles</h1>
      <p>A style is a theme with your colours and settings. A page uses it by its address, with a token of the account.</p>
      ${this.messageBox()}
      <p class="tools">
        <button class="main" type="button" ?disabled=${this.isBusy} @click=${() => this.#edit(NEW)}>New style</button>
        <label>Import files <input type="file" accept=".json" multiple @change=${(event: Event) => this.#import(event)} /></label>
        <button type="button" @click=${() => download(this.styles ?? [])}>Download as CSV</button>
      </p>
      ${
        this.edited === undefined
          ? nothing
          : keyed(this.edited, html`<portal-style-tool .opened=${this.edited}></portal-style-tool>`)
      }
      <h2>Styles of the account</h2>
      ${
        this.styles?.length === 0
          ? html`<p>There is no style yet. Create one with the button above, or import a file that the chart page or another service exported.</p>`
          : html`<ul class="tokens">${this.styles?.map((style) => this.#row(style))}</ul>`
      }`;
  }

  #row(style: SavedStyle) {
    const { id, name, baseTheme, updatedAt } = style;
    const address = styleAddress(location.origin, { styleId: id }, 'TOKEN');
    const button = (title: string, act: () => void) =>
      html`<button type="button" aria-label=${`${title}: ${name}`} ?disabled=${this.isBusy} @click=${act}>${title}</button>`;
    return html`<li>
      <h3>${name}</h3>
      <p>Theme ${baseTheme}; changed ${dayOf(updatedAt)}</p>
      <p><code>${address}</code></p>
      <p class="tools">
        ${button('Edit', () => this.#edit(style))}
        ${copyButton('Copy the address', address)}
        ${button('Duplicate', () => this.#duplicate(style))}
        ${button('Export', () => exportStyle(style))}
        ${button('Versions', () => this.#openVersions(id))}
        ${button('Delete', () => {
          this.opened = { id, form: 'delete' };
        })}
      </p>
      ${this.opened?.id === id ? this.#form(style) : nothing}
    </li>`;
  }

  #form(style: SavedStyle) {
    const { id, name } = style;
    if (this.opened?.form === 'versions') return this.#versionList(style);
    const consequence = 'Maps that use this style stop working. This cannot be undone.';
    return confirmForm(
      { id: `delete-${id}`, name, consequence, action: 'Delete', isBusy: this.isBusy },
      () => this.#change(() => ask('DELETE', `/styles/${id}`)),
    );
  }

  #versionList(style: SavedStyle) {
    if (this.versions.length === 0) {
      return html`<p role="status">There is no earlier version. Each change of the theme, colours or settings leaves one.</p>`;
    }
    return html`<ul class="card">${this.versions.map(({ savedAt, ...version }) => {
      const time = new Date(savedAt).toLocaleString();
      const button = (title: string, act: () => void) =>
        html`<button type="button" aria-label=${`${title}: ${style.name} of ${time}`} ?disabled=${this.isBusy} @click=${act}>${title}</button>`;
      return html`<li class="tools">${time}, theme ${version.baseTheme}
        ${button('Show', () => this.#edit({ ...style, ...version, isVersion: true }))}
        ${button('Restore', () => this.#change(() => ask('POST', `/styles/${style.id}`, version)))}</li>`;
    })}</ul>`;
  }
}

/** As in the folder `provisioning/styles`. */
const exportStyle = ({ name, baseTheme, parameters }: SavedStyle): void =>
  downloadText(
    JSON.stringify({ name, baseTheme, parameters }, null, 2),
    `${name}.json`,
    'application/json',
  );

/** A style without a name has the name of its file. @throws Error for the user */
async function importStyle(file: File): Promise<void> {
  const text = await file.text();
  try {
    const style = JSON.parse(text) as object;
    if (!preservesNumbersOf('parameters', text)) throw new Error(`parameters ${INEXACT_NUMBER}`);
    await ask('POST', '/styles', { name: file.name.replace(/\.json$/i, ''), ...style });
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : (error as Error).message;
    throw new Error(`${file.name}: ${reason}`, { cause: error });
  }
}

const download = (styles: readonly SavedStyle[]): void =>
  downloadCsv('styles', [
    ['id', 'name', 'theme', 'created', 'changed'],
    ...styles.map(({ id, name, baseTheme, createdAt, updatedAt }) => [
      ...[id, name, baseTheme, isoOf(createdAt), isoOf(updatedAt)],
    ]),
  ]);

customElements.define('portal-styles', PortalStyles);

// The style tool: name, theme, settings and colours of a style, with a live chart. The form and the preview
// are those of the chart page. The chart has a public token, because tiles are not served for a session.

import { html } from 'lit';
import { setWorkerUrl } from 'maplibre-gl';
import type { SavedStyle } from '../../../shared/contract/saved-style.ts';
import { BASE_THEMES, type BaseTheme } from '../../../shared/style/options.ts';
import { type Chosen, choicesOfStyle, parametersOf } from '../chart/choices.ts';
import { showChoices } from '../chart/choices-form.ts';
import { chosenOf, SETTINGS, settingsOf } from '../chart/choices-settings.ts';
import type { StyleDraft } from '../chart/saved-style.ts';
import { type Colors, colorRows } from '../chart/style-colors.ts';
import { previewStyle } from '../chart/style-preview.ts';
import type { LeadlineChartEvents } from '../client/chart/events.ts';
import { LeadlineChart } from '../client/chart/leadline-chart.ts';
import type { ChartParameters } from '../client/chart/parameters.ts';
import { styleOf } from '../client/chart/style-of.ts';
import { TokenError } from '../client/errors.ts';
import { ask } from './api.ts';
import { PortalElement, valuesOf } from './portal-element.ts';

setWorkerUrl('/page/maplibre-gl-worker.mjs');
customElements.define('leadline-chart', LeadlineChart);

/** A saved style, an earlier version of one, or a new style without id. */
export type EditedStyle = StyleDraft & { readonly id?: string; readonly isVersion?: true };

class PortalStyleTool extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    edited: { state: true },
    token: { state: true },
    state: { state: true },
  };
  /** The style to open. Set before the element is added to the page. */
  declare opened: EditedStyle;
  /** The style as it was opened or saved. */
  declare protected edited: EditedStyle;
  /** For the chart; empty without a token of the service for a demo, until the user pastes a token. */
  declare protected token: string | undefined;
  declare protected state: 'changed' | 'saved' | undefined;
  #chosen: Chosen = {};
  #colors: Colors = {};
  /** Bound to the chart. A new object would reset the chart at each rendering. */
  #parameters: ChartParameters = {};
  /** Number of unsaved changes of the theme, settings and colours. */
  #changes = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.edited = this.opened;
    this.read(async () => {
      const answer = await fetch('/api/v1/demo-token')
        .then((one) => one.json())
        .catch(() => ({}));
      this.token = (answer as { readonly token?: string | null }).token ?? '';
    });
  }

  protected override firstUpdated(): void {
    this.#fill();
    this.querySelector('h2')!.focus();
  }

  /** Show the stored style in the form and on the chart. */
  #fill(): void {
    this.#chosen = chosenOf(this.edited);
    this.#parameters = parametersOf(this.#chosen, undefined);
    this.#colors = this.edited.parameters.colors;
    const choose = (name: string, value: string) => this.#choose(name, value);
    showChoices(this.querySelector<HTMLElement>('.choices')!, this.#chosen, choose, SETTINGS);
    this.#showColors();
    this.#redraw();
  }

  /** For `mayDiscard`. */
  protected override updated(): void {
    this.toggleAttribute('data-unsaved', this.state === 'changed');
  }

  #choose(name: string, value: string): void {
    this.#chosen = { ...this.#chosen, [name]: value };
    this.#parameters = parametersOf(this.#chosen, undefined);
    if (name === 'theme') this.#showColors();
    this.#draw();
  }

  #showColors(): void {
    const rows = colorRows(this.#chosen['theme'] as BaseTheme, this.#colors, (change) => {
      const all = Object.entries({ ...this.#colors, ...change });
      this.#colors = Object.fromEntries(all.filter(([, value]) => value !== ''));
      this.#draw();
    });
    this.querySelector('.colors')!.replaceChildren(...rows);
  }

  #draw(): void {
    this.state = 'changed';
    this.#changes++;
    this.#redraw();
  }

  #redraw(): void {
    const chart = this.querySelector<LeadlineChart>('leadline-chart');
    if (chart !== null) chart.parameters = this.#parameters;
    this.#preview();
  }

  /** Draw what a document of the service cannot have yet. Called again for each document that the chart loads. */
  #preview(): void {
    const map = this.querySelector<LeadlineChart>('leadline-chart')?.map;
    const shown = map && styleOf(map);
    // The page may not load imagery and fonts of other services.
    const { satelliteTileUrl: _, glyphs, font, ...settings } = this.edited.parameters.settings;
    const document =
      shown &&
      previewStyle(shown, {
        ...settings,
        ...(typeof font === 'string' && typeof glyphs !== 'string' && { font }),
        ...settingsOf(choicesOfStyle(this.#chosen)),
        theme: this.#chosen['theme'] as BaseTheme,
        colors: this.#colors,
      });
    if (document !== undefined) map!.setStyle(document);
  }

  #save(event: SubmitEvent): void {
    const { name } = valuesOf(event);
    const { id, name: formerName, parameters, isVersion } = this.edited;
    const settings = { ...parameters.settings, ...settingsOf(this.#chosen) };
    const changes = this.#changes;
    const isDrawing = id === undefined || isVersion || changes > 0;
    // Another tab may have changed what this one did not.
    const style = {
      ...(name !== formerName && { name }),
      ...(isDrawing && {
        baseTheme: this.#chosen['theme'],
        parameters: { ...parameters, colors: this.#colors, settings },
      }),
    };
    void this.attempt(async () => {
      this.edited = await ask<SavedStyle>(
        'POST',
        `/styles${id === undefined ? '' : `/${id}`}`,
        style,
      );
      // More may have changed meanwhile.
      this.#changes -= changes;
      const field = this.querySelector<HTMLInputElement>('#style-name')!;
      const isOld = field.value === name;
      // Another tab may have renamed it.
      if (isOld) field.value = this.edited.name;
      this.state = this.#changes === 0 && isOld ? 'saved' : 'changed';
      if (!isDrawing && this.#changes === 0) this.#fill();
      this.announce('style-saved');
    });
  }

  protected override render() {
    const { id, name, baseTheme } = this.edited;
    return html`
      <link rel="stylesheet" href="/page/style-tool.css" />
      <section class="card new" aria-labelledby="style-title">
        <h2 id="style-title" tabindex="-1">${id === undefined ? 'New style' : `Style ${name}`}</h2>
        <div class="sides">
          <div class="live">${this.token === '' ? this.#tokenForm() : this.#chart()}</div>
          <form @submit=${(event: SubmitEvent) => this.#save(event)}
            @input=${() => {
              this.state = 'changed';
            }}>
            <label for="style-name">Name</label>
            <input id="style-name" name="name" required maxlength="128" autocomplete="off" value=${name} />
            <label>Theme <select @change=${(event: Event) =>
              this.#choose('theme', (event.target as HTMLSelectElement).value)}>${BASE_THEMES.map(
              (one) => html`<option value=${one} .selected=${one === baseTheme}>${one}</option>`,
            )}</select></label>
            <details open><summary>Settings</summary><div class="choices"></div></details>
            <details><summary>Colours</summary><div class="colors"></div></details>
            ${this.messageBox()}
            <p class="tools">
              <button class="main" type="submit" ?disabled=${this.isBusy}>Save</button>
              <button type="button" @click=${() => this.announce('style-closed')}>${
                this.state === 'changed' ? 'Discard the changes' : 'Close'
              }</button>
              <span role="status">${this.state === 'saved' ? 'Saved. Maps show it within a minute.' : ''}</span>
            </p>
          </form>
        </div>
      </section>`;
  }

  #chart() {
    if (this.token === undefined) return 'Loading …';
    const failed = ({ detail: { error } }: CustomEvent<LeadlineChartEvents['leadline-error']>) => {
      if (!(error instanceof TokenError)) return;
      this.token = '';
      this.message = error.message;
    };
    return html`<leadline-chart controls .token=${this.token} .parameters=${this.#parameters} @leadline-style=${() => this.#preview()} @leadline-error=${failed}></leadline-chart>`;
  }

  #tokenForm() {
    const show = (event: SubmitEvent) => {
      this.token = valuesOf(event)['token']!.trim();
    };
    return html`<form @submit=${show}>
      <p>To see the chart, paste a public token of your account. It is not stored.
        <a href="#tokens">Create one</a> if you have none.</p>
      <label for="chart-token">Public token</label>
      <input id="chart-token" name="token" type="password" required autocomplete="off" />
      <button class="main" type="submit">Show the chart</button>
    </form>`;
  }
}

customElements.define('portal-style-tool', PortalStyleTool);

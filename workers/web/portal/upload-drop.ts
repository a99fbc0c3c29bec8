// A place to drop files of charts, with a button for the same, and the progress of the transfer.

import { html, nothing } from 'lit';
import { ask, errorOf, PortalError, textOf } from './api.ts';
import { progressBar } from './job-text.ts';
import { PortalElement } from './portal-element.ts';
import { RESUMABLE_BYTES, sendResumable } from './resumable-upload.ts';

const LOST = 'The connection was lost. The transfer continues when it is back.';

class PortalUploadDrop extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    isAdmin: { type: Boolean },
    isOver: { state: true },
    percent: { state: true },
    notice: { state: true },
    permit: { state: true },
  };
  declare isAdmin: boolean;
  /** Files are dragged over the place. */
  declare protected isOver: boolean;
  /** Sent part of the files; `undefined` without a transfer. */
  declare protected percent: number | undefined;
  /** A lost connection or the end of the upload, for screen readers. */
  declare protected notice: string | undefined;
  /** The user permit of the service, or the reason why it is missing. */
  declare protected permit: string | undefined;
  /** Ends the transfer. @param isDeleted whether the service deletes the received bytes */
  #stop: ((isDeleted: boolean) => void) | undefined;
  #isStopped = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // The other files would be sent without progress and without a button to stop.
    this.#isStopped = true;
    this.#stop?.(false);
  }

  /** For `mayDiscard`. */
  protected override updated(): void {
    this.toggleAttribute('data-unsaved', this.percent !== undefined);
  }

  #drop({ dataTransfer }: DragEvent): void {
    const entries = [...(dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
    if (entries.some((entry) => entry?.isDirectory)) {
      this.message = 'A folder cannot be uploaded. Make a zip of the folder and drop that.';
    } else this.#send(dataTransfer?.files);
  }

  #send(files: FileList | null | undefined): void {
    if (files == null || files.length === 0) return;
    // The list of an input is live: its caller empties it before the upload begins.
    const all = [...files];
    if (this.percent !== undefined) {
      this.message = 'Wait until the transfer has ended, then add the next files.';
      return;
    }
    const target = this.querySelector<HTMLInputElement>('#to-public')?.checked
      ? 'public'
      : 'account';
    void this.attempt(async () => {
      this.percent = 0;
      this.notice = undefined;
      this.#isStopped = false;
      const small = all.filter(({ size }) => size <= RESUMABLE_BYTES);
      try {
        if (small.length > 0) await this.#sendForm(small, target);
        for (const file of all.filter((one) => !small.includes(one))) {
          if (!this.#isStopped) await this.#sendLarge(file, target);
        }
        if (!this.#isStopped) this.notice = 'The files were sent.';
        this.announce('charts-uploaded');
      } finally {
        this.percent = undefined;
        this.#stop = undefined;
      }
    });
  }

  #end(): void {
    this.#isStopped = true;
    this.#stop?.(true);
  }

  #showPermit(): void {
    if (this.permit !== undefined) return;
    void ask<{ permitId: string }>('GET', '/charts/getPermit').then(
      ({ permitId }) => {
        this.permit = `The user permit of this service is ${permitId}.`;
      },
      (error: unknown) => {
        this.permit = textOf(error);
      },
    );
  }

  #showProgress(sent: number, total: number): void {
    this.percent = Math.floor((100 * sent) / Math.max(1, total));
    this.notice = undefined;
  }

  async #sendLarge(file: File, target: string): Promise<void> {
    const { ended, stop } = sendResumable(file, target, {
      onProgress: (sent, total) => this.#showProgress(sent, total),
      onLost: () => (this.notice = LOST),
    });
    this.#stop = stop;
    await ended.finally(() => (this.notice = undefined));
  }

  /** `fetch` does not report how much was sent. */
  #sendForm(files: readonly File[], target: string): Promise<void> {
    const form = new FormData();
    for (const file of files) form.append('file', file);
    const request = new XMLHttpRequest();
    this.#stop = () => request.abort();
    return new Promise((done, fail) => {
      request.upload.onprogress = ({ loaded, total }) => this.#showProgress(loaded, total);
      request.onload = () => {
        if (request.status === 200) return done();
        fail(errorOf(request.status, request.responseText));
      };
      request.onerror = () =>
        fail(new PortalError(0, 'The connection was lost. Upload the files again.'));
      request.onabort = () => done();
      request.open('POST', `/api/portal/v1/charts/upload?target=${target}`);
      request.send(form);
    });
  }

  protected override render() {
    const drop = (event: DragEvent) => {
      event.preventDefault();
      this.isOver = false;
      this.#drop(event);
    };
    const over = (isOver: boolean) => (event: DragEvent) => {
      event.preventDefault();
      this.isOver = isOver;
    };
    const isBusy = this.percent !== undefined;
    return html`
      ${this.messageBox()}
      <form class=${`card drop${this.isOver ? ' over' : ''}`} @dragover=${over(true)} @dragleave=${over(false)} @drop=${drop}
        @submit=${(event: Event) => event.preventDefault()}>
        <h2>Upload</h2>
        <p>Drop a zip of an exchange set, or a cell (<code>.000</code>) with its updates, here.</p>
        ${
          this.isAdmin
            ? html`<label><input type="checkbox" id="to-public" ?disabled=${isBusy} /> To the public charts, which all accounts see</label>`
            : nothing
        }
        <label for="chart-files">Or choose files</label>
        <input id="chart-files" type="file" multiple ?disabled=${isBusy}
          @change=${(event: Event) => {
            const input = event.currentTarget as HTMLInputElement;
            this.#send(input.files);
            input.value = '';
          }} />
        ${
          this.percent === undefined
            ? nothing
            : html`<p>${progressBar('Progress of the transfer', this.percent)}
                <button type="button" @click=${() => this.#end()}>Stop</button></p>`
        }
        <p role="status">${this.notice}</p>
        <details @toggle=${() => this.#showPermit()}>
          <summary>Encrypted charts (S-63)</summary>
          <p role="status">${this.permit ?? nothing}</p>
          <p>Your chart supplier makes cell permits for the user permit. Upload the permit file first, then the zip
            of the exchange set. Other accounts cannot use your permits, and files of regions are not available.</p>
        </details>
      </form>`;
  }
}

customElements.define('portal-upload-drop', PortalUploadDrop);

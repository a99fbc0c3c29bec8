// Erasure of a person's data, for administrators: count, confirm, and the counts afterwards.

import { html, nothing } from 'lit';
import type { Erased, Traces } from '../../../shared/contract/erasure.ts';
import { ask } from './api.ts';
import { confirmForm, typable } from './confirm-form.ts';
import { markUnsaved, PortalElement, valuesOf } from './portal-element.ts';

const PATH = '/admin/erasure';
const FIELDS = {
  account: 'Account',
  subject: 'Subject; “member:” and the id for a user of the portal. Empty for the whole account',
  externalUserId:
    'End user (externalUserId), with all spaces and line breaks. Empty for all end users. For an id with a carriage return, use the API or npm run tokens -- erase',
} as const;
const WORDS: Readonly<Record<keyof Traces, string>> = {
  reports: 'Reports: lose text and owner',
  votes: 'Votes: get a random name',
  tracks: 'Tracks of soundings: deleted',
  tokens: 'Tokens: end and lose their names',
  styles: 'Saved styles: deleted with the account',
  blocks: 'Blocks of reports and votes: deleted',
  users: 'Users of the portal: deleted',
};

type Person = Readonly<Partial<Record<keyof typeof FIELDS, string>>>;
/** Without `after`, nothing was erased yet. */
type Counted = Pick<Erased, 'before'> & Partial<Erased>;

class PortalErasure extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    person: { state: true },
    counted: { state: true },
  };
  declare protected person: Person;
  declare protected counted: Counted | undefined;

  #count(event: SubmitEvent): void {
    // Spaces at the ends of a name belong to it.
    this.person = Object.fromEntries(
      Object.entries(valuesOf(event)).filter(([, text]) => text !== ''),
    );
    this.counted = undefined;
    void this.attempt(async () => {
      this.counted = { before: await ask<Traces>('POST', `${PATH}/count`, this.person) };
    });
  }

  #erase(): void {
    void this.attempt(async () => {
      this.counted = await ask<Erased>('POST', PATH, this.person);
      this.querySelector('form')!.removeAttribute('data-unsaved');
    });
  }

  protected override render() {
    return html`
      <h1>Erasure</h1>
      <p>Erases what the service stores about a person. The audit trail keeps how much was erased, not whose
        data. Backups keep the data until they expire.</p>
      ${this.messageBox()}
      <form class="card" @submit=${(event: SubmitEvent) => this.#count(event)} @input=${markUnsaved}>
        <h2>Find the data of a person</h2>
        ${Object.entries(FIELDS).map(
          ([name, title]) => html`<label for="erase-${name}">${title}</label>
            ${
              name === 'externalUserId'
                ? html`<textarea id="erase-${name}" name=${name} maxlength="256" rows="2"></textarea>`
                : html`<input id="erase-${name}" name=${name} maxlength="128" autocomplete="off"
                    ?required=${name === 'account'} />`
            }`,
        )}
        <button class="main" ?disabled=${this.isBusy}>Count the data</button>
      </form>
      ${this.counted === undefined ? nothing : this.#result(this.counted)}`;
  }

  #result({ before, after }: Counted) {
    const { account, subject, externalUserId } = this.person;
    const names = [externalUserId, subject].filter((one) => one !== undefined && isTypable(one));
    const name = names[0] ?? account!;
    const what = [
      ...(externalUserId === undefined ? [] : [`end user ${externalUserId}`]),
      ...(subject === undefined ? [] : [`subject ${subject}`]),
      `account ${account}`,
    ].join(' of ');
    const consequence = `This erases all data of ${what}. It cannot be undone.`;
    return html`
      <h2>Data of ${what}</h2>
      ${tableOf(before, after)}
      ${
        after === undefined
          ? confirmForm(
              { id: 'erase-confirm', name, consequence, action: 'Erase', isBusy: this.isBusy },
              () => this.#erase(),
            )
          : html`<p role="status">The data was erased.</p>`
      }`;
  }
}

/** Whether a user can type a name into a field of one line. */
const isTypable = (name: string): boolean => !/\p{Cc}/u.test(name) && typable(name) !== '';

const tableOf = (before: Traces, after: Traces | undefined) => html`<table>
  <thead><tr><th scope="col">Data</th><th scope="col">${after === undefined ? 'Now' : 'Before'}</th>
    ${after === undefined ? nothing : html`<th scope="col">After</th>`}</tr></thead>
  <tbody>${(Object.keys(WORDS) as (keyof Traces)[]).map(
    (name) => html`<tr><th scope="row">${WORDS[name]}</th><td>${before[name]}</td>
      ${after === undefined ? nothing : html`<td>${after[name]}</td>`}</tr>`,
  )}</tbody>
</table>`;

customElements.define('portal-erasure', PortalErasure);

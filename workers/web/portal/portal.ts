// The portal: the sign-in form, or the sections for the signed-in user. The fragment of the address names
// the section, and `#link=…` signs in.

import { html, nothing } from 'lit';
import { ask, PortalError, type PortalUser } from './api.ts';
import { PortalElement } from './portal-element.ts';
import './sign-in.ts';

const SECTIONS = {
  overview: 'Overview',
  tokens: 'Tokens',
  styles: 'Styles',
  charts: 'Charts',
  jobs: 'Jobs',
  soundings: 'Soundings',
  reports: 'Reports',
  team: 'Team',
  accounts: 'Accounts',
  users: 'Users',
  'all-tokens': 'All tokens',
  usage: 'Usage',
  builds: 'Builds',
  audit: 'Audit trail',
  erasure: 'Erasure',
  system: 'System',
  account: 'Security',
} as const;
type Section = keyof typeof SECTIONS;
/** Sections for administrators. */
const ADMINISTRATION: readonly string[] = [
  'accounts',
  'users',
  'all-tokens',
  'usage',
  'builds',
  'audit',
  'erasure',
  'system',
];

/** The fragment of a sign-in link. */
const LINK = /^#link=([A-Za-z]+)$/;

class LeadlinePortal extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    user: { state: true },
    section: { state: true },
  };

  /** `null` without a session; `undefined` until that is known. */
  declare protected user: PortalUser | null | undefined;
  declare protected section: Section;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', this.#changed);
    this.addEventListener('session-ended', () => {
      this.user = null;
    });
    this.addEventListener('signed-in', () => void this.#load());
    this.#follow();
    void this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#changed);
  }

  /** A link can also be opened in a page that shows the portal already. */
  readonly #changed = (): void => {
    if (LINK.test(location.hash)) void this.#start();
    else this.#follow();
  };

  readonly #follow = (): void => {
    const name = location.hash.slice(1);
    this.section = name in SECTIONS ? (name as Section) : 'overview';
    void SOURCES[this.section]();
    document.title = `${SECTIONS[this.section]} – Leadline portal`;
  };

  async #start(): Promise<void> {
    const link = LINK.exec(location.hash)?.[1];
    if (link === undefined) return this.#load();
    // The link works once and must not stay in the history.
    history.replaceState(null, '', location.pathname);
    await this.#load();
    const before = this.user?.username;
    await this.attempt(async () => {
      await ask('POST', '/auth/loginByLink', { link });
    });
    const { message } = this;
    await this.#load();
    const now = this.user?.username;
    // A stranger can send a link to a session of their own.
    const isChanged = before !== undefined && before !== now;
    this.message = isChanged ? `The link signed you in as ${now}. You were ${before}.` : message;
  }

  #load(): Promise<void> {
    return this.attempt(async () => {
      try {
        this.user = await ask<PortalUser>('GET', '/auth/whoami');
      } catch (error) {
        if (!(error instanceof PortalError) || error.status !== 401) throw error;
        this.user = null;
      }
    });
  }

  #signOut(): void {
    void this.attempt(async () => {
      await ask('POST', '/auth/logout');
      this.user = null;
    });
  }

  /** On a phone the sections are in one line that scrolls. */
  protected override updated(changed: Map<string, unknown>): void {
    if (!changed.has('section') && !changed.has('user')) return;
    const current = this.querySelector('.sections [aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }

  protected override render() {
    if (this.user === undefined) return html`<main>${this.messageBox() || 'Loading …'}</main>`;
    if (this.user === null) {
      return html`<main class="narrow">${this.messageBox()}<portal-sign-in></portal-sign-in></main>`;
    }
    const { username, role, account } = this.user;
    return html`
      <header>
        <nav class="sections" aria-label="Sections of the portal">
        ${Object.entries(SECTIONS)
          .filter(([name]) => isOpenTo(name, this.user))
          .map(
            ([name, title]) =>
              html`<a href="#${name}" aria-current=${name === this.section ? 'page' : nothing}>${title}</a>`,
          )}
        </nav>
        <p class="user">${username}, ${role} of ${account.name}
          <button type="button" @click=${() => this.#signOut()}>Sign out</button></p>
      </header>
      <main>${this.messageBox()}${this.#content()}</main>`;
  }

  #content() {
    switch (this.section) {
      case 'tokens':
        return html`<portal-tokens></portal-tokens>`;
      case 'styles':
        return html`<portal-styles></portal-styles>`;
      case 'charts':
        return html`<portal-charts .user=${this.user}></portal-charts>`;
      case 'jobs':
        return html`<portal-jobs .user=${this.user}></portal-jobs>`;
      case 'soundings':
        return html`<portal-soundings .user=${this.user}></portal-soundings>`;
      case 'reports':
        return html`<portal-reports .isAdmin=${this.user?.isAdmin === true}></portal-reports>`;
      case 'team':
        return html`<portal-team></portal-team>`;
      case 'accounts':
        return html`<portal-accounts></portal-accounts>`;
      case 'users':
        return html`<portal-users></portal-users>`;
      case 'all-tokens':
        return html`<portal-all-tokens></portal-all-tokens>`;
      case 'usage':
        return html`<portal-usage></portal-usage>`;
      case 'builds':
        return html`<portal-builds></portal-builds>`;
      case 'audit':
        return html`<portal-audit></portal-audit>`;
      case 'erasure':
        return html`<portal-erasure></portal-erasure>`;
      case 'system':
        return html`<portal-system></portal-system>`;
      case 'account':
        return html`<portal-account></portal-account>`;
      default:
        return html`<portal-overview></portal-overview>`;
    }
  }
}

/** Whether the navigation shows a section to a user. The API checks the role of each request. */
function isOpenTo(section: string, user: PortalUser | null | undefined): boolean {
  if (section === 'team') return user?.isAccountOwner === true;
  if (section === 'reports') return user?.role !== 'member';
  return !ADMINISTRATION.includes(section) || user?.isAdmin === true;
}

/** The module of each section, loaded when it is opened. */
const SOURCES: Readonly<Record<Section, () => Promise<unknown>>> = {
  overview: () => import('./overview.ts'),
  tokens: () => import('./tokens.ts'),
  styles: () => import('./styles.ts'),
  charts: () => import('./charts.ts'),
  jobs: () => import('./jobs.ts'),
  soundings: () => import('./soundings.ts'),
  reports: () => import('./reports.ts'),
  team: () => import('./team.ts'),
  accounts: () => import('./accounts.ts'),
  users: () => import('./users.ts'),
  'all-tokens': () => import('./all-tokens.ts'),
  usage: () => import('./usage.ts'),
  builds: () => import('./builds.ts'),
  audit: () => import('./audit.ts'),
  erasure: () => import('./erasure.ts'),
  system: () => import('./system.ts'),
  account: () => import('./account.ts'),
};

customElements.define('leadline-portal', LeadlinePortal);

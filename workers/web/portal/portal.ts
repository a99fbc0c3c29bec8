// The portal: the sign-in form, or the sections for the signed-in user. The fragment of the address names
// the section, and `#link=…` signs in.

import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { html as staticHtml, unsafeStatic } from 'lit/static-html.js';
import { ask, PortalError, type PortalUser } from './api.ts';
import { hasUnsaved, mayDiscard, PortalElement } from './portal-element.ts';
import './sign-in.ts';

interface Section {
  readonly title: string;
  /** The module of its element, `portal-` and the name. Loaded when the section is opened. */
  readonly load: () => Promise<unknown>;
  /** Whether the navigation shows it to a user; by default to everyone. The API checks each request. */
  readonly isOpenTo?: (user: PortalUser) => boolean;
}

const isAdmin = (user: PortalUser): boolean => user.isAdmin;

const SECTIONS: Readonly<Record<string, Section>> = {
  overview: { title: 'Overview', load: () => import('./overview.ts') },
  tokens: { title: 'Tokens', load: () => import('./tokens.ts') },
  styles: { title: 'Styles', load: () => import('./styles.ts') },
  charts: { title: 'Charts', load: () => import('./charts.ts') },
  jobs: { title: 'Jobs', load: () => import('./jobs.ts') },
  soundings: { title: 'Soundings', load: () => import('./soundings.ts') },
  reports: {
    title: 'Reports',
    load: () => import('./reports.ts'),
    isOpenTo: (user) => user.role !== 'member',
  },
  team: {
    title: 'Team',
    load: () => import('./team.ts'),
    isOpenTo: (user) => user.isAccountOwner,
  },
  accounts: { title: 'Accounts', load: () => import('./accounts.ts'), isOpenTo: isAdmin },
  users: { title: 'Users', load: () => import('./users.ts'), isOpenTo: isAdmin },
  'all-tokens': { title: 'All tokens', load: () => import('./all-tokens.ts'), isOpenTo: isAdmin },
  usage: { title: 'Usage', load: () => import('./usage.ts'), isOpenTo: isAdmin },
  builds: { title: 'Builds', load: () => import('./builds.ts'), isOpenTo: isAdmin },
  audit: { title: 'Audit trail', load: () => import('./audit.ts'), isOpenTo: isAdmin },
  erasure: { title: 'Erasure', load: () => import('./erasure.ts'), isOpenTo: isAdmin },
  system: { title: 'System', load: () => import('./system.ts'), isOpenTo: isAdmin },
  account: { title: 'Security', load: () => import('./account.ts') },
};

const isUnauthorized = (error: unknown): boolean =>
  error instanceof PortalError && error.status === 401;

/** The fragment of a sign-in link. */
const LINK = /^#link=([A-Za-z]+)$/;
/** The fragment of a link from an email, which sets the password. */
const RESET = /^#password=([\w-]+)$/;

const NO_COOKIE =
  'You are signed in, but this browser does not keep the cookie. Allow cookies for this site.';

class LeadlinePortal extends PortalElement {
  static override properties = {
    ...PortalElement.properties,
    user: { state: true },
    section: { state: true },
    reset: { state: true },
  };

  /** `null` without a session; `undefined` until that is known. */
  declare protected user: PortalUser | null | undefined;
  declare protected section: string;
  /** Token of a link that sets the password. */
  declare protected reset: string | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', this.#changed);
    addEventListener('beforeunload', this.#leaving);
    addEventListener('focus', this.#shown);
    document.addEventListener('visibilitychange', this.#shown);
    this.addEventListener('session-ended', () => {
      this.user = null;
      this.message = 'Your session has ended. Sign in again.';
    });
    this.addEventListener('signed-out', () => {
      this.user = null;
    });
    this.addEventListener('signed-in', () => void this.#load(true));
    this.addEventListener('password-left', () => {
      this.reset = undefined;
    });
    this.addEventListener('password-set', () => void this.#endReset());
    this.#follow();
    void this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#changed);
    removeEventListener('beforeunload', this.#leaving);
    removeEventListener('focus', this.#shown);
    document.removeEventListener('visibilitychange', this.#shown);
  }

  /** The browser asks the user. */
  readonly #leaving = (event: BeforeUnloadEvent): void => {
    if (hasUnsaved()) event.preventDefault();
  };

  /** A link can also be opened in a page that shows the portal already. */
  readonly #changed = ({ oldURL }: HashChangeEvent): void => {
    if (!mayDiscard()) history.replaceState(null, '', oldURL);
    else if (LINK.test(location.hash) || RESET.test(location.hash)) void this.#start();
    else this.#follow();
  };

  /** Another tab or window can sign in as another user: the browser has one session. */
  readonly #shown = (): void => {
    const before = this.user;
    if (document.visibilityState !== 'visible' || !before) return;
    void ask<PortalUser>('GET', '/auth/whoami').then(
      (user) => {
        if (this.user !== before) return;
        if (user.userId === before.userId && user.role === before.role) return;
        this.user = user;
        this.message = `This browser is now signed in as ${user.username}, ${user.role}.`;
      },
      (error: unknown) => {
        if (this.user === before) this.announceEnd(error);
      },
    );
  };

  readonly #follow = (): void => {
    this.message = '';
    const name = location.hash.slice(1);
    this.section = Object.hasOwn(SECTIONS, name) ? name : 'overview';
    const { section } = this;
    const { title, load } = SECTIONS[section]!;
    // After an update of the service, modules of the former version are gone.
    load().catch(() => {
      if (this.section !== section) return;
      this.message =
        'This section could not be loaded. Check the connection, then reload the page.';
    });
    document.title = `${title} – Leadline portal`;
  };

  async #start(): Promise<void> {
    const link = LINK.exec(location.hash)?.[1];
    const reset = RESET.exec(location.hash)?.[1];
    if (link === undefined && reset === undefined) return this.#load();
    // The link works once and must not stay in the history.
    history.replaceState(null, '', location.pathname);
    this.#follow();
    this.reset = reset;
    await this.#load();
    if (link === undefined) return;
    const before = this.user?.username;
    let isSignedIn = false;
    await this.attempt(async () => {
      await ask('POST', '/auth/loginByLink', { link });
      isSignedIn = true;
    });
    const { message } = this;
    await this.#load(isSignedIn);
    if (isSignedIn && this.message !== '') {
      // The user of the link is not known, and the former one has no session any more.
      this.user = null;
      return;
    }
    const now = this.user?.username;
    // A stranger can send a link to a session of their own.
    const isChanged = before !== undefined && before !== now;
    this.message = isChanged ? `The link signed you in as ${now}. You were ${before}.` : message;
  }

  /** The session of the user has ended. That of another user stays. */
  async #endReset(): Promise<void> {
    this.reset = undefined;
    await this.#load();
    this.message = `The password is set. ${this.user === null ? 'Sign in with it.' : ''}`;
  }

  /** @param isSignedIn whether the user has just signed in */
  #load(isSignedIn = false): Promise<void> {
    return this.attempt(async () => {
      try {
        this.user = await ask<PortalUser>('GET', '/auth/whoami');
      } catch (error) {
        if (!isUnauthorized(error)) throw error;
        this.user = null;
        if (isSignedIn) this.message = NO_COOKIE;
      }
    });
  }

  #signOut(): void {
    if (!mayDiscard()) return;
    void this.attempt(async () => {
      await ask('POST', '/auth/logout').catch((error: unknown) => {
        // The session has ended already.
        if (!isUnauthorized(error)) throw error;
      });
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
    if (this.user === undefined) {
      return html`<main>${this.isBusy ? 'Loading …' : this.messageBox()}
        <p ?hidden=${this.isBusy}><button type="button" @click=${() => void this.#load()}>Try again</button></p></main>`;
    }
    if (this.reset !== undefined) {
      return html`<main class="narrow"><portal-new-password .link=${this.reset}></portal-new-password></main>`;
    }
    if (this.user === null) {
      return html`<main class="narrow">${this.messageBox()}<portal-sign-in></portal-sign-in></main>`;
    }
    const { user } = this;
    const { username, role, account } = user;
    const element = unsafeStatic(`portal-${this.section}`);
    // The data of one user must not be shown to another.
    const section = keyed(user.userId, staticHtml`<${element} .user=${user}></${element}>`);
    return html`
      <header>
        <nav class="sections" aria-label="Sections of the portal">
        ${Object.entries(SECTIONS)
          .filter(([, { isOpenTo }]) => isOpenTo?.(user) ?? true)
          .map(
            ([name, { title }]) =>
              html`<a href="#${name}" aria-current=${name === this.section ? 'page' : nothing}>${title}</a>`,
          )}
        </nav>
        <p class="user">${username}, ${role} of ${account.name}
          <button type="button" @click=${() => this.#signOut()}>Sign out</button></p>
      </header>
      <main>${this.messageBox()}${section}</main>`;
  }
}

customElements.define('leadline-portal', LeadlinePortal);

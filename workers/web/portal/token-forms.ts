// Forms for tokens: create, change the origins, revoke; and the boxes that show new tokens once.

import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import type { NewPortalToken, PortalToken } from './api.ts';
import { confirmForm } from './confirm-form.ts';
import { copyButton } from './copy-button.ts';
import { focusOn, markUnsaved, valuesOf } from './portal-element.ts';
import './token-test.ts';

/** Scopes that a secret token can have, for a server. */
const SECRET_SCOPES: Readonly<Record<string, string>> = {
  tiles: 'tiles and regions',
  styles: 'styles',
  'styles:write': 'change saved styles',
  query: 'feature queries and names',
  'reports:write': 'reports and votes, also for each of your end users',
  'bathymetry:write': 'soundings',
  routing: 'routes, if the account may plan them',
  'reports:admin':
    'read all reports and delete those of others, if the account and your role permit it',
  'charts:write': 'upload charts, if you are an owner',
};
/** Only a moderator or an owner can give these scopes. */
const NOT_CHOSEN = ['reports:admin', 'charts:write'];

const hostsOf = (text = ''): string[] => text.split(/[\s,]+/).filter((host) => host !== '');

/** @param create receives the body of the request, and the form */
export const createForm = (
  isBusy: boolean,
  create: (body: object, form: HTMLFormElement) => void,
): TemplateResult => {
  const submit = (event: SubmitEvent) => {
    const values = valuesOf(event);
    const { name, kind, hosts, days } = values;
    const origins = hostsOf(hosts);
    const scopes = Object.keys(SECRET_SCOPES).filter((scope) => values[`may ${scope}`] === 'on');
    const body = {
      name,
      ...(origins.length > 0 ? { restrictions: { hosts: origins } } : {}),
      ...(kind === 'secret' ? { scopes } : {}),
      ...(days === '' ? {} : { expiresInDays: Number(days) }),
    };
    create(body, event.currentTarget as HTMLFormElement);
  };
  return html`<form class="card" @submit=${submit} @input=${markUnsaved} @reset=${markUnsaved}>
    <h2>Create a token</h2>
    <label for="token-name">Name</label>
    <input id="token-name" name="name" required maxlength="128" placeholder="Harbour page" />
    <fieldset>
      <legend>Kind</legend>
      <label><input type="radio" name="kind" value="public" checked /> Public: for a web page or an app</label>
      <label><input type="radio" name="kind" value="secret" /> Secret: for a server, also with routing and
        soundings. Do not put it into a page</label>
    </fieldset>
    <fieldset class="scopes">
      <legend>The secret token may be used for</legend>
      ${Object.entries(SECRET_SCOPES).map(
        ([scope, title]) => html`<label><input type="checkbox" name=${`may ${scope}`}
          ?checked=${!NOT_CHOSEN.includes(scope)} /> ${title}</label>`,
      )}
    </fieldset>
    <label for="token-hosts">Origins of your pages, separated by commas; empty for everywhere</label>
    <input id="token-hosts" name="hosts" placeholder="example.com, http://localhost:5173" />
    <label for="token-days">Lifetime in days; empty for no expiry</label>
    <input id="token-days" name="days" type="number" min="1" max="366" />
    <button class="main" type="submit" ?disabled=${isBusy}>Create</button>
  </form>`;
};

/** A page with a chart that works without a build step. Its script comes from this service. */
const pageWith = (token: string): string => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <title>My chart</title>
  <link rel="stylesheet" href="${location.origin}/page/leadline-chart.css" />
  <script type="module" src="${location.origin}/page/leadline-chart.js"></script>
  <style>body { margin: 0 } leadline-chart { height: 100dvh }</style>
  <leadline-chart base-url="${location.origin}" token="${token}" controls pick></leadline-chart>
</html>`;

/**
 * The texts of new tokens, each with a page that uses it.
 * @param keep called with the tokens that are not closed
 */
export const newTokenBoxes = (
  all: readonly NewPortalToken[],
  keep: (rest: readonly NewPortalToken[]) => void,
) =>
  repeat(
    all,
    ({ id }) => id,
    (one) => newTokenBox(one, () => keep(all.filter((other) => other !== one))),
  );

function newTokenBox(made: NewPortalToken, close: () => void): TemplateResult {
  const { id, token } = made;
  return html`<section class="card new" data-unsaved aria-labelledby=${`new-${id}`}>
    <h2 id=${`new-${id}`} tabindex="-1" ${ref(focusOn)}>Your new token ${made.name}</h2>
    <p>Copy it now. It is not stored and cannot be shown again.</p>
    <p><code>${token}</code> ${copyButton('Copy the token', token)}</p>
    ${made.isPublic ? ownPage(made) : nothing}
    <portal-token-test .newToken=${made}></portal-token-test>
    <button type="button" @click=${close}>Done</button>
  </section>`;
}

/** The page for a public token, or the chart page if the token may be used there. */
function ownPage({ token, restrictions }: NewPortalToken): TemplateResult {
  const page = pageWith(token);
  const place =
    restrictions === null
      ? 'on your web server'
      : html`on <strong>${restrictions.hosts.join(' or ')}</strong>`;
  return html`
    <p>A complete page with a chart. Save it as <code>index.html</code> ${place} and open it there, not from
      the disk.</p>
    <p class="tools">${copyButton('Copy the page', page)}
      ${
        restrictions === null
          ? html`<a href=${`/#token=${token}`} target="_blank" rel="noopener">Open the chart with it</a>`
          : nothing
      }</p>
    <pre tabindex="0" role="region" aria-label="Page"><code>${page}</code></pre>`;
}

export const originsForm = (
  { id, restrictions }: PortalToken,
  isBusy: boolean,
  change: (hosts: string[]) => void,
): TemplateResult => html`<form class="card" @submit=${(event: SubmitEvent) => change(hostsOf(valuesOf(event)['hosts']))}
  @input=${markUnsaved}>
  <label for=${`hosts-${id}`}>Origins, separated by commas; empty for everywhere</label>
  <input id=${`hosts-${id}`} name="hosts" value=${restrictions?.hosts.join(', ') ?? ''} />
  <p>They take effect within two minutes.</p>
  <button class="main" type="submit" ?disabled=${isBusy}>Save the origins</button>
</form>`;

/** @param rotate receives the number of seconds for which the old token still works */
export const rotateForm = (
  { name }: PortalToken,
  isBusy: boolean,
  rotate: (graceSeconds: number) => void,
): TemplateResult => html`<form class="card" @submit=${(event: SubmitEvent) => rotate(Number(valuesOf(event)['grace']))}>
  <p>A new token with the same rights replaces ${name}. It is shown once: copy it before you close it.</p>
  <fieldset>
    <legend>The old token</legend>
    <label><input type="radio" name="grace" value="86400" checked /> works for one more day</label>
    <label><input type="radio" name="grace" value="0" /> ends now (for a leak). Pages and programs with it stop
      working within two minutes</label>
  </fieldset>
  <button class="main" type="submit" ?disabled=${isBusy}>Rotate</button>
</form>`;

export const revokeForm = ({ id, name }: PortalToken, isBusy: boolean, revoke: () => void) =>
  confirmForm(
    {
      id: `revoke-${id}`,
      name,
      consequence: 'Pages and programs with this token stop working. This cannot be undone.',
      action: 'Revoke',
      isBusy,
    },
    revoke,
  );

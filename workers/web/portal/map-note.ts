// The text below a map of the portal.

import { html, nothing } from 'lit';

/** @param hasChart `undefined` until it is known */
export const mapNote = (hasChart: boolean | undefined) =>
  html`<p>${
    hasChart === false
      ? 'The map has no chart, because the service has no public token for it, or its charts are not available.'
      : nothing
  } Not for navigation.</p>`;

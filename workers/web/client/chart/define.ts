// @leadline/client/chart/define: makes <leadline-chart> known to the page.

import { LeadlineChart } from './leadline-chart.ts';

declare global {
  interface HTMLElementTagNameMap {
    'leadline-chart': LeadlineChart;
  }
}

// A page may hold two copies of this package: the first one stays.
if (customElements.get('leadline-chart') === undefined) {
  customElements.define('leadline-chart', LeadlineChart);
}

export { LeadlineChart };

// @leadline/client/chart/define: defines the <leadline-chart> element.

import { LeadlineChart } from './leadline-chart.ts';

declare global {
  interface HTMLElementTagNameMap {
    'leadline-chart': LeadlineChart;
  }
}

// If a page loads two copies of the package, the first definition is used.
if (customElements.get('leadline-chart') === undefined) {
  customElements.define('leadline-chart', LeadlineChart);
}

export { LeadlineChart };

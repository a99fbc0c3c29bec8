// The display choices of the chart page: in its link, in a saved style and in the form.

import { describe, expect, test, vi } from 'vitest';
import { STYLE_PARAMETERS } from '../../../shared/style/options.ts';
import { CHOICES } from '../../../workers/web/chart/choices.ts';
import { showChoices } from '../../../workers/web/chart/choices-form.ts';
import { chosenOf } from '../../../workers/web/chart/choices-settings.ts';
import { readLink, writeLink } from '../../../workers/web/chart/page-link.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const openedWith = (settings: Record<string, unknown>) =>
  chosenOf({ baseTheme: 'day', parameters: { colors: {}, settings } });

describe('the link of the chart page', () => {
  test.each([3.6576, 0.30000000000000004, 1e-7, -2.5, 12_000])(
    'keeps the safety depth %d of a saved style',
    (depthLimit) => {
      const link = { token: '', place: undefined, styleId: ID };
      const chosen = openedWith({ depthLimit });
      expect(readLink(writeLink({ ...link, chosen })).chosen['depthLimit']).toBe(`${depthLimit}`);
    },
  );

  test.each(['', '3m', '0x10', 'NaN', 'Infinity', '1e999', '9'.repeat(65)])(
    'ignores %j as a safety depth',
    (text) => {
      expect(readLink(`#depthLimit=${text}`).chosen).toEqual({});
    },
  );
});

describe('a saved style', () => {
  test.each([
    [{}, 'true', 'false'],
    [{ showSatellite: true, showNoData: null, showUserReports: null }, 'true', 'false'],
    [{ showNoData: false, showUserReports: true }, 'false', 'true'],
  ])('is opened with the defaults of base.json: %j', (settings, showNoData, showUserReports) => {
    expect(openedWith(settings)).toMatchObject({ showNoData, showUserReports });
  });
});

describe('the form', () => {
  test('accepts each number that the service accepts', () => {
    interface Control {
      readonly [name: string]: unknown;
    }
    const controls: Control[] = [];
    const createElement = () => {
      const control = { append: () => {}, addEventListener: () => {} };
      controls.push(control as unknown as Control);
      return control;
    };
    vi.stubGlobal('document', { createElement });
    const form = { replaceChildren: () => {}, addEventListener: () => {} };
    const numbers = CHOICES.filter(({ kind }) => kind === 'number');
    showChoices(form as unknown as HTMLElement, {}, () => {}, numbers);
    const limits = controls
      .filter(({ type }) => type === 'number')
      .map(({ name, min, max, step }) => [name, min, max, step]);
    expect(limits).toEqual(
      (['depthLimit', 'shallowDepth', 'deepDepth'] as const).map((name) => [
        name,
        ...STYLE_PARAMETERS[name].range,
        'any',
      ]),
    );
  });
});

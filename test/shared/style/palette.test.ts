import { describe, expect, test } from 'vitest';
import { BASE_THEMES, THEMES } from '../../../shared/style/options.ts';
import { COLOR_TOKENS, landText, paletteFor } from '../../../shared/style/palette.ts';
import { S52_CIE_COLORS } from '../../../shared/style/palette-cie.ts';
import { srgbFromCie } from '../../../shared/style/palette-srgb.ts';
import { contrastRatio, relativeLuminance } from '../../support/contrast.ts';

const WATERS = ['DEPDW', 'DEPMD', 'DEPMS', 'DEPVS', 'DEPIT'] as const;

describe('CIE to sRGB', () => {
  test('converts the white point of D65 to white, and zero luminance to black', () => {
    expect(srgbFromCie([0.31271, 0.32902, 100])).toBe('#ffffff');
    expect(srgbFromCie([0.28, 0.31, 0])).toBe('#000000');
  });

  test('converts the primaries of sRGB to pure colours', () => {
    expect(srgbFromCie([0.64, 0.33, 21.264])).toBe('#ff0000');
    expect(srgbFromCie([0.3, 0.6, 71.517])).toBe('#00ff00');
    expect(srgbFromCie([0.15, 0.06, 7.219])).toBe('#0000ff');
  });

  test('clips a channel that is out of range', () => {
    // Red would be negative.
    expect(srgbFromCie([0.145, 0.14, 20])).toBe('#0080ff');
  });

  test('has a contrast of 21 between black and white, and of 1 between equal colours', () => {
    expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrastRatio('#52e83b', '#52e83b')).toBe(1);
  });
});

describe('the palettes', () => {
  test.each(THEMES)('%s has a colour for every token, including all tokens of S-52', (theme) => {
    const palette = paletteFor(theme);
    expect(Object.keys(palette)).toEqual([...COLOR_TOKENS]);
    expect(COLOR_TOKENS).toEqual(expect.arrayContaining(Object.keys(S52_CIE_COLORS)));
    for (const [token, color] of Object.entries(palette)) {
      expect(color, token).toMatch(/^#[0-9a-f]{6}$/);
    }
  });

  test('have the published colours of S-52', () => {
    const pick = (theme: (typeof THEMES)[number]) => {
      const { LANDA, CHMGD, DEPVS, CHBLK } = paletteFor(theme);
      return { LANDA, CHMGD, DEPVS, CHBLK };
    };
    expect(pick('day')).toEqual({
      LANDA: '#bfbe8f',
      CHMGD: '#c045d1',
      DEPVS: '#61b7ff',
      CHBLK: '#000000',
    });
    expect(pick('dusk')).toEqual({
      LANDA: '#40402e',
      CHMGD: '#826ca1',
      DEPVS: '#1e4165',
      CHBLK: '#6b7f89',
    });
    expect(pick('night')).toEqual({
      LANDA: '#17160e',
      CHMGD: '#411247',
      DEPVS: '#071727',
      CHBLK: '#252d31',
    });
  });

  test('are darker at dusk than by day, and darkest at night', () => {
    for (const token of [...WATERS.slice(1), 'LANDA', 'NODTA', 'CHBRN'] as const) {
      const [day, dusk, night] = BASE_THEMES.map((theme) =>
        relativeLuminance(paletteFor(theme)[token]),
      );
      expect(dusk, token).toBeLessThan(day!);
      expect(night, token).toBeLessThan(dusk!);
    }
  });

  test('show uncharted land paler than charted land, in a unique colour', () => {
    for (const theme of THEMES) {
      const palette = paletteFor(theme);
      const land = relativeLuminance(palette.BGLND);
      expect(land, theme).toBeGreaterThan(relativeLuminance(palette.LANDA));
      const others = [...WATERS, 'NODTA', 'LANDA', 'CHBRN', 'CHWHT'] as const;
      expect(others.map((token) => palette[token])).not.toContain(palette.BGLND);
    }
  });

  test('show uncharted water pale and nearly grey by day, and dark at night', () => {
    for (const theme of THEMES) {
      const palette = paletteFor(theme);
      const others = [...WATERS, 'NODTA', 'LANDA', 'BGLND'] as const;
      expect(others.map((token) => palette[token])).not.toContain(palette.BGWTR);
      const channelsOf = (hex: string) =>
        [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
      // Warm, so that it cannot be mistaken for deep water, which is blue or black.
      const warmth = (token: 'BGWTR' | (typeof WATERS)[number]) => {
        const [red, , blue] = channelsOf(palette[token]);
        return red! - blue!;
      };
      expect(warmth('BGWTR'), theme).toBeGreaterThan(1);
      for (const water of WATERS.filter((token) => token !== 'DEPIT'))
        expect(warmth(water), `${theme}, ${water}`).toBeLessThanOrEqual(0);
      if (theme === 'day' || theme === 'yacht') {
        const channels = channelsOf(palette.BGWTR);
        expect(Math.max(...channels) - Math.min(...channels)).toBeLessThan(16);
        const charted = WATERS.slice(1).map((token) => relativeLuminance(palette[token]));
        expect(relativeLuminance(palette.BGWTR)).toBeGreaterThan(Math.max(...charted));
      } else {
        expect(relativeLuminance(palette.BGWTR)).toBeLessThan(relativeLuminance(palette.NODTA));
      }
    }
  });

  test('have no night colour brighter than a twentieth of white', () => {
    for (const [token, color] of Object.entries(paletteFor('night'))) {
      expect(relativeLuminance(color), token).toBeLessThan(0.055);
    }
  });

  test.each(THEMES)('have different colours for all depths in the theme %s', (theme) => {
    const palette = paletteFor(theme);
    const shades = WATERS.map((token) => palette[token]);
    expect(new Set(shades).size).toBe(shades.length);
  });

  test('show shoal soundings with enough contrast on every water', () => {
    const least = (theme: (typeof THEMES)[number]) => {
      const palette = paletteFor(theme);
      return Math.min(...WATERS.map((water) => contrastRatio(palette.SNDG2, palette[water])));
    };
    expect(least('day')).toBeGreaterThan(7);
    expect(least('dusk')).toBeGreaterThan(3);
    // Nearly black by design: night vision is more important than contrast.
    expect(least('night')).toBeGreaterThan(1.5);
  });

  test.each(['yacht', 'night-bright'] as const)(
    'show soundings at 4.5:1 and contours at 2:1 on every depth tint in the theme %s',
    (theme) => {
      const palette = paletteFor(theme);
      for (const water of WATERS) {
        for (const token of ['SNDG1', 'SNDG2'] as const) {
          const ratio = contrastRatio(palette[token], palette[water]);
          expect(ratio, `${token} on ${water}`).toBeGreaterThanOrEqual(4.5);
        }
        expect(contrastRatio(palette.DEPCN, palette[water]), water).toBeGreaterThanOrEqual(2);
      }
    },
  );

  test('show texts on land at 4.5:1 by day and at dusk', () => {
    for (const theme of ['day', 'dusk', 'yacht', 'night-bright'] as const) {
      for (const land of ['LANDA', 'CHBRN', 'BGLND'] as const) {
        const text = landText({ theme, colors: {} }, 'CHBLK');
        const ratio = contrastRatio(text, paletteFor(theme)[land]);
        expect(ratio, `${theme}, ${land}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(landText({ theme: 'dusk', colors: { CHBLK: '#123456' } }, 'CHBLK')).toBe('#123456');
  });

  test('show text with enough contrast to its halo in every theme', () => {
    for (const theme of THEMES) {
      const { SNDG2, TXHAL, DEPDW } = paletteFor(theme);
      expect(TXHAL).toBe(DEPDW);
      expect(contrastRatio(SNDG2, TXHAL), theme).toBeGreaterThan(1.9);
    }
  });

  describe('night-bright', () => {
    const palette = paletteFor('night-bright');
    const least = (
      tokens: readonly (keyof typeof palette)[],
      grounds: readonly (keyof typeof palette)[],
    ) =>
      Math.min(
        ...tokens.flatMap((token) =>
          grounds.map((on) => contrastRatio(palette[token], palette[on])),
        ),
      );

    test('has a contrast of at least 4.5 for text on every water and land', () => {
      const grounds = [...WATERS, 'LANDA', 'NODTA', 'BGLND', 'BGWTR'] as const;
      expect(least(['CHBLK', 'CHGRD', 'SNDG1', 'SNDG2'], grounds)).toBeGreaterThanOrEqual(4.5);
    });

    test('has a contrast of at least 3 for contours, coasts and limits on every water', () => {
      expect(least(['DEPCN', 'DEPSC', 'CSTLN', 'CHMGD', 'CHGRF'], WATERS)).toBeGreaterThanOrEqual(
        3,
      );
    });

    test('has the areas of night, so that it is as dark', () => {
      for (const token of [...WATERS, 'LANDA', 'NODTA', 'BGLND', 'BGWTR', 'TXHAL'] as const) {
        expect(palette[token], token).toBe(paletteFor('night')[token]);
      }
    });

    test('has no symbol brighter than the brightest of dusk', () => {
      const dusk = Object.values(paletteFor('dusk')).map(relativeLuminance);
      const brightest = Math.max(...dusk) + 1e-9;
      for (const [token, color] of Object.entries(palette)) {
        expect(relativeLuminance(color), token).toBeLessThanOrEqual(brightest);
      }
    });
  });

  describe('yacht', () => {
    const [yacht, day] = [paletteFor('yacht'), paletteFor('day')];
    const least = (palette: typeof day, token: keyof typeof day) =>
      Math.min(...WATERS.map((water) => contrastRatio(palette[token], palette[water])));
    const saturation = (color: string) => {
      const channels = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
      return Math.max(...channels) - Math.min(...channels);
    };

    test('has less saturated land, shallow water and magenta than day', () => {
      for (const token of ['LANDA', 'CHBRN', 'DEPVS', 'DEPMS', 'CHMGD', 'TRFCD'] as const) {
        expect(saturation(yacht[token]), token).toBeLessThan(saturation(day[token]));
      }
    });

    test('has at least the contrast of day for texts, soundings, contours and limits', () => {
      for (const token of ['CHBLK', 'SNDG2', 'SNDG1', 'DEPSC', 'CHMGD', 'DEPCN'] as const) {
        expect(least(yacht, token), token).toBeGreaterThanOrEqual(least(day, token) - 0.05);
      }
    });

    test('has at least the contrast of day between deep water and shallower water', () => {
      for (const token of ['DEPVS', 'DEPMS', 'DEPMD'] as const) {
        const [calm, standard] = [yacht, day].map((one) => contrastRatio(one[token], one.DEPDW));
        expect(calm, token).toBeGreaterThanOrEqual(standard!);
      }
    });

    test('has the day colours of dangers, marks and lights', () => {
      const kept = [
        'ISDNG',
        'DNGHL',
        'LITRD',
        'LITGN',
        'LITYW',
        'CHRED',
        'CHGRN',
        'CHYLW',
      ] as const;
      expect(kept.map((token) => yacht[token])).toEqual(kept.map((token) => day[token]));
    });
  });

  test('agree with the table of contrasts', async () => {
    const rows = [
      ['shoal soundings, names', 'SNDG2', WATERS],
      ['deep soundings', 'SNDG1', ['DEPDW', 'DEPMD']],
      ['texts', 'CHBLK', [...WATERS, 'LANDA']],
      ['contours', 'DEPCN', WATERS],
      ['safety contour', 'DEPSC', WATERS],
      ['coast', 'CSTLN', [...WATERS, 'LANDA']],
      ['limits', 'CHMGD', WATERS],
    ] as const;
    const table = rows.map(([what, token, grounds]) => {
      const ratios = THEMES.map((theme) => {
        const palette = paletteFor(theme);
        const found = grounds.map((on) => contrastRatio(palette[token], palette[on]));
        return Math.min(...found).toFixed(1);
      });
      return `| ${what} (${token}) | ${ratios.join(' | ')} |`;
    });
    const page = `# Contrast of symbols and text in each theme

The smallest contrast (WCAG 2) of each symbol on the water and land where it can be, without its halo.
Day, dusk and night are the palettes of S-52; night is dark by design. \`night-bright\` has at least 4.5 for text and 3 for lines. \`yacht\` is day with softer areas and limits.
Written by \`npx vitest run --project unit test/shared/style/palette -u\`.

| symbol | ${THEMES.join(' | ')} |
|---|${THEMES.map(() => '---|').join('')}
${table.join('\n')}
`;
    await expect(page).toMatchFileSnapshot('../../../shared/style/CONTRASTS.md');
  });
});

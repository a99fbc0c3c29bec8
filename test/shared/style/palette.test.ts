import { describe, expect, test } from 'vitest';
import { BASE_THEMES, THEMES } from '../../../shared/style/options.ts';
import { COLOR_TOKENS, paletteFor } from '../../../shared/style/palette.ts';
import { S52_CIE_COLORS } from '../../../shared/style/palette-cie.ts';
import { srgbFromCie } from '../../../shared/style/palette-srgb.ts';
import { contrastRatio, relativeLuminance } from '../../support/contrast.ts';

const WATERS = ['DEPDW', 'DEPMD', 'DEPMS', 'DEPVS', 'DEPIT'] as const;

describe('CIE to sRGB', () => {
  test('the white point of D65 at full luminance is white, and no luminance is black', () => {
    expect(srgbFromCie([0.31271, 0.32902, 100])).toBe('#ffffff');
    expect(srgbFromCie([0.28, 0.31, 0])).toBe('#000000');
  });

  test('the primaries of sRGB come out pure', () => {
    expect(srgbFromCie([0.64, 0.33, 21.264])).toBe('#ff0000');
    expect(srgbFromCie([0.3, 0.6, 71.517])).toBe('#00ff00');
    expect(srgbFromCie([0.15, 0.06, 7.219])).toBe('#0000ff');
  });

  test('a channel out of reach is clipped and the others stay', () => {
    // Mariner blue: its red would be negative.
    expect(srgbFromCie([0.145, 0.14, 20])).toBe('#0080ff');
  });

  test('contrast is 21 between black and white and 1 with itself', () => {
    expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrastRatio('#52e83b', '#52e83b')).toBe(1);
  });
});

describe('the palettes', () => {
  test.each(THEMES)('%s has every token as a colour, all S-52 tokens among them', (theme) => {
    const palette = paletteFor(theme);
    expect(Object.keys(palette)).toEqual([...COLOR_TOKENS]);
    expect(COLOR_TOKENS).toEqual(expect.arrayContaining(Object.keys(S52_CIE_COLORS)));
    for (const [token, color] of Object.entries(palette)) {
      expect(color, token).toMatch(token === 'SATHL' ? /^#[0-9a-f]{8}$/ : /^#[0-9a-f]{6}$/);
    }
  });

  test('known colours of S-52 are what they are known to be', () => {
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

  test('every ground is darker at dusk than by day, and darker still at night', () => {
    for (const token of [...WATERS.slice(1), 'LANDA', 'NODTA', 'CHBRN'] as const) {
      const [day, dusk, night] = BASE_THEMES.map((theme) =>
        relativeLuminance(paletteFor(theme)[token]),
      );
      expect(dusk, token).toBeLessThan(day!);
      expect(night, token).toBeLessThan(dusk!);
    }
  });

  test('uncharted land is paler than charted land, and no ground’s colour but its own', () => {
    for (const theme of THEMES) {
      const palette = paletteFor(theme);
      const land = relativeLuminance(palette.BGLND);
      expect(land, theme).toBeGreaterThan(relativeLuminance(palette.LANDA));
      const others = [...WATERS, 'NODTA', 'LANDA', 'CHBRN', 'CHWHT'] as const;
      expect(others.map((token) => palette[token])).not.toContain(palette.BGLND);
    }
  });

  test('uncharted water is paler by day than all charted water and nearly grey, and never glares at night', () => {
    for (const theme of THEMES) {
      const palette = paletteFor(theme);
      const others = [...WATERS, 'NODTA', 'LANDA', 'BGLND'] as const;
      expect(others.map((token) => palette[token])).not.toContain(palette.BGWTR);
      if (theme === 'day' || theme === 'yacht') {
        const channels = [1, 3, 5].map((at) => parseInt(palette.BGWTR.slice(at, at + 2), 16));
        expect(Math.max(...channels) - Math.min(...channels)).toBeLessThan(16);
        const charted = WATERS.slice(1).map((token) => relativeLuminance(palette[token]));
        expect(relativeLuminance(palette.BGWTR)).toBeGreaterThan(Math.max(...charted));
      } else {
        expect(relativeLuminance(palette.BGWTR)).toBeLessThan(relativeLuminance(palette.NODTA));
      }
    }
  });

  test('no colour at night gives more light than a twentieth of white', () => {
    for (const [token, color] of Object.entries(paletteFor('night'))) {
      expect(relativeLuminance(color), token).toBeLessThan(0.055);
    }
  });

  test.each(THEMES)('the palettes: by %s, neighbouring shades of water differ', (theme) => {
    const palette = paletteFor(theme);
    const shades = WATERS.map((token) => palette[token]);
    expect(new Set(shades).size).toBe(shades.length);
  });

  test('shoal soundings stand out from every water they can lie on', () => {
    const least = (theme: (typeof THEMES)[number]) => {
      const palette = paletteFor(theme);
      return Math.min(...WATERS.map((water) => contrastRatio(palette.SNDG2, palette[water])));
    };
    expect(least('day')).toBeGreaterThan(7);
    expect(least('dusk')).toBeGreaterThan(3);
    // Near-black by design: the eye's adaptation to the dark counts for more than contrast.
    expect(least('night')).toBeGreaterThan(1.5);
  });

  test('text stands out from its halo in every theme', () => {
    for (const theme of THEMES) {
      const { SNDG2, TXHAL, DEPDW } = paletteFor(theme);
      expect(TXHAL).toBe(DEPDW);
      expect(contrastRatio(SNDG2, TXHAL), theme).toBeGreaterThan(1.9);
    }
  });

  describe('the bright night', () => {
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

    test('the bright night letters and digits have a contrast of 4.5 and more on every water and land', () => {
      const grounds = [...WATERS, 'LANDA', 'NODTA', 'BGLND', 'BGWTR'] as const;
      expect(least(['CHBLK', 'CHGRD', 'SNDG1', 'SNDG2'], grounds)).toBeGreaterThanOrEqual(4.5);
    });

    test('contours, coasts and limits have a contrast of 3 and more on every water', () => {
      expect(least(['DEPCN', 'DEPSC', 'CSTLN', 'CHMGD', 'CHGRF'], WATERS)).toBeGreaterThanOrEqual(
        3,
      );
    });

    test('grounds are the night’s own, so that the picture gives as little light', () => {
      for (const token of [...WATERS, 'LANDA', 'NODTA', 'BGLND', 'BGWTR', 'TXHAL'] as const) {
        expect(palette[token], token).toBe(paletteFor('night')[token]);
      }
    });

    test('no sign is brighter than the brightest of dusk', () => {
      const dusk = Object.entries(paletteFor('dusk')).filter(([token]) => token !== 'SATHL');
      const brightest = Math.max(...dusk.map(([, color]) => relativeLuminance(color))) + 1e-9;
      for (const [token, color] of Object.entries(palette)) {
        if (token !== 'SATHL')
          expect(relativeLuminance(color), token).toBeLessThanOrEqual(brightest);
      }
    });
  });

  describe('the calm day', () => {
    const [calm, day] = [paletteFor('yacht'), paletteFor('day')];
    const least = (palette: typeof day, token: keyof typeof day) =>
      Math.min(...WATERS.map((water) => contrastRatio(palette[token], palette[water])));
    const colorfulness = (color: string) => {
      const channels = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
      return Math.max(...channels) - Math.min(...channels);
    };

    test('land, shallow water and magenta are less colourful than by day', () => {
      for (const token of ['LANDA', 'CHBRN', 'DEPVS', 'DEPMS', 'CHMGD', 'TRFCD'] as const) {
        expect(colorfulness(calm[token]), token).toBeLessThan(colorfulness(day[token]));
      }
    });

    test('texts, soundings, coast, safety contour and limits stand out as by day or more', () => {
      for (const token of ['CHBLK', 'SNDG2', 'SNDG1', 'DEPSC', 'CHMGD', 'DEPCN'] as const) {
        expect(least(calm, token), token).toBeGreaterThanOrEqual(least(day, token) - 0.05);
      }
    });

    test('what is dangerous, and the colours of marks and lights, are those of the day', () => {
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
      expect(kept.map((token) => calm[token])).toEqual(kept.map((token) => day[token]));
    });
  });

  test('the table of contrasts is that of the palettes', async () => {
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
    const page = `# How far signs stand out in each theme

The least contrast (WCAG 2) of each sign against the waters and lands it may lie on, without its halo.
Day, dusk and night are those of S-52, night dark by intent; \`night-bright\` has 4.5 and more for text, 3 and more for lines; \`yacht\` is day with quieter grounds and limits.
Written by \`npx vitest run --project unit test/shared/style/palette -u\`.

| sign | ${THEMES.join(' | ')} |
|---|${THEMES.map(() => '---|').join('')}
${table.join('\n')}
`;
    await expect(page).toMatchFileSnapshot('../../../shared/style/CONTRASTS.md');
  });
});

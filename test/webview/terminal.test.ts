import { describe, expect, it } from 'vitest';
import { click } from '../../tools/editor/drive/act.ts';
import { conversation, row, setup } from './rig/samples.ts';
import { themes, type OpenOptions, type ThemeName } from './rig/pageRig.ts';
import { usePages } from './rig/usePage.ts';

const pages = usePages();
const escape = '\u001b';

async function openOutput(text: string, theme: ThemeName = 'dark', policy: OpenOptions['policy'] = 'enforced') {
  const open = await pages.open({ theme, policy });
  await open.tell(setup, conversation([row('m', [{ type: 'code', text }])]));
  const code = open.page.locator('article .code-block code');
  const styled = (part: string) => code.locator('span:not(.code-piece)', { hasText: part });
  const css = (part: string, name: string) =>
    styled(part).evaluate((node, property) => getComputedStyle(node).getPropertyValue(property), name);
  return { ...open, code, styled, css };
}

/** The contrast of each element with what is behind it, as the browser draws the two colors. */
const readContrasts = (nodes: readonly Element[]): number[] => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!canvas) throw new Error('There is no canvas.');
  const drawn = (color: string) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  };
  const luminance = (color: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = color.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  return nodes.map((node) => {
    const around: Element[] = [];
    for (let one: Element | null = node; one; one = one.parentElement) around.unshift(one);
    let ground: number[] = [];
    for (const one of around) ground = drawn(getComputedStyle(one).backgroundColor);
    const color = drawn(getComputedStyle(node).color);
    const [dark = 0, light = 0] = [luminance(ground), luminance(color)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  });
};

describe('the output of a command', () => {
  it('has the colors and the styles of a terminal', async () => {
    const { css } = await openOutput(
      `plain ${escape}[1;31mred${escape}[0m ${escape}[3;4mslanted${escape}[m ${escape}[48;2;0;0;120;97mwhite${escape}[m ` +
        `${escape}[38;2;200;200;200mbright${escape}[2mfaint${escape}[m ${escape}[9mstruck${escape}[m`,
    );
    expect(await css('red', 'font-weight')).toBe('700');
    expect(await css('slanted', 'font-style')).toBe('italic');
    expect(await css('slanted', 'text-decoration-line')).toBe('underline');
    expect(await css('white', 'background-color')).toBe('rgb(0, 0, 120)');
    expect(await css('bright', 'color')).toBe('rgb(200, 200, 200)');
    expect(await css('faint', 'color')).toMatch(/^rgb\((?:9\d|1[0-8]\d), /);
    expect(await css('struck', 'text-decoration-line')).toBe('line-through');
    expect(await css('red', 'color')).toMatch(/^rgb\((?:2[0-9]{2}|1[5-9][0-9]), /);
  });

  it('follows the theme when it changes', async () => {
    const { page, css } = await openOutput(`${escape}[34mblue`);
    const before = await css('blue', 'color');
    await page.evaluate(() => {
      document.documentElement.style.setProperty('--vscode-terminal-ansiBlue', '#aaccff');
    });
    await expect.poll(() => css('blue', 'color')).toBe('rgb(170, 204, 255)');
    expect(before).not.toBe('rgb(170, 204, 255)');
  });

  it('has more contrast as soon as the theme has high contrast', async () => {
    const { page, css, code } = await openOutput(`${escape}[38;2;120;120;120mgray`);
    const contrast = () => code.locator('span:not(.code-piece)').evaluateAll(readContrasts);
    const before = await css('gray', 'color');
    expect(Math.min(...(await contrast()))).toBeLessThan(7);
    await page.evaluate(() => document.body.classList.add('vscode-high-contrast'));
    await expect.poll(() => css('gray', 'color')).not.toBe(before);
    expect(Math.min(...(await contrast()))).toBeGreaterThanOrEqual(6.9);
  });

  it.each(Object.keys(themes) as ThemeName[])('can be read in the theme %s, whatever the colors', async (theme) => {
    const colors = [...Array(256).keys()].filter((index) => index < 16 || index % 9 === 0);
    const parts = colors.flatMap((color) => [
      `${escape}[38;5;${color}mfront${escape}[m`,
      `${escape}[48;5;${color}mback${escape}[m`,
      `${escape}[2;38;5;${color}mdim${escape}[m`,
      `${escape}[7;38;5;${color}minverse${escape}[m`,
      `${escape}[38;5;${color};48;5;${(color * 7) % 256}mboth${escape}[m`,
    ]);
    const { code } = await openOutput(parts.join(' '), theme);
    const contrasts = await code.locator('span:not(.code-piece)').evaluateAll(readContrasts);
    expect(contrasts).toHaveLength(parts.length);
    expect(Math.min(...contrasts)).toBeGreaterThan(4.4);
  });

  it('shows what is left of overwritten lines, and copies everything', async () => {
    const text = `10%\r55%\r100%\nDownloading\r${escape}[KDone\n${escape}]8;;https://a.test\u0007link${escape}]8;;\u0007 a\0b`;
    const { page, code, posted } = await openOutput(text);
    expect(await code.innerText()).toBe('100%\nDone\nlink a\u2400b');
    expect(await code.locator('a').count()).toBe(0);
    await click(page.getByRole('button', { name: 'Copy' }).first());
    expect((await posted()).find(({ type }) => type === 'copy')).toEqual({ type: 'copy', text });
  });

  it('makes no elements of its text, and violates no policy', async () => {
    const hostile = '<img src=x onerror=alert(1)><script>alert(1)</script>';
    const { code } = await openOutput(
      `${escape}[31m${hostile}${escape}[m${escape}]0;${hostile}\u0007${escape}[38;2;1;2;${hostile}m`,
      'dark',
      'reported',
    );
    expect(await code.locator('*:not(span)').count()).toBe(0);
    expect(await code.innerText()).toContain(hostile);
  });

  it('is drawn in parts if it is long', async () => {
    const lines = Array.from({ length: 1_500 }, (_, at) => `${escape}[3${at % 8}mline ${at}${escape}[m`);
    const { code } = await openOutput(lines.join('\n'));
    await expect.poll(() => code.textContent()).toBe(lines.map((_, at) => `line ${at}`).join('\n'));
    expect(await code.locator('.code-piece').count()).toBe(8);
    expect(await code.locator('.code-piece').first().innerText()).toMatch(/\nline 199\n?$/);
  });

  it('is plain text without codes', async () => {
    const { code } = await openOutput('a\tb\nc');
    expect(await code.locator('span').count()).toBe(0);
  });
});

/** Draws output with only these variables of a theme, and returns the color and the background of each styled part. */
async function colorsOf(
  parts: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  theme = 'vscode-dark',
): Promise<readonly (readonly [color: string, background: string])[]> {
  const { page, tell } = await pages.open();
  await page.evaluate(
    ({ variables, theme }) => {
      document.documentElement.removeAttribute('style');
      for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
      document.body.className = theme;
    },
    { variables, theme },
  );
  const text = parts.map((part) => `${escape}[${part}mx${escape}[m`).join(' ');
  await tell(setup, conversation([row('m', [{ type: 'code', text }])]));
  return page.locator('article .code-block code span:not(.code-piece)').evaluateAll((all) => {
    const shown = (css: string) => (css === 'rgba(0, 0, 0, 0)' ? 'none' : css.slice('rgb('.length, -1));
    return all.map((one) => {
      const { color, backgroundColor } = getComputedStyle(one);
      return [shown(color), shown(backgroundColor)] as const;
    });
  });
}
const black = { '--vscode-editor-background': '#000000', '--vscode-editor-foreground': '#ffffff' };
const white = { '--vscode-editor-background': '#ffffff', '--vscode-editor-foreground': '#000000' };
const textColorsOf = async (...given: Parameters<typeof colorsOf>) =>
  (await colorsOf(...given)).map(([color]) => color);
const backgroundsOf = async (...given: Parameters<typeof colorsOf>) =>
  (await colorsOf(...given)).map(([, color]) => color);

describe('the colors of output', () => {
  it('are a cube and grays from the 17th on', async () => {
    const colors: readonly (readonly [number, string])[] = [
      ...([
        [16, '0, 0, 0'],
        [17, '0, 0, 95'],
        [21, '0, 0, 255'],
        [22, '0, 95, 0'],
        [51, '0, 255, 255'],
      ] as const),
      ...([
        [52, '95, 0, 0'],
        [88, '135, 0, 0'],
        [123, '135, 255, 255'],
        [231, '255, 255, 255'],
      ] as const),
      ...([
        [232, '8, 8, 8'],
        [243, '118, 118, 118'],
        [255, '238, 238, 238'],
      ] as const),
    ];
    expect(await backgroundsOf(colors.map(([index]) => `48;5;${index}`))).toEqual(colors.map(([, color]) => color));
  });

  const usual = [
    ...['0, 0, 0', '205, 49, 49', '13, 188, 121', '229, 229, 16', '36, 114, 200', '188, 63, 188', '17, 168, 205'],
    ...['229, 229, 229', '102, 102, 102', '241, 76, 76', '35, 209, 139', '245, 245, 67', '59, 142, 234'],
    ...['214, 112, 214', '41, 184, 219', '229, 229, 229'],
  ];
  const all = usual.map((_, index) => `48;5;${index}`);

  it('are those of VS Code if the theme has none, or none that can be read', async () => {
    expect(await backgroundsOf(all)).toEqual(usual);
    const unreadable = [
      ...['red', 'rgb(1, 2)', 'rgb(1, b, 3)', '#12', '#1234567890', 'x#123456', 'rgb(1, 2, 3) x'],
      'x rgb(1, 2, 3)',
    ];
    const names = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];
    const variables = names.map((name, index) => [`--vscode-terminal-ansi${name}`, unreadable[index] ?? ''] as const);
    expect(await backgroundsOf(all, Object.fromEntries(variables))).toEqual(usual);
  });

  it('are those of the theme, in each form in which VS Code writes colors', async () => {
    const theme = {
      '--vscode-terminal-ansiBlack': '#123',
      '--vscode-terminal-ansiRed': '#ABCDEF',
      '--vscode-terminal-ansiBrightBlack': '#12345678',
      '--vscode-terminal-ansiBrightCyan': 'rgba(1, 2, 3, 0.5)',
      '--vscode-terminal-ansiBrightWhite': 'rgb(4 5 6)',
    };
    const expected = [...['17, 34, 51', '171, 205, 239'], ...usual.slice(2)];
    expected[8] = '18, 52, 86';
    expected[14] = '1, 2, 3';
    expected[15] = '4, 5, 6';
    expect(await backgroundsOf(all, theme)).toEqual(expected);
  });

  const foreground = (...color: readonly number[]) => `38;2;${color.join(';')}`;

  it('are changed towards white or black only as far as they can be read', async () => {
    const onBlack = [
      [67, 67, 67],
      [116, 116, 116],
      [117, 117, 117],
      [0, 0, 204],
      [150, 0, 0],
      [0, 100, 0],
    ] as const;
    expect(
      await textColorsOf(
        onBlack.map((color) => foreground(...color)),
        black,
      ),
    ).toEqual([
      ...['123, 123, 123', '130, 130, 130', '117, 117, 117', '102, 102, 224', '192, 102, 102', '77, 147, 77'],
    ]);
    const onWhite = [
      [187, 187, 187],
      [118, 118, 118],
      [0, 220, 0],
      [255, 120, 120],
    ] as const;
    expect(
      await textColorsOf(
        onWhite.map((color) => foreground(...color)),
        white,
        'vscode-light',
      ),
    ).toEqual([...['112, 112, 112', '118, 118, 118', '0, 132, 0', '179, 84, 84']]);
  });

  it.each(['vscode-high-contrast', 'vscode-high-contrast-light'])('have more contrast in %s', async (theme) => {
    const grays = [67, 148, 149].map((value) => foreground(value, value, value));
    expect(await textColorsOf(grays, black, theme)).toEqual(['161, 161, 161', '159, 159, 159', '149, 149, 149']);
    const gray = `48;2;119;119;119;${foreground(119, 0, 0)}`;
    expect(await colorsOf([gray], black, theme)).toEqual([['0, 0, 0', '119, 119, 119']]);
  });

  it('are mixed with the background if they are dim, and exchanged with it if they are inverse', async () => {
    const parts = ['2', '7', `7;${foreground(255, 255, 0)}`, '7;48;2;0;0;90', '2;48;2;0;0;90', '2;7;48;2;0;0;90'];
    expect(await colorsOf(parts, black)).toEqual([
      ['153, 153, 153', 'none'],
      ['0, 0, 0', '255, 255, 255'],
      ['0, 0, 0', '255, 255, 0'],
      ['0, 0, 90', '255, 255, 255'],
      ['153, 153, 189', '0, 0, 90'],
      ['102, 102, 156', '255, 255, 255'],
    ]);
  });

  it('are compared with the background of code', async () => {
    const code = { ...black, '--vscode-textCodeBlock-background': 'rgba(255, 255, 255, 0.2)' };
    expect(await colorsOf(['7', '2'], code)).toEqual([
      ['51, 51, 51', '255, 255, 255'],
      ['173, 173, 173', 'none'],
    ]);
    expect(await textColorsOf(['7'], { ...code, '--vscode-textCodeBlock-background': '#ff000033' })).toEqual([
      '51, 0, 0',
    ]);
    expect(await textColorsOf(['7'], { ...code, '--vscode-textCodeBlock-background': '#010203' })).toEqual(['1, 2, 3']);
  });

  it('do not need a theme', async () => {
    expect(await colorsOf(['7', '2'])).toEqual([
      ['31, 31, 31', '204, 204, 204'],
      ['135, 135, 135', 'none'],
    ]);
    expect(await colorsOf(['7'], {}, 'vscode-light')).toEqual([['255, 255, 255', '59, 59, 59']]);
  });

  it('belong to the text or to its background, whatever their numbers', async () => {
    const parts = ['31', '41', '38;5;1;48;5;23', '38;5;12;48;5;3'];
    expect(await backgroundsOf(parts, black)).toEqual(['none', '205, 49, 49', '0, 95, 95', '229, 229, 16']);
  });

  it('have one rule for each style, of 2,000 at most', async () => {
    const styles = Array.from({ length: 1_005 }, (_, at) => `48;2;0;${at >> 8};${at & 255}`);
    const parts = [...styles.flatMap((style) => [style, `7;${style}`]), styles[0] ?? ''];
    const { page, code } = await openOutput(parts.map((part) => `${escape}[${part}mx${escape}[m`).join(' '));
    const styled = code.locator('span:not(.code-piece)');
    const names = await styled.evaluateAll((all) => all.map((one) => one.getAttribute('class')));
    expect(names).toHaveLength(2_001);
    expect(new Set(names).size).toBe(2_000);
    const rules = () => page.evaluate(() => document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules]).length);
    expect(await rules()).toBe(2_000);
  });

  it('have no rules left when another conversation is shown', async () => {
    const { page, tell } = await openOutput(`${escape}[31mred`);
    const sheets = () => page.evaluate(() => document.adoptedStyleSheets.length);
    const before = await sheets();
    await tell(conversation([], { sessionId: 'ses_02' }));
    expect(await sheets()).toBe(before);
  });
});

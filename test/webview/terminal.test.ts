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
      document.body.classList.add('vscode-dark');
    });
    await expect.poll(() => css('blue', 'color')).toBe('rgb(170, 204, 255)');
    expect(before).not.toBe('rgb(170, 204, 255)');
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
  });

  it('is plain text without codes', async () => {
    const { code } = await openOutput('a\tb\nc');
    expect(await code.locator('span').count()).toBe(0);
  });
});

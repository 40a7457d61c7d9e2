import type { TerminalColor, TerminalStyle } from '../../shared/text/terminalText.ts';
import type { Disposable } from '../../shared/lifecycle.ts';

/**
 * The names of the theme's 8 colors for terminals, each of which also has a bright variant, as in VS Code's variables.
 */
const names = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];
/** VS Code's defaults, for themes without terminal colors. */
const defaults = [
  ...['#000000', '#cd3131', '#0dbc79', '#e5e510', '#2472c8', '#bc3fbc', '#11a8cd', '#e5e5e5'],
  ...['#666666', '#f14c4c', '#23d18b', '#f5f543', '#3b8eea', '#d670d6', '#29b8db', '#e5e5e5'],
];
/** The minimum contrast of text: that of VS Code's terminal and, in high contrast themes, that of these themes. */
const minContrast = 4.5;
const minHighContrast = 7;
/** Text in further styles is drawn without their colors. A program that uses more styles probably draws a picture. */
const maxStyles = 2_000;

type Rgb = readonly [red: number, green: number, blue: number];

/**
 * The colors of terminal output: a class for each combination of colors, whose rule follows the theme. The rules are in
 * a style sheet that a script fills, which the page's policy allows, unlike style attributes.
 */
export class TerminalColors implements Disposable {
  readonly #sheet = new CSSStyleSheet();
  readonly #styles = new Map<string, { readonly name: string; readonly style: TerminalStyle }>();
  readonly #themes = new MutationObserver(() => this.#update());
  #theme: Theme | undefined;

  constructor() {
    document.adoptedStyleSheets.push(this.#sheet);
    this.#themes.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
    this.#themes.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  }

  /** The class that gives text the colors of a style; undefined if it needs none, or if there are too many styles. */
  classOf(style: TerminalStyle): string | undefined {
    const { foreground, background, isDim = false, isInverse = false } = style;
    if (foreground === undefined && background === undefined && !isDim && !isInverse) return undefined;
    const key = [foreground, background, isDim, isInverse].join(' ');
    const known = this.#styles.get(key);
    if (known || this.#styles.size >= maxStyles) return known?.name;
    const added = { name: `terminal-${this.#styles.size}`, style };
    this.#styles.set(key, added);
    this.#addRule(added.name, style);
    return added.name;
  }

  dispose(): void {
    this.#themes.disconnect();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }

  #update(): void {
    this.#theme = undefined;
    this.#sheet.replaceSync('');
    for (const { name, style } of this.#styles.values()) this.#addRule(name, style);
  }

  #addRule(name: string, style: TerminalStyle): void {
    this.#theme ??= readTheme();
    const { color, ground } = colorsIn(this.#theme, style);
    const background = ground === undefined ? '' : `background-color: ${cssColor(ground)};`;
    this.#sheet.insertRule(`.${name} { color: ${cssColor(color)}; ${background} }`);
  }
}

/** The colors of a theme for terminal output, and the minimum contrast of text. */
interface Theme {
  readonly palette: readonly Rgb[];
  readonly color: Rgb;
  readonly ground: Rgb;
  readonly minContrast: number;
}

function readTheme(): Theme {
  const values = getComputedStyle(document.body);
  const read = (name: string) => readColor(values.getPropertyValue(name));
  const isDark = !document.body.classList.contains('vscode-light');
  const page = read('--lineside-ground') ?? read('--vscode-editor-background');
  const behind: Rgb = page?.rgb ?? (isDark ? [31, 31, 31] : [255, 255, 255]);
  const block = read('--vscode-textCodeBlock-background');
  const brightness = ['ansi', 'ansiBright'];
  return {
    palette: brightness.flatMap((kind, bright) =>
      names.map((name, index) => {
        const own = read(`--vscode-terminal-${kind}${name}`) ?? readColor(defaults[bright * 8 + index] ?? '');
        return own?.rgb ?? behind;
      }),
    ),
    color: read('--vscode-editor-foreground')?.rgb ?? (isDark ? [204, 204, 204] : [59, 59, 59]),
    ground: block ? mixed(behind, block.rgb, block.alpha) : behind,
    minContrast: document.body.matches('.vscode-high-contrast, .vscode-high-contrast-light')
      ? minHighContrast
      : minContrast,
  };
}

function colorsIn(theme: Theme, style: TerminalStyle): { readonly color: Rgb; readonly ground: Rgb | undefined } {
  const { foreground, background, isDim = false, isInverse = false } = style;
  const [text, back] = [colorOf(foreground, theme) ?? theme.color, colorOf(background, theme)];
  const ground = isInverse ? text : back;
  const color = isInverse ? (back ?? theme.ground) : text;
  const behind = ground ?? theme.ground;
  const shown = isDim ? mixed(color, behind, dimness) : color;
  return { color: readable(shown, behind, theme.minContrast), ground };
}

/** The share of the background in dim text. */
const dimness = 0.4;

function colorOf(color: TerminalColor | undefined, { palette }: Theme): Rgb | undefined {
  if (typeof color === 'string') return readColor(color)?.rgb;
  if (color === undefined || color < 16) return color === undefined ? undefined : palette[color];
  if (color >= 232) return gray((color - 232) * 10 + 8);
  // A cube with six levels of each color.
  const level = (place: number) => {
    const step = Math.floor((color - 16) / place) % 6;
    return step === 0 ? 0 : step * 40 + 55;
  };
  return [level(36), level(6), level(1)];
}

function gray(value: number): Rgb {
  return [value, value, value];
}

/** The color or, if its contrast is too low, a mixture with as little black or white as the contrast requires. */
function readable(color: Rgb, ground: Rgb, contrast: number): Rgb {
  if (contrastOf(color, ground) >= contrast) return color;
  const [white, black] = [gray(255), gray(0)];
  const end = contrastOf(white, ground) > contrastOf(black, ground) ? white : black;
  for (let share = 0.1; share < 1; share += 0.1) {
    const lighter = mixed(color, end, share);
    if (contrastOf(lighter, ground) >= contrast) return lighter;
  }
  return end;
}

/** The contrast of two colors, from 1 to 21, by WCAG 2. */
function contrastOf(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Rgb): number {
  const linear = (place: 0 | 1 | 2) => {
    const part = color[place] / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2);
}

function mixed(one: Rgb, other: Rgb, share: number): Rgb {
  const mix = (place: 0 | 1 | 2) => Math.round(one[place] * (1 - share) + other[place] * share);
  return [mix(0), mix(1), mix(2)];
}

/**
 * Reads a color as VS Code writes it: `#rgb`, `#rrggbb`, `#rrggbbaa`, or `rgba(r, g, b, a)`. Undefined for other text.
 */
function readColor(text: string): { readonly rgb: Rgb; readonly alpha: number } | undefined {
  const hex = /^#([\da-f]{3,8})$/i.exec(text.trim())?.[1];
  const digits = hex && hex.length < 6 ? hex.replace(/./g, '$&$&') : hex;
  const values = digits
    ? (digits.match(/../g) ?? []).map((part, index) => parseInt(part, 16) / (index === 3 ? 255 : 1))
    : (/^rgba?\(([^)]*)\)$/.exec(text.trim())?.[1]?.split(/[\s,/]+/) ?? []).map(Number);
  const [red, green, blue, alpha = 1] = values;
  if (red === undefined || green === undefined || blue === undefined || values.some(Number.isNaN)) return undefined;
  return { rgb: [red, green, blue], alpha };
}

function cssColor(color: Rgb): string {
  return `rgb(${color.join(' ')})`;
}

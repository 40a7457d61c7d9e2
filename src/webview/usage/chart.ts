import type { UsageChart } from '../../shared/protocol/usageMessages.ts';
import { withBidiCodes } from '../dom/bidiCodes.ts';
import { element } from '../dom/element.ts';

const svg = 'http://www.w3.org/2000/svg';
const widthUnits = 600;
const heightUnits = 160;
/** Maximum width of a bar with its gap. If a few bars filled the chart, they would look like a single area. */
const maxStepUnits = 48;

/** A chart with a heading, axes, and a legend. For screen readers, it is one image: the tables contain its numbers. */
export function chartNode(chart: UsageChart): HTMLElement {
  const legend = chart.legend.map((name, place) =>
    element('li', {}, element('span', { class: `swatch series-${place}`, 'aria-hidden': 'true' }), name),
  );
  const image = shape('svg', {
    class: 'chart',
    viewBox: `0 0 ${widthUnits} ${heightUnits}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': chart.summary,
  });
  image.append(...grid(chart), ...(chart.kind === 'bars' ? bars(chart) : lines(chart)));
  return element(
    'section',
    {},
    element('h2', {}, chart.caption),
    element(
      'div',
      { class: 'chart-frame' },
      // Screen readers get the label of the image and the tables instead of the axes.
      element('div', { class: 'chart-scale', 'aria-hidden': 'true' }, ...chart.ticks.map(tickNode).reverse()),
      image,
      element(
        'div',
        { class: 'chart-times', 'aria-hidden': 'true' },
        ...chart.times.map((time) => element('span', {}, time)),
      ),
    ),
    element('ul', { class: 'legend' }, ...legend),
  );
}

function tickNode({ label }: UsageChart['ticks'][number]): HTMLElement {
  return element('span', {}, label);
}

/** The value at the top of the chart. */
function topOf({ ticks }: UsageChart): number {
  return ticks.reduce((top, { value }) => Math.max(top, value), 1);
}

function grid(chart: UsageChart): SVGElement[] {
  return chart.ticks.map(({ value }) => {
    const y = heightUnits * (1 - value / topOf(chart));
    return shape('line', { class: 'grid', x1: 0, x2: widthUnits, y1: y, y2: y });
  });
}

function bars(chart: UsageChart): SVGElement[] {
  const { points } = chart;
  const stepUnits = Math.min(maxStepUnits, widthUnits / points.length);
  const gapUnits = Math.min(6, stepUnits * 0.2);
  return points.map(({ label, values }, place) => {
    const group = shape('g', {});
    group.append(shape('title', {}, withBidiCodes(label)));
    let top = heightUnits;
    for (const [series, value] of values.entries()) {
      const height = (value / topOf(chart)) * heightUnits;
      top -= height;
      const box = { x: place * stepUnits + gapUnits / 2, y: top, width: stepUnits - gapUnits, height };
      if (height > 0) group.append(shape('rect', { class: `series-${series}`, ...box }));
    }
    return group;
  });
}

function lines(chart: UsageChart): SVGElement[] {
  const { points, legend } = chart;
  const from = points.reduce((first, { at = 0 }) => Math.min(first, at), Infinity);
  const to = points.reduce((last, { at = 0 }) => Math.max(last, at), -Infinity);
  const x = (at: number) => (to === from ? 0 : ((at - from) / (to - from)) * widthUnits);
  const y = (value: number) => heightUnits * (1 - value / topOf(chart));
  return legend.map((name, series) => {
    const corners = points.map(({ at = 0, values }) => `${x(at).toFixed(1)},${y(values[series] ?? 0).toFixed(1)}`);
    const line = shape('polyline', { class: `line series-${series}`, points: corners.join(' ') });
    line.append(shape('title', {}, withBidiCodes(name)));
    return line;
  });
}

function shape(tag: string, attributes: Readonly<Record<string, string | number>>, text = ''): SVGElement {
  const node = document.createElementNS(svg, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  if (text !== '') node.append(text);
  return node;
}

import type { UsageChart } from '../../pageContent.ts';
import { element } from '../element.ts';

const svg = 'http://www.w3.org/2000/svg';
const widthUnits = 600;
const heightUnits = 160;
/** A few bars do not fill the width: it would make them look like one. */
const widestStepUnits = 48;

/** A chart under its heading, with a legend. What it shows stands in the tables as well, so it is one picture to others. */
export function chartNode(chart: UsageChart): HTMLElement {
  const legend = chart.legend.map((name, place) =>
    element('li', {}, element('span', { class: `swatch series-${place}`, 'aria-hidden': 'true' }), name),
  );
  const picture = shape('svg', {
    class: 'chart',
    viewBox: `0 0 ${widthUnits} ${heightUnits}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': summaryOf(chart),
  });
  picture.append(...(chart.kind === 'bars' ? bars(chart) : lines(chart)));
  return element(
    'section',
    {},
    element('h2', {}, chart.caption),
    picture,
    element('ul', { class: 'legend' }, ...legend),
  );
}

function summaryOf({ caption, points }: UsageChart): string {
  const [first, last] = [points[0], points.at(-1)];
  return `${caption}. ${first?.label ?? ''} ${last && last !== first ? last.label : ''}`.trim();
}

function bars({ points }: UsageChart): SVGElement[] {
  const most = Math.max(1, ...points.map(({ values }) => values.reduce((total, value) => total + value, 0)));
  const stepUnits = Math.min(widestStepUnits, widthUnits / points.length);
  const gapUnits = Math.min(6, stepUnits * 0.2);
  return points.map(({ label, values }, place) => {
    const group = shape('g', {});
    group.append(shape('title', {}, label));
    let top = heightUnits;
    for (const [series, value] of values.entries()) {
      const height = (value / most) * heightUnits;
      top -= height;
      const box = { x: place * stepUnits + gapUnits / 2, y: top, width: stepUnits - gapUnits, height };
      if (height > 0) group.append(shape('rect', { class: `series-${series}`, ...box }));
    }
    return group;
  });
}

function lines({ points, legend }: UsageChart): SVGElement[] {
  const times = points.map(({ at = 0 }) => at);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const most = Math.max(1, ...points.flatMap(({ values }) => values));
  const x = (at: number) => (to === from ? 0 : ((at - from) / (to - from)) * widthUnits);
  const y = (value: number) => heightUnits - 2 - (value / most) * (heightUnits - 4);
  return legend.map((name, series) => {
    const corners = points.map(({ at = 0, values }) => `${x(at).toFixed(1)},${y(values[series] ?? 0).toFixed(1)}`);
    const line = shape('polyline', { class: `line series-${series}`, points: corners.join(' ') });
    line.append(shape('title', {}, name));
    return line;
  });
}

function shape(tag: string, attributes: Readonly<Record<string, string | number>>, text = ''): SVGElement {
  const made = document.createElementNS(svg, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== '') made.append(text);
  return made;
}

import type { LineList } from '../../shared/text/lines.ts';
import { MarkdownFences } from '../../shared/text/markdownFences.ts';
import { Pace, type PausableWork } from '../../shared/slices.ts';

/** A line with more characters neither opens nor closes a block. */
const longestLine = 8_000;
const fence = /^(`{3,}|~{3,})(?![`~])/;
const mayBeMarkdown = /^(?:`{3,}|~{3,})[ \t]*(?:markdown|md)/i;

/**
 * Lengthens the fences of code blocks of Markdown that contain fences of at least the same length, because previews
 * would end such a block at one of these. Changes `lines`, and returns it. Blocks that are indented, or in a list or
 * quote, stay as they are. Has pauses for `inSlices`.
 */
export function* lengthenedFences(lines: LineList): PausableWork<LineList> {
  const fences = new MarkdownFences();
  const pace = new Pace();
  let hasMarkdown = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines.get(index);
    if (pace.isOver(line.length)) yield;
    hasMarkdown ||= mayBeMarkdown.test(line);
    fences.read(line.length > longestLine ? '' : line);
  }
  if (!hasMarkdown) return lines;
  for (const [start, end] of fences.ends) {
    const signs = fence.exec(lines.get(start))?.[1];
    if (signs === undefined || fence.exec(lines.get(end))?.[1]?.startsWith(signs) !== true) continue;
    let longest = 0;
    for (let index = start + 1; index < end; index += 1) {
      const line = lines.get(index);
      if (pace.isOver(line.length)) yield;
      const [, inner = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
      if (inner.startsWith(signs)) longest = Math.max(longest, inner.length);
    }
    if (longest === 0) continue;
    const longer = signs.charAt(0).repeat(longest + 1);
    lines.set(start, longer + lines.get(start).slice(signs.length));
    lines.set(end, longer);
  }
  return lines;
}

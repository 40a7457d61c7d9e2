import { beforeEach, describe, expect, it, vi } from 'vitest';
import { window } from '../../../fakes/recordedEditor.ts';
import { askChoice } from '../../../../src/host/prompts/askChoice.ts';
import { askText } from '../../../../src/host/prompts/askText.ts';
import {
  linkTooltip,
  plainLabel,
  plainNotification,
  withoutIcons,
  withoutLinks,
} from '../../../../src/host/prompts/editorText.ts';
import { Picker, pickRow, pickRows } from '../../../../src/host/prompts/picker.ts';
import { whileWorking, withCancel, withViewProgress } from '../../../../src/host/prompts/progress.ts';
import { isolatedLine } from '../../../../src/shared/text.ts';
import { hostileLinks } from '../../../fakes/hostileLinks.ts';
import { leadsOut, tokensOf } from '../../../fakes/markdownLinks.ts';
import { recorded } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

beforeEach(() => {
  recorded.length = 0;
});

const hostile = '$(trash) [Fix](command:workbench.action.quit) ![x](https://evil.test/x.png)';
const withoutBoth = '\\$(trash) [Fix] (command:workbench.action.quit) ![x] (https://evil.test/x.png)';

/**
 * The images in Markdown without HTML, as in a hover, and the targets of its links that are neither web pages nor mail
 * addresses. Leaves out `ftp:`, which the parser turns into a link in any text, because VS Code asks before it opens
 * such a link.
 */
function hoverTargets(markdown: string): string[] {
  return tokensOf(markdown)
    .flatMap(({ children }) => children ?? [])
    .flatMap((token) => {
      if (token.type === 'image') return ['image'];
      return token.type === 'link_open' ? [String(token.attrGet('href'))] : [];
    })
    .filter((target) => !leadsOut(target) && !target.startsWith('ftp:'));
}

/** The hover of a link that was followed, as VS Code 1.110 writes it (`getHoverMessage` of `links.ts`). */
function followedHover(tooltip: string, target: string): string {
  const label = tooltip.replace(/\]/g, (sign, at: number) => (tooltip[at - 1] === '\\' ? sign : `\\${sign}`));
  return `[${label}](${target}) (ctrl + click)`;
}

describe('text of a service in VS Code (R7, R47)', () => {
  const lines = [
    ...hostileLinks,
    ...hostileLinks.map((link) => link.replaceAll(']', '\\\\]')),
    ...hostileLinks.map((link) => link.replaceAll(']', '\\\\\\]')),
  ].map((link) => isolatedLine(link, 300));

  it('has no link in the tooltip of a link, before and after the link was followed', () => {
    const own = 'file:///w/a.ts';
    const foreign = (tooltip: string) => hoverTargets(followedHover(tooltip, own)).filter((target) => target !== own);
    expect(lines.flatMap(foreign)).toContain('command:linesideProbe.canary');
    expect(lines.filter((line) => foreign(linkTooltip(`Open ${line}\n${line} on ${line}`)).length > 0)).toEqual([]);
    expect(foreign(linkTooltip('Open a\\\\](command:a'))).toEqual([]);
    expect(linkTooltip('Open src/[id]/a.ts\nC:\\src\\[id]\\a.ts')).toBe('Open src/[id]/a.ts\nC:\\src\\[id]\\a.ts');
  });

  it('has no link to a command or a file in the hover of a row or a terminal', () => {
    expect(lines.flatMap(hoverTargets)).toContain('file:///etc/passwd');
    expect(lines.filter((line) => hoverTargets(plainLabel(line)).length > 0)).toEqual([]);
    expect(plainLabel('<command:a> <FILE:///a> <b> a<b')).toBe('< command:a> < FILE:///a> <b> a<b');
  });

  it('has neither links nor icons, and stays the same the second time', () => {
    expect(withoutLinks(hostile)).toBe('$(trash) [Fix] (command:workbench.action.quit) ![x] (https://evil.test/x.png)');
    expect(plainLabel(hostile)).toBe(withoutBoth);
    expect(plainLabel(withoutBoth)).toBe(withoutBoth);
    expect(withoutIcons('$(a)$(b)\\$(c)')).toBe('\\$(a)\\$(b)\\$(c)');
    expect(plainNotification('Run `x` or [y](command:y)')).toBe("Run 'x' or [y] (command:y)");
  });

  it('is plain in input boxes, where links can run commands', async () => {
    await askText({
      title: 'Title',
      prompt: hostile,
      remark: { message: hostile, isWarning: true },
      check: () => ({ message: hostile, isWarning: false }),
    });
    expect(recorded.map(({ args }) => args)).toEqual([
      ['Title', withoutBoth, { message: withoutBoth, severity: 2 }],
      [{ message: withoutBoth, severity: 3 }],
    ]);
  });

  it('is plain in every text of a row, whose hover is Markdown', async () => {
    const row = () => ({ label: hostile, description: hostile, detail: hostile });
    const plain = { label: withoutBoth, description: withoutBoth, detail: withoutBoth };
    await pickRow([row()]);
    await pickRows([row()], { title: 'Many' });
    expect(recorded.map(({ args: [rows, options] }) => [rows, options])).toEqual([
      [[plain], {}],
      [[plain], { title: 'Many', canPickMany: true }],
    ]);
    const picker = new Picker({ title: 'Rows' });
    const rows = [{ ...row(), kind: -1 }, row()];
    picker.show(rows);
    picker.show(rows);
    await picker.ask({ accept: () => undefined });
    expect(recorded.at(-1)).toEqual({ what: 'picker', args: ['Rows', [{ ...row(), kind: -1 }, plain], [], undefined] });
    await askChoice({ title: '', placeholder: '', choices: [{ ...row(), value: 1 }] });
    expect(recorded.at(-1)?.args[1]).toEqual([{ ...plain, value: 1 }]);
  });

  it('is plain in progress', async () => {
    const reported: unknown[] = [];
    const withProgress = vi.spyOn(window, 'withProgress').mockImplementation(({ title }, run) => {
      recorded.push({ what: 'progress', args: [title] });
      return run({ report: (step: unknown) => reported.push(step) }, { onCancellationRequested: () => undefined });
    });
    await whileWorking(hostile, () => Promise.resolve());
    let end: () => void = () => undefined;
    const work = withCancel(hostile, (_signal, report) => {
      report(hostile);
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    await vi.waitUntil(() => reported.length === 1);
    end();
    await work;
    expect(recorded.map(({ args }) => args[0])).toEqual([withoutIcons(hostile), withoutLinks(hostile)]);
    expect(reported).toEqual([{ message: withoutLinks(hostile) }]);
    expect(await withViewProgress('a.view', () => Promise.resolve(1))).toBe(1);
    expect(withProgress).toHaveBeenCalledTimes(3);
  });
});

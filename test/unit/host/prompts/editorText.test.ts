import { beforeEach, describe, expect, it, vi } from 'vitest';
import { window } from '../../../fakes/recordedEditor.ts';
import { askChoice } from '../../../../src/host/prompts/askChoice.ts';
import { askText } from '../../../../src/host/prompts/askText.ts';
import { plainLabel, plainNotification, withoutIcons, withoutLinks } from '../../../../src/host/prompts/editorText.ts';
import { Picker, pickRow, pickRows } from '../../../../src/host/prompts/picker.ts';
import { whileWorking, withCancel, withViewProgress } from '../../../../src/host/prompts/progress.ts';
import { recorded } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

beforeEach(() => {
  recorded.length = 0;
});

const hostile = '$(trash) [Fix](command:workbench.action.quit) ![x](https://evil.test/x.png)';
const withoutBoth = '\\$(trash) [Fix] (command:workbench.action.quit) ![x] (https://evil.test/x.png)';

describe('text of a service in VS Code (R7, R47)', () => {
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
    expect(recorded.map(({ args }) => args)).toEqual([
      [[plain], {}],
      [[plain], { title: 'Many', canPickMany: true }],
    ]);
    const picker = new Picker({ title: 'Rows' });
    const rows = [{ ...row(), kind: -1 }, row()];
    picker.show(rows);
    picker.show(rows);
    await picker.ask({ accept: () => undefined });
    expect(recorded.at(-1)).toEqual({ what: 'picker', args: ['Rows', [{ ...row(), kind: -1 }, plain], []] });
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

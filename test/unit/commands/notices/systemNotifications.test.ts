import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { SystemNotifications } from '../../../../src/commands/notices/systemNotifications.ts';
import type { SystemNotification } from '../../../../src/host/systemNotifications/notifierCommand.ts';
import { runsOnOwnMachine } from '../../../../src/host/systemNotifications/ownMachine.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { configured, env, ExtensionKind, UIKind } from '../../../fakes/recordedEditor.ts';
import { t } from '../../state/samples.ts';

const { shown } = vi.hoisted(() => ({ shown: [] as SystemNotification[] }));

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));
vi.mock('../../../../src/host/systemNotifications/systemNotifier.ts', () => ({
  SystemNotifier: class {
    show(notification: SystemNotification): Promise<void> {
      shown.push(notification);
      return Promise.resolve();
    }
  },
}));

beforeEach(() => {
  vi.useFakeTimers();
  shown.length = 0;
  configured.set('lineside.notifications.system', true);
});
afterEach(() => {
  vi.useRealTimers();
  configured.clear();
  env.uiKind = UIKind.Desktop;
});

describe('notifications of the operating system', () => {
  it('repeat a sentence, with a link to its session', async () => {
    new SystemNotifications(true, silentLog, t).show('"Fix" finished.', 'vscode://x');
    await vi.runAllTimersAsync();
    expect(shown).toEqual([{ title: 'Lineside', body: '"Fix" finished.', link: 'vscode://x' }]);
  });

  it('become one if there are several within a second', async () => {
    const notifications = new SystemNotifications(true, silentLog, t);
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) notifications.show(`${name} finished.`, `vscode://${name}`);
    await vi.runAllTimersAsync();
    notifications.show('G finished.');
    await vi.runAllTimersAsync();
    expect(shown).toEqual([
      { title: 'Lineside', body: 'A finished.\nB finished.\nC finished.\nD finished.\nand 2 more', link: undefined },
      { title: 'Lineside', body: 'G finished.', link: undefined },
    ]);
  });

  it('are off by default', async () => {
    configured.clear();
    new SystemNotifications(true, silentLog, t).show('"Fix" finished.');
    await vi.runAllTimersAsync();
    expect(shown).toEqual([]);
  });

  it('are never shown on another machine', async () => {
    new SystemNotifications(false, silentLog, t).show('"Fix" finished.');
    await vi.runAllTimersAsync();
    expect(shown).toEqual([]);
  });
});

describe("the extension runs on the person's own machine", () => {
  const kinds: readonly (readonly [number, number, boolean])[] = [
    [UIKind.Desktop, ExtensionKind.UI, true],
    [UIKind.Desktop, ExtensionKind.Workspace, false],
    [UIKind.Web, ExtensionKind.UI, false],
    [UIKind.Web, ExtensionKind.Workspace, false],
  ];
  it.each(kinds)('user interface %i, extension kind %i: %s', (uiKind, extensionKind, isOwn) => {
    env.uiKind = uiKind;
    expect(runsOnOwnMachine({ extensionKind } as unknown as vscode.Extension<unknown>)).toBe(isOwn);
  });
});

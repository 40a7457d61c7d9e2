import { beforeEach, describe, expect, it, vi } from 'vitest';
import { person, recorded } from '../../../fakes/recordedEditor.ts';
import { untilAborted, withCancel } from '../../../../src/host/prompts/progress.ts';
import {
  choose,
  confirm,
  confirmUnexpected,
  showError,
  showInfo,
  showWarning,
} from '../../../../src/host/prompts/notify.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

beforeEach(() => {
  recorded.length = 0;
  person.clicks = undefined;
});

/** Texts of a service that VS Code would draw as links or code. */
const texts = [
  '[Update](command:workbench.action.quit)',
  '[a](https://evil.test "title")',
  'x](command:y) [z](file:///etc/passwd)',
  '`code`',
];
const shown: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
  showError: (text) => showError(text),
  showInfo: (text) => showInfo(text),
  showWarning: (text) => showWarning(text),
  confirm: (text) => confirm(text, 'detail', 'Yes'),
  confirmUnexpected: (text) => confirmUnexpected(text, 'detail', 'No', 'Yes'),
  'the detail of confirm': (text) => confirm('message', text, 'Yes'),
  choose: (text) => choose(text, 'detail', ['Yes']),
  'the title of progress': (text) => {
    person.clicks = 'Cancel';
    return withCancel(text, (signal) => untilAborted(new Promise(() => undefined), signal));
  },
  'the detail of choose': (text) => choose('message', text, ['Yes']),
};

/** The text that VS Code draws as a link in a notification: `[label](address)`. */
const link = /\[[^\]]*\]\([^)]*\)/;

describe.each(Object.entries(shown))('%s', (_, show) => {
  it.each(texts)('draws no link and no code from %j (R7)', async (text) => {
    await show(text);
    const all = JSON.stringify(recorded);
    expect(recorded).toHaveLength(1);
    expect(all).not.toMatch(link);
    expect(all).not.toContain('`');
    expect(all).toContain(text.replaceAll('`', "'").split('](').at(-1)?.slice(0, 4));
  });
});

it('work of a signal that is already aborted is not waited for', async () => {
  expect(await untilAborted(new Promise(() => undefined), AbortSignal.abort())).toBeUndefined();
});

it('runs the action of the clicked button only', async () => {
  const ran: string[] = [];
  const button = (label: string) => ({ label, run: () => ran.push(label) });
  person.clicks = 'Second';
  await showError('Failed.', button('First'), button('Second'));
  expect(ran).toEqual(['Second']);
  person.clicks = undefined;
  await showInfo('Done.', button('First'));
  expect(ran).toEqual(['Second']);
  expect(recorded.map(({ what }) => what)).toEqual(['error', 'information']);
});

it('confirms only if the confirm button is clicked, in a modal dialog', async () => {
  for (const [clicks, isConfirmed] of [
    ['Attach', true],
    ['Cancel', false],
    [undefined, false],
  ] as const) {
    person.clicks = clicks;
    expect(await confirm('Attach?', 'A link.', 'Attach')).toBe(isConfirmed);
  }
  for (const { args } of recorded) expect(args[1]).toMatchObject({ modal: true, detail: 'A link.' });
  person.clicks = 'Two';
  expect(await choose('Which?', '', ['One', 'Two'])).toBe('Two');
  expect(recorded.at(-1)?.args).toMatchObject(['Which?', { modal: true }, 'One', 'Two']);
});

it('refuses by the default button of an unexpected question, and by closing it', async () => {
  for (const [clicks, isConfirmed] of [
    ['Allow', true],
    ["Don't Allow", false],
    ['Cancel', false],
    [undefined, false],
  ] as const) {
    person.clicks = clicks;
    expect(await confirmUnexpected('Allow?', '[exactly](this)', "Don't Allow", 'Allow')).toBe(isConfirmed);
    // VS Code makes the first button the default.
    const asked = ['Allow?', { modal: true, detail: '[exactly](this)' }, "Don't Allow", 'Allow'];
    expect(recorded.at(-1)?.args).toEqual(asked);
  }
});

import { describe, expect, it } from 'vitest';
import { click, fill, focus, hover, press, type } from '../../../tools/editor/drive/act.ts';
import { monacoInput } from '../../../tools/editor/drive/workbench.ts';
import type { Workbench } from '../../../tools/editor/drive/workbench.ts';
import {
  addSessions,
  chooseInRow,
  clipboardText,
  connect,
  conversationOf,
  type ConversationPage,
  openFile,
  reloadByCommand,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { draftsOnDisk } from '../journey/keptFiles.ts';
import { chooseInMenu } from '../journey/pointing.ts';
import { useService } from '../journey/recordedService.ts';
import { editorShown, hasFocus, patiently, until } from '../journey/until.ts';

const service = useService();
const journey = useJourney();
const view = () => conversationOf(journey.workbench);

describe('reading tools', () => {
  const find = () => view().frame.getByRole('searchbox', { name: 'Find in Conversation' });
  const found = () => view().frame.locator('.find-count');

  it('find text in folds and unloaded messages with Ctrl+F, and leave Ctrl+F in editors unchanged', async () => {
    const { workbench } = journey;
    const { page } = workbench;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.history);
    await view().article('Turn 48').first().waitFor();
    await openFile(workbench, 'src/basket.ts');
    await press(view().log, 'Control+f');
    await fill(find(), 'extends Error {}');
    await expect.poll(() => found().innerText(), patiently).toMatch(/^\d+ of \d+$/);
    expect(await page.locator('.editor-widget.find-widget.visible').count()).toBe(0);
    // The match is in a tool result inside a folded group.
    await expect.poll(() => currentMatch(view()), patiently).toBe('extends Error {}');
    const count = await matchCount(view());
    await click(view().frame.getByRole('button', { name: 'Load All Messages' }));
    await expect.poll(() => matchCount(view()), patiently).toBeGreaterThan(count);
    await press(find(), 'Escape');
    await find().waitFor({ state: 'hidden' });
    await press(workbench.editorInput, 'Control+f');
    await page.locator('.editor-widget.find-widget.visible').waitFor();
    expect(await find().isVisible()).toBe(false);
    await press(page, 'Escape');
  });

  it('copy messages as Markdown or plain text, and reply with a quote', async () => {
    const { workbench } = journey;
    const answer = view().article('All 247 tests pass.').last();
    await press(view().log, 'End');
    await answer.waitFor();
    await chooseInRow(view(), answer, 'Copy');
    await expect.poll(() => clipboardText(workbench), patiently).toMatch(/^The \*\*tax\*\* module is done\./);
    await chooseInRow(view(), answer, 'Copy as Plain Text');
    await expect.poll(() => clipboardText(workbench), patiently).toMatch(/^The tax module is done\./);
    await workbench.start('lineside.copyConversation');
    await expect.poll(() => clipboardText(workbench), patiently).toMatch(/^## User, .*Turn 1: in[^]*### Assistant, /);
    await view().write('Before. ');
    await chooseInRow(view(), answer, 'Reply with Quote');
    await expect.poll(() => view().composer.inputValue(), patiently).toMatch(/^Before\. \n\n> The \*\*tax\*\* module/);
    await expect.poll(() => hasFocus(view().composer), patiently).toBe(true);
  });

  it('show or hide times as soon as the setting changes', async () => {
    const { workbench } = journey;
    const times = () => view().log.locator('time:visible').count();
    await expect.poll(times, patiently).toBeGreaterThan(0);
    await workbench.setSetting('lineside.conversation.times', 'never');
    await expect.poll(times, patiently).toBe(0);
    await workbench.setSetting('lineside.conversation.times', undefined);
    await expect.poll(times, patiently).toBeGreaterThan(0);
  });
});

// These tests continue in the window of the tests above, which is connected to the service and shows the session
// `history` with all its messages loaded.
describe('comments', () => {
  const strip = (label: string) => view().frame.getByRole('button', { name: label, exact: true });
  const field = (quote: string) => view().frame.getByRole('textbox', { name: `Comment on "${quote}"` });
  const prompt = 'Turn 48: ';
  const summary = () => view().frame.locator('.page-filter');
  const widget = () => journey.workbench.page.locator('.part.editor .review-widget');
  /** The marks of comment threads next to the visible lines of the document. */
  const threads = () => journey.workbench.page.locator('.part.editor .comment-range-glyph.comment-thread');
  /** Opens the first comment in the document, and shows its buttons. */
  const openComment = async () => {
    const comment = widget().locator('.review-comment');
    await until(
      () => comment.isVisible(),
      () => click(threads().first()),
    );
    await hover(comment);
    return comment;
  };

  it('are written on selected text of the conversation with a keyboard shortcut', async () => {
    const { workbench } = journey;
    await workbench.execute('workbench.action.closeAllEditors');
    await view().write('');
    await focus(view().log);
    await expect.poll(() => hasFocus(view().log), patiently).toBe(true);
    await selectText(view(), 'All 247 tests pass.');
    await until(
      () => field('All 247 tests pass.').isVisible(),
      async () => {
        await press(workbench.page, 'Control+k');
        // In a browser, a page doesn't pass key combinations for copying on to VS Code.
        const isDesktop = await workbench.page.evaluate(() => navigator.userAgent.includes('Electron'));
        await press(workbench.page, isDesktop ? 'Control+Alt+c' : 'Alt+c');
      },
    );
    await expect.poll(() => hasFocus(field('All 247 tests pass.')), patiently).toBe(true);
    await type(field('All 247 tests pass.'), 'Which of them are new?');
    await expect.poll(() => markedText(view()), patiently).toBe('All 247 tests pass.');
    await expect.poll(() => draftsOnDisk(journey.editor), patiently).toContain('Which of them are new?');
    await workbench.picture('comment on selected text');
    await press(workbench.page, 'Escape');
    await expect.poll(() => hasFocus(view().composer), patiently).toBe(true);
  });

  it('are written on lines of the document', async () => {
    const { workbench } = journey;
    await workbench.start('lineside.openConversationAsDocument');
    await editorShown(workbench, 'Tidy up the order service');
    await goToPrompt(workbench, prompt);
    await writeAtCaret(workbench, 'This was the task.');
    await strip('2 comments').waitFor();
    await expect.poll(() => threads().count(), patiently).toBe(1);
    await expect.poll(() => draftsOnDisk(journey.editor), patiently).toContain('This was the task.');
  });

  it('survive a reload, in the conversation and in the document, and so does the filter of messages', async () => {
    const { workbench } = journey;
    const { frame } = view();
    await chooseInMenu(
      frame.getByRole('button', { name: 'Filter Messages' }),
      frame.getByRole('menuitemradio', { name: 'Answers Only' }),
    );
    await expect.poll(() => summary().innerText(), patiently).toMatch(/^Answers Only: \d+ of \d+ messages$/);
    await expect.poll(() => view().log.locator('.is-steps').count(), patiently).toBe(0);
    await reloadByCommand(workbench);
    await workbench.focusView('lineside.conversation');
    await expect.poll(() => summary().innerText(), patiently).toMatch(/^Answers Only: \d+ of \d+ messages$/);
    await click(strip('2 comments'));
    expect(await field('All 247 tests pass.').inputValue()).toBe('Which of them are new?');
    // VS Code lists no headings while the restored document is still empty.
    const activeText = async () => {
      const active = (await workbench.execute('linesideProbe.activeText')) as { readonly text: string } | undefined;
      return active?.text;
    };
    await expect.poll(activeText, patiently).toContain(prompt);
    await goToPrompt(workbench, prompt);
    await expect.poll(() => threads().count(), patiently).toBe(1);
    await workbench.picture('comments after a reload');
  });

  it('are edited in the document', async () => {
    const { workbench } = journey;
    const comment = await openComment();
    await click(comment.getByRole('button', { name: 'Edit Comment' }));
    await press(comment.locator(monacoInput), 'Control+a');
    await type(comment.locator(monacoInput), 'This was my task.');
    await workbench.picture('edited comment in a document');
    await click(comment.getByRole('button', { name: 'Save Comment' }));
    const other = view().frame.getByRole('textbox', { name: /^Comment on "Turn 48: in/ });
    await expect.poll(() => other.inputValue(), patiently).toBe('This was my task.');
  });

  it('become one message with the text of the composer, and leave the draft', async () => {
    await view().say('Please answer both.');
    await expect.poll(() => service.posts().length, patiently).toBe(1);
    const [{ text } = { text: '' }] = service.posts();
    expect(text).toBe(
      [
        '> Turn 48: in `src/orders/tax.ts`, replace the class by functions.\n\nThis was my task.',
        '> All 247 tests pass.\n\nWhich of them are new?',
        'Please answer both.',
      ].join('\n\n'),
    );
    await strip('2 comments').waitFor({ state: 'hidden' });
    await expect.poll(() => threads().count(), patiently).toBe(0);
    await expect.poll(() => draftsOnDisk(journey.editor), patiently).toBe('');
  });

  it('are deleted in the document', async () => {
    const { workbench } = journey;
    await goToPrompt(workbench, prompt);
    await writeAtCaret(workbench, 'Never mind.');
    await strip('1 comment').waitFor();
    const comment = await openComment();
    await click(comment.getByRole('button', { name: 'Delete Comment' }));
    await strip('1 comment').waitFor({ state: 'hidden' });
    await expect.poll(() => threads().count(), patiently).toBe(0);
    await expect.poll(() => draftsOnDisk(journey.editor), patiently).toBe('');
  });
});

/** The text that is highlighted as the current match. */
function currentMatch({ log }: ConversationPage): Promise<string> {
  return log.evaluate(() => [...(CSS.highlights.get('lineside-match-current') ?? [])].map(String).join());
}

async function matchCount({ frame }: ConversationPage): Promise<number> {
  const said = await frame.locator('.find-count').innerText();
  return Number(/of ([\d,]+)/.exec(said)?.[1]?.replaceAll(',', '') ?? NaN);
}

/** Writes a comment on the line of the caret in the active editor. */
async function writeAtCaret(workbench: Workbench, text: string): Promise<void> {
  const { page } = workbench;
  const form = page
    .locator('.part.editor .review-widget')
    .filter({ has: page.getByText('Add Comment', { exact: true }) });
  await until(
    () => form.isVisible(),
    () => workbench.runCommand('Comments: Add Comment on Current Selection'),
  );
  await type(form.locator(`.comment-form ${monacoInput}`), text);
  await workbench.picture('comment in a document');
  await click(form.getByRole('button', { name: 'Add Comment' }));
  await form.waitFor({ state: 'detached' });
}

/** Goes to a heading of the document in the active editor. */
async function goToPrompt({ quickInput }: Workbench, prompt: string): Promise<void> {
  await quickInput.open(`@${prompt}`);
  await quickInput.activeRow.filter({ hasText: prompt }).waitFor();
  await quickInput.accept();
  await quickInput.widget.waitFor({ state: 'hidden' });
}

/** Selects this text in the last message that contains it. */
async function selectText({ log }: ConversationPage, text: string): Promise<void> {
  await log.evaluate((root, wanted) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let last: [Node, number] | undefined;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent?.lastIndexOf(wanted) ?? -1;
      if (at >= 0) last = [node, at];
    }
    if (last) document.getSelection()?.setBaseAndExtent(last[0], last[1], last[0], last[1] + wanted.length);
  }, text);
}

/** The text that is marked as commented. */
function markedText({ log }: ConversationPage): Promise<string> {
  return log.evaluate(() => [...(CSS.highlights.get('lineside-comment') ?? [])].map(String).join(''));
}

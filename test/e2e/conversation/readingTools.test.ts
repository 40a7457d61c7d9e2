import { describe, expect, it } from 'vitest';
import { click, fill, focus, press } from '../../../tools/editor/drive/act.ts';
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
import { useService } from '../journey/recordedService.ts';
import { chooseInMenu } from '../journey/pointing.ts';
import { hasFocus, patiently } from '../journey/until.ts';

describe('reading tools', () => {
  const service = useService();
  const journey = useJourney();
  const view = () => conversationOf(journey.workbench);
  const find = () => view().frame.getByRole('searchbox', { name: 'Find in conversation' });
  const found = () => view().frame.locator('.find-count');
  const summary = () => view().frame.locator('.page-filter');

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

  it('go to a selected prompt, and show the current prompt while scrolling', async () => {
    const { workbench } = journey;
    await focus(view().log);
    await workbench.start('lineside.goToPrompt');
    await workbench.quickInput.rows.filter({ hasText: 'Turn 48:' }).first().waitFor();
    await workbench.quickInput.fill('Turn 12:');
    await workbench.quickInput.activeRow.filter({ hasText: 'Turn 12:' }).waitFor();
    await workbench.quickInput.accept();
    await view().article('Turn 12:').first().waitFor();
    const current = view().frame.getByRole('button', { name: /^Current prompt: Turn 1\d:/ });
    await press(view().log, 'PageDown');
    await current.waitFor();
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
    await workbench.runCommand('Lineside: Copy Conversation');
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

  it('restore the message filter of a session after a reload', async () => {
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

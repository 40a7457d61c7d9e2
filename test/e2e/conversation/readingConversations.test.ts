import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { click, press } from '../../../tools/editor/drive/act.ts';
import type { ServiceAnswer } from '../../fakes/faultServer.ts';
import {
  addSessions,
  clipboardText,
  connect,
  conversationOf,
  type ConversationPage,
  openFile,
  reloadByCommand,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { treeRow } from '../journey/pointing.ts';
import { firstInView, offsetOf, scrollDown } from '../journey/readingPlace.ts';
import { useService } from '../journey/recordedService.ts';
import { patiently } from '../journey/until.ts';

/** Message text with scripts, links, and styles that must have no effect. */
const hostileText = [
  '<script>window.wasReached = "by a script"</script>',
  '<img src="x" onerror="window.wasReached = \'by an image\'">',
  '<a href="command:workbench.action.quit">press me</a> [or me](command:workbench.action.quit)',
  '<style>body { display: none }</style> the end of it',
].join('\n\n');

/** What `firstInView` finds if the list is scrolled to its start. */
const atStart = { position: 1, offsetPx: 0 };

describe('a conversation', () => {
  // The service lists the oldest messages first, so Lineside loads all of them.
  const service = useService({ messages: 3_000, order: 'asc' });
  const journey = useJourney({ settings: { 'lineside.polling.idleSeconds': 5 } });
  const view = () => conversationOf(journey.workbench);
  const tab = () => conversationOf(journey.workbench, 'editor');
  const longTitle = 'Tidy up the order service, one module at a time';

  it('shows its title, status, and model, numbers its messages, and copies code verbatim', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await view().article('The states of a session').waitFor();
    // The page header is updated after the messages, so wait for it.
    await expect.poll(() => view().title.innerText(), patiently).toBe('Edge cases: all types of content');
    await expect
      .poll(async () => (await view().status.innerText()).replace(/\s+/g, ' '), patiently)
      .toMatch(/^Idle as of [\d:]+( [AP]M)?$/);
    await view().button('Model: sonnet-large').waitFor();
    const last = view().log.getByRole('article').last();
    await expect.poll(() => last.getAttribute('aria-label'), patiently).toMatch(/^System message, .*\d/);
    // Of the 17 messages, one is for the model only and isn't shown, and the work of each turn is one row. The number
    // of rows is unknown until all messages have arrived.
    await expect.poll(() => last.getAttribute('aria-setsize'), patiently).toBe('8');
    await expect.poll(() => last.getAttribute('aria-posinset'), patiently).toBe('8');
    const answer = view().article('Like this; the index makes it cheap');
    await click(answer.locator('.code-block', { hasText: 'DELETE FROM' }).getByRole('button', { name: 'Copy' }));
    const code = "DELETE FROM sessions\nWHERE expires_at <= now() - interval '30 days'\nRETURNING id;";
    await expect.poll(() => clipboardText(workbench), patiently).toBe(code);
    await view().announcements.filter({ hasText: 'Copied' }).waitFor();
  });

  it('executes nothing that a message or title contains', async () => {
    const hostileTitle = '<img src=x onerror="top.wasReached=1"> $(bug) [go](command:x)';
    service.wire.addFault({
      method: 'GET',
      path: `/api/v0/sessions/${service.sessionIdByName.tests}`,
      fault: { kind: 'change', change: (answer) => withTitle(answer, hostileTitle) },
    });
    await service.post(service.sessionIdByName.tests, hostileText);
    await addSessions(journey.workbench, service.sessionIdByName.tests);
    await view().article('the end of it').first().waitFor();
    await expect.poll(() => view().title.innerText(), patiently).toBe(hostileTitle);
    const found = await view()
      .frame.locator('body')
      .evaluate((body) => ({
        reached: Reflect.get(window, 'wasReached') as unknown,
        scripts: body.querySelectorAll('script:not([nonce])').length,
        images: body.querySelectorAll('img[src="x"], [onerror]').length,
        styles: body.querySelectorAll('style').length,
        links: [...body.querySelectorAll('a')]
          .map((link) => link.getAttribute('href'))
          .filter((href) => href?.startsWith('command:')),
      }));
    expect(found).toEqual({ reached: undefined, scripts: 0, images: 0, styles: 0, links: [] });
    // Below an input box, VS Code turns such text into links, and runs their commands.
    const { quickInput } = journey.workbench;
    await journey.workbench.start('lineside.renameSession');
    const prompt = quickInput.message.filter({ hasText: 'the original title' });
    await prompt.waitFor();
    expect(await prompt.textContent()).toContain('$(bug) [go] (command:x)');
    expect(await prompt.locator('a, .codicon').count()).toBe(0);
    await quickInput.cancel();
    service.wire.clearFaults();
  });

  it('has a content security policy that blocks injected scripts, images, and styles', async () => {
    const violated = await view()
      .frame.locator('body')
      .evaluate(async (body) => {
        const directives = new Set<string>();
        document.addEventListener('securitypolicyviolation', (event) => directives.add(event.effectiveDirective));
        const script = document.createElement('script');
        script.textContent = 'window.wasReached = "by an injected script"';
        body.append(script);
        const box = document.createElement('div');
        box.innerHTML = '<img src="https://trap.example/a.png" onerror="window.wasReached = 1"><p style="color: red">';
        body.append(box);
        while (directives.size < 4) await new Promise((resolve) => requestAnimationFrame(resolve));
        script.remove();
        box.remove();
        return { directives: [...directives].sort(), reached: Reflect.get(window, 'wasReached') as unknown };
      });
    expect(violated).toEqual({
      directives: ['img-src', 'script-src-attr', 'script-src-elem', 'style-src-attr'],
      reached: undefined,
    });
  });

  it('moves to an editor tab, and the side bar says so', async () => {
    const { workbench } = journey;
    await addSessions(workbench, service.sessionIdByName.history);
    await view().article('Turn 600').first().waitFor();
    await workbench.runCommand('Lineside: Open Conversation in Editor');
    await workbench.page.locator('.part.editor .tab.active', { hasText: longTitle }).waitFor();
    await tab().article('Turn 600').first().waitFor();
    await scrollToStart(tab());
    const first = tab().article('Turn 1: in');
    expect(await first.getAttribute('aria-posinset')).toBe('1');
    // The turns are over, so each is a prompt, a line of work, and an answer.
    await expect.poll(() => first.getAttribute('aria-setsize'), patiently).toBe('1800');
    await view().frame.getByText('This conversation is open in an editor tab.').waitFor();
    expect(await view().composer.count()).toBe(0);
    await workbench.picture('conversation in an editor tab');
    // The row of the session opens the tab, even if another tab is active.
    await openFile(workbench, 'src/basket.ts');
    await workbench.focusView('lineside.sessions');
    const active = workbench.page.locator('.part.editor .tab.active', { hasText: longTitle });
    await click(treeRow(workbench, 'Tidy up the order service'), { effect: () => active.isVisible() });
  });

  it('is restored in its tab after a reload, at a reading position far from the end', async () => {
    const { workbench } = journey;
    // The page was hidden by another tab, so it starts again. A person can scroll only after it has
    // returned to its position.
    await expect.poll(() => driftPx(tab(), atStart), patiently).toBeLessThan(2);
    await scrollDown(tab(), 0.2 * (await tab().log.evaluate((scroller) => scroller.scrollHeight)));
    // Messages above the first one in view may change their heights, for example because a time wraps differently. The
    // first one in view stays in place.
    const before = await firstInView(tab());
    expect(before.position).toBeGreaterThan(1);
    // A page starts with the last thousand rows, and this row isn't among them.
    expect(before.position).toBeLessThan(800);
    await reloadByCommand(workbench);
    await view().frame.getByText('This conversation is open in an editor tab.').waitFor();
    await expect.poll(() => tab().title.innerText(), patiently).toBe(longTitle);
    await expect.poll(() => driftPx(tab(), before), patiently).toBeLessThan(2);
    expect(await doubles(tab())).toEqual([]);
  });

  it('moves back to the side bar with its draft, and the tab closes', async () => {
    const { workbench } = journey;
    await tab().write('Written in the tab');
    await click(view().button('Move to Side Bar'));
    await view().article('Turn 600').first().waitFor();
    await expect.poll(() => view().composer.inputValue(), patiently).toBe('Written in the tab');
    await workbench.page.locator('.part.editor .tab', { hasText: 'Tidy up' }).waitFor({ state: 'detached' });
    await view().write('Written in the side bar');
    await workbench.start('lineside.openConversationInEditor');
    await expect.poll(() => tab().composer.inputValue(), patiently).toBe('Written in the side bar');
    await tab().write('');
    await workbench.start('lineside.moveConversationToSideBar');
    await expect.poll(() => view().composer.inputValue(), patiently).toBe('');
  });

  it('keeps its reading position while it is hidden and when its view moves, and then shows new messages', async () => {
    const { workbench } = journey;
    const lastAnswer = 'All 799 tests pass.';
    await view().article(lastAnswer).waitFor();
    // The page begins with the last thousand rows, so a distance from the end would depend on when the others arrive.
    await scrollToStart(view());
    await scrollDown(view(), 0.3 * (await view().log.evaluate((scroller) => scroller.scrollHeight)));
    const before = await firstInView(view());
    expect(before.position).toBeGreaterThan(1);
    expect(before.position).toBeLessThan(800);
    await workbench.execute('workbench.action.closeAllEditors');
    await workbench.execute('workbench.action.toggleAuxiliaryBar');
    await workbench.page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    await service.post(service.sessionIdByName.history, 'Written while it was hidden');
    await workbench.execute('workbench.action.toggleAuxiliaryBar');
    // VS Code marks a page as part of a view only when it is first shown, so the page now counts as one in an editor.
    await expect.poll(() => driftPx(tab(), before), patiently).toBeLessThan(2);
    for (const [container, part] of [
      ['lineside', '.part.sidebar'],
      ['linesideConversation', '.part.auxiliarybar'],
    ] as const) {
      const destinationId = `workbench.view.extension.${container}`;
      await workbench.execute('vscode.moveViews', { viewIds: ['lineside.conversation'], destinationId });
      await expect.poll(() => isOver(view(), workbench.page.locator(part)), patiently).toBe(true);
      // If the other side bar is narrower, a message cut off at the top changes its height, so compare the first
      // message that begins in view.
      await expect.poll(() => driftPx(view(), before), patiently).toBeLessThan(2);
    }
    // The name of the button begins with the number of new messages if they arrived after the position was restored.
    await click(view().frame.getByRole('button', { name: 'Jump to Latest' }));
    await view().article('Written while it was hidden').waitFor();
    await view().article(lastAnswer).waitFor();
    expect(await view().article('Written while it was hidden').count()).toBe(1);
    expect(await doubles(view())).toEqual([]);
  });
});

/** How far the message at a position has moved, in px. A distance of 1 px can come from rounding. */
async function driftPx(page: ConversationPage, before: Awaited<ReturnType<typeof firstInView>>): Promise<number> {
  return Math.abs((await offsetOf(page, before.position)) - before.offsetPx);
}

/** Whether the page is within the horizontal bounds of a workbench part. VS Code lays webviews over parts. */
async function isOver({ log }: ConversationPage, part: Locator): Promise<boolean> {
  const [inner, outer] = [await log.boundingBox(), await part.boundingBox()];
  return inner !== null && outer !== null && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width + 1;
}

/**
 * Presses Home until the first message is at the top edge of the viewport. The browser animates the scrolling, and older
 * messages may still be arriving.
 */
async function scrollToStart(page: ConversationPage): Promise<void> {
  const placeAfterHome = async () => {
    await press(page.log, 'Home');
    return firstInView(page);
  };
  await expect.poll(placeAfterHome, patiently).toEqual(atStart);
  // The page may not know yet that the scrolling has ended.
  await scrollDown(page, 0);
}

/** Positions that more than one message reports. */
async function doubles({ log }: ConversationPage): Promise<string[]> {
  const places = await log
    .getByRole('article')
    .evaluateAll((articles) => articles.map((article) => article.getAttribute('aria-posinset') ?? 'none'));
  return places.filter((place, index) => places.indexOf(place) !== index);
}

function withTitle(answer: ServiceAnswer, title: string): ServiceAnswer {
  const session = JSON.parse(Buffer.from(answer.body).toString('utf8')) as object;
  return { ...answer, body: Buffer.from(JSON.stringify({ ...session, title })) };
}

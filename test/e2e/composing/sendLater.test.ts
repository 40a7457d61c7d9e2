import { describe, expect, it } from 'vitest';
import { click, fill } from '../../../tools/editor/drive/act.ts';
import { useJourney } from '../journey/journey.ts';
import { chooseInMenu, treeRow } from '../journey/pointing.ts';
import { HeldAgent, useService } from '../journey/recordedService.ts';
import { addSessions, chooseSession, connect, conversationOf, reloadByCommand } from '../journey/sessionSteps.ts';
import { patiently, untilIs } from '../journey/until.ts';

describe('a message that is sent later', () => {
  const agent = new HeldAgent();
  const service = useService({}, agent.reshape);
  const journey = useJourney({ settings: { 'lineside.polling.runningSeconds': 1 } });
  const conversation = () => conversationOf(journey.workbench);
  const texts = () => service.posts().map(({ text }) => text);
  const state = (text: string) => conversation().article(text).locator('.delivery-label');
  const action = (text: string, name: string) =>
    conversation().article(text).getByRole('button', { name, exact: true });
  const sendLater = async () => {
    const item = conversation().frame.getByRole('menuitem', { name: 'Send Later...' });
    await chooseInMenu(conversation().button('More Ways to Send'), item);
  };

  it('waits until another session is idle, and is then delivered once', async () => {
    const { workbench } = journey;
    const { login, selection } = service.sessionIdByName;
    const title = 'Edge cases: all types of content';
    agent.hold(login);
    await connect(workbench, service);
    await addSessions(workbench, `${selection}\n${login}`);
    await untilIs(() => conversation().title.innerText(), "Reject fruits that aren't on sale");
    await fill(conversation().composer, 'Now update the guide');
    await sendLater();
    await workbench.quickInput.row('When Another Session Is Idle...').waitFor();
    await workbench.picture('send later');
    await workbench.quickInput.pick('When Another Session Is Idle...');
    await chooseSession(workbench, title);
    await untilIs(
      async () => (await state('Now update the guide').innerText()).replace(/[\u2068\u2069]/g, ''),
      `Will be sent when "${title}" is idle`,
    );
    expect(await conversation().composer.inputValue()).toBe('');
    await workbench.focusView('lineside.sessions');
    await treeRow(workbench, /1 scheduled/).waitFor();
    await workbench.picture('scheduled message');
    await reloadByCommand(workbench);
    await state('Now update the guide').filter({ hasText: 'is idle' }).waitFor();
    expect(texts()).toEqual([]);
    agent.release();
    await expect.poll(texts, patiently).toEqual(['Now update the guide']);
    await expect.poll(() => service.newest(selection), patiently).toMatchObject({ status: 'idle' });
    await conversation().article('Now update the guide').waitFor();
    await state('Now update the guide').waitFor({ state: 'detached' });
    expect(texts()).toEqual(['Now update the guide']);
  });

  it('waits for a time that can be changed, returns to the composer, and can be sent now', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await fill(conversation().composer, 'And the changelog');
    await workbench.runCommand('Lineside: Send Later...');
    await quickInput.pick('At a Time...');
    await quickInput.enter('never', 'your time zone');
    await quickInput.message.filter({ hasText: 'Enter a time, for example' }).waitFor();
    await quickInput.enter('30m');
    await state('And the changelog')
      .filter({ hasText: /^Will be sent (at|on) / })
      .waitFor();
    await click(action('And the changelog', 'Change Time...'));
    await quickInput.pick('Tomorrow Morning');
    await state('And the changelog').filter({ hasText: 'Will be sent on' }).waitFor();
    await click(action('And the changelog', 'Edit'));
    await untilIs(() => conversation().composer.inputValue(), 'And the changelog');
    await conversation().article('And the changelog').waitFor({ state: 'detached' });
    await sendLater();
    await quickInput.pick('In 1 Hour');
    await untilIs(() => conversation().composer.inputValue(), '');
    const before = texts().length;
    const since = () => texts().slice(before);
    await conversation().say('First the tests');
    await expect.poll(since, patiently).toEqual(['First the tests']);
    await click(action('And the changelog', 'Send Now'));
    await expect.poll(since, patiently).toEqual(['First the tests', 'And the changelog']);
    await state('And the changelog').waitFor({ state: 'detached' });
    expect(since()).toEqual(['First the tests', 'And the changelog']);
  });
});

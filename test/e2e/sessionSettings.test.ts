import { describe, expect, it } from 'vitest';
import { addSessions, clearNotifications, connect, conversationOf } from './deckSteps.ts';
import { useJourney } from './journey.ts';
import { useService } from './recordedService.ts';

describe('Edit Session Settings', () => {
  const service = useService({ patch: 'merge' });
  const journey = useJourney();

  it('shows the settings as the service has them', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await conversationOf(workbench).article('The states of a session').waitFor();
    await workbench.runCommand('Session Deck: Edit Session Settings...');
    await quickInput.rows.filter({ hasText: 'Run in Worktree' }).waitFor();
    const rows = (await quickInput.rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ''));
    expect(rows).toEqual(['Modelsonnet-large', 'SpecModeModelopus-planner', 'RuninWorktreeOff']);
  });

  it('sends only the field that was changed, and shows the answer', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await quickInput.pick('Model');
    await quickInput.pick('Other...');
    await quickInput.enter('haiku-small', 'A model identifier of the service.');
    await workbench.notification('Model is now haiku-small.').waitFor();
    expect(service.patches()).toEqual([{ sessionSettings: { model: 'haiku-small' } }]);
    await conversationOf(workbench).status.filter({ hasText: 'haiku-small' }).waitFor();
    await quickInput.pick('Spec Mode Model');
    await quickInput.pick('haiku-small');
    await workbench.notification('Spec Mode Model is now haiku-small.').waitFor();
    await quickInput.pick('Run in Worktree');
    await quickInput.pick('On');
    await workbench.notification('Run in Worktree is now On.').waitFor();
    expect(service.patches().slice(1)).toEqual([
      { sessionSettings: { specModeModel: 'haiku-small' } },
      { sessionSettings: { runInWorktree: true } },
    ]);
    await quickInput.rows.filter({ hasText: 'Run in Worktree' }).filter({ hasText: 'On' }).waitFor();
    await quickInput.cancel();
    await quickInput.widget.waitFor({ state: 'hidden' });
    await clearNotifications(workbench);
  });

  it('says which other settings a service dropped that replaces them all', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await service.restart({ patch: 'replace', token: service.token });
    await workbench.runCommand('Session Deck: Edit Session Settings...');
    await quickInput.pick('Model');
    await quickInput.pick('Other...');
    await quickInput.enter('haiku-small', 'A model identifier of the service.');
    const toast = workbench.notification(
      'Model is now haiku-small. With this change the service dropped other settings:',
    );
    await toast.waitFor();
    const told = await toast.innerText();
    for (const name of ['specModeModel', 'tags', 'enabledToolIds']) expect(told).toContain(name);
    expect(service.patches().at(-1)).toEqual({ sessionSettings: { model: 'haiku-small' } });
    await quickInput.cancel();
    await quickInput.widget.waitFor({ state: 'hidden' });
    await clearNotifications(workbench);
  });

  it('says what it did not change when the service refuses, and never asks twice', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const before = service.patches().length;
    service.wire.addFault({ method: 'PATCH', fault: { kind: 'answer', status: 500, body: '{"detail":"no"}' } });
    await workbench.runCommand('Session Deck: Edit Session Settings...');
    await quickInput.pick('Run in Worktree');
    await quickInput.pick('On');
    await workbench.notification('The service answered with an error (500). The service says: no').waitFor();
    expect(service.patches().length).toBe(before + 1);
    service.wire.clearFaults();
    await clearNotifications(workbench);
  });
});

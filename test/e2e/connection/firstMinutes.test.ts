import { describe, expect, it } from 'vitest';
import { click, press } from '../../../tools/editor/drive/act.ts';
import { treeRow } from '../journey/pointing.ts';
import { conversationOf, selectLines } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { patiently } from '../journey/until.ts';

const mainTitle = "Reject fruits that aren't on sale";

describe('the first minutes', () => {
  const service = useService();
  const journey = useJourney();
  const welcome = () => journey.workbench.page.locator('.part.sidebar .welcome-view-content');
  const view = () => conversationOf(journey.workbench);

  it('begin with one button in each view', async () => {
    const { workbench } = journey;
    await workbench.focusView('lineside.conversation');
    await view().button('Connect to Service...').waitFor();
    expect(await view().frame.locator('.button.is-primary').allInnerTexts()).toEqual(['Connect to Service...']);
    await workbench.focusView('lineside.sessions');
    expect(await welcome().locator('.monaco-button').allInnerTexts()).toEqual(['Connect to Service...']);
  });

  it('continue with a demo that opens on a selection, edits, and an answer', async () => {
    const { workbench } = journey;
    await click(welcome().getByText('Try the demo'));
    await view().article('Both tests pass.').waitFor();
    expect(await view().title.innerText()).toBe(mainTitle);
    await view().article('basket.ts#L15-L20').waitFor();
    await view().log.getByRole('button', { name: 'Edited 2 files, ran 1 command' }).waitFor();
    await view().frame.getByRole('button', { name: '2 files +5 −1' }).waitFor();
    await expect.poll(() => treeRow(workbench, mainTitle).getAttribute('aria-selected'), patiently).toBe('true');
  });

  it('show in the tree which session needs the user, and name the edge cases', async () => {
    const { workbench } = journey;
    await treeRow(workbench, /^\s*Needs You\s*$/).waitFor();
    await expect
      .poll(() => treeRow(workbench, 'Show prices in two currencies').getAttribute('aria-label'), patiently)
      .toContain('may be waiting for you');
    await treeRow(workbench, 'Edge cases: all types of content').waitFor();
    // A child session is listed below its parent only.
    expect(await treeRow(workbench, 'Write tests for the redirect guard').count()).toBe(0);
  });

  it('answer a message and a selection, and say that the agent is scripted', async () => {
    const { workbench } = journey;
    await view().say('What can you do?');
    await view().article('This agent is scripted').waitFor();
    await selectLines(workbench, 'src/basket.ts', 15, 20);
    await press(workbench.editorInput, 'Control+K');
    await press(workbench.editorInput, 'Control+Enter');
    await workbench.quickInput.enter('Is this right?', `Message to "${mainTitle}"`);
    await view().article('I received one attachment').waitFor();
  });

  it('lead from the demo to a service and its first session in one flow', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await workbench.runCommand('Lineside: Connect to Service...');
    // An address without a scheme is completed.
    await quickInput.enter(new URL(service.baseUrl).host, 'Enter the base URL');
    await quickInput.enter(service.token, 'API key');
    await quickInput.enter(service.sessionIdByName.selection, `Connected to ${service.baseUrl}.`);
    await view().article('Both tests pass.').waitFor();
    expect(await view().article('What can you do?').count()).toBe(0);
    await expect.poll(() => treeRow(workbench, mainTitle).count(), patiently).toBe(1);
    await expect.poll(() => treeRow(workbench, 'Edge cases').count(), patiently).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { editorShown, patiently } from '../journey/until.ts';

describe("the agent's work", () => {
  // With the usual delay, the long task of the running agent would be finished before its plan is shown.
  const service = useService({ agentDelayMs: 1_000 });
  const journey = useJourney();
  const view = () => conversationOf(journey.workbench);
  const button = (name: string | RegExp) => view().log.getByRole('button', { name });

  it('is one line in a finished turn, which expands to steps', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.basket);
    await view().article('The file is now').waitFor();
    const summary = button('Edited 5 files, ran 2 commands, 2 failed');
    await expect.poll(() => summary.count(), patiently).toBe(1);
    await workbench.picture('steps-collapsed');
    await click(summary);
    await button('Created src/voucher.ts +13 −0').waitFor();
    await view().log.getByText('The text to replace was not found in src/basket.ts.').waitFor();
    await workbench.picture('steps-expanded');
  });

  it('includes the arguments and the result of each step', async () => {
    await click(button(/^Edited src\/basket\.ts \+/).first());
    await view().log.getByText('+export function total(lines: readonly Line[], voucher?: Voucher): number {').waitFor();
    await journey.workbench.picture('step-open');
  });

  it('shows the files that were changed in a turn', async () => {
    const { workbench } = journey;
    await click(button(/\d files \+/).last());
    await editorShown(workbench, /voucher|changes/i);
    await workbench.picture('turn-changes');
  });

  it('includes the plan of a running agent above the composer', async () => {
    const { workbench } = journey;
    await addSessions(workbench, service.sessionIdByName.running);
    await view().status.filter({ hasText: 'Running' }).waitFor();
    const plan = view().frame.getByRole('button', { name: /^Plan: \d of \d done/ });
    await click(plan);
    await view().frame.getByRole('list', { name: 'Plan' }).getByRole('listitem').first().waitFor();
    await workbench.picture('plan');
    await click(plan);
  });
});

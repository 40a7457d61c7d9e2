import { beforeEach, expect, it, vi } from 'vitest';
import { Consent } from '../../../../src/commands/languageModel/consent.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { commands, recorded, window } from '../../../fakes/recordedEditor.ts';
import { key, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

beforeEach(() => {
  recorded.length = 0;
});

it('shows one message at a time, so that the user reads the one that the dialog asks about', async () => {
  let answer: (clicked: string | undefined) => void = () => undefined;
  const dialog = vi.spyOn(window, 'showWarningMessage').mockImplementation(() => {
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  const open = vi.spyOn(commands, 'executeCommand');
  const consent = new Consent({ store: new Store(memoryBodies()), t });
  const token = { isCancellationRequested: false };
  const long = (text: string) => `${text}\n`.repeat(30);
  const answers = Promise.all([
    consent.maySend(key, long('harmful'), token),
    consent.maySend(key, long('harmless'), token),
    consent.maySend(key, long('canceled'), { isCancellationRequested: true }),
  ]);
  await vi.waitUntil(() => dialog.mock.calls.length === 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect([dialog.mock.calls.length, open.mock.calls.length]).toEqual([1, 1]);
  answer(undefined);
  await vi.waitUntil(() => dialog.mock.calls.length === 2);
  expect(open.mock.calls.length).toBe(2);
  answer('Send');
  expect(dialog.mock.calls.length).toBe(2);
  expect(await answers).toEqual([false, true, false]);
});

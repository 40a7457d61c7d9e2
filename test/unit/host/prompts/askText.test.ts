import { expect, it, vi } from 'vitest';
import { askText } from '../../../../src/host/prompts/askText.ts';
import { window } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

it('resolves to the text that was entered when another quick input hides the input box', async () => {
  let hide: () => void = () => undefined;
  const box = {
    value: '',
    onDidAccept: vi.fn(),
    onDidTriggerButton: vi.fn(),
    onDidChangeValue: vi.fn(),
    onDidHide: (listener: () => void) => (hide = listener),
    show: vi.fn(),
    // As in VS Code, disposing of an input box hides it.
    dispose: vi.fn().mockImplementationOnce(() => hide()),
  };
  vi.spyOn(window, 'createInputBox').mockReturnValue(box as never);
  const answer = askText({ title: 'Send Message', prompt: 'Message', value: 'Fix' });
  expect(box.value).toBe('Fix');
  box.value = 'Fix the tax';
  hide();
  expect(await answer).toEqual({ kind: 'cancelled', text: 'Fix the tax' });
});

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Picker, type PickerRow } from '../../../../src/host/prompts/picker.ts';
import { onDispose } from '../../../../src/shared/lifecycle.ts';
import { window } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

type Row = PickerRow<number>;
type Accepted = (listener: () => void) => void;

/** Behaves like VS Code's quick pick: setting rows makes the first one active, and disposing hides the quick pick. */
class FakeQuickPick {
  value = '';
  busy = false;
  isShown = false;
  activeItems: readonly Row[] = [];
  accept: () => void = () => undefined;
  press: (event: { readonly item: Row; readonly button: object }) => void = () => undefined;
  type: (text: string) => void = () => undefined;
  #items: readonly Row[] = [];
  #hidden: () => void = () => undefined;

  get items(): readonly Row[] {
    return this.#items;
  }

  set items(rows: readonly Row[]) {
    this.#items = rows;
    this.activeItems = rows.slice(0, 1);
  }

  onDidAccept: Accepted = (listener) => (this.accept = listener);
  onDidHide: Accepted = (listener) => (this.#hidden = listener);
  onDidTriggerItemButton = (listener: typeof this.press) => (this.press = listener);
  onDidChangeValue = (listener: typeof this.type) => (this.type = listener);

  show(): void {
    this.isShown = true;
  }

  hide(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.#hidden();
  }

  dispose(): void {
    this.hide();
  }
}

const [one, two, three] = [1, 2, 3].map((value): Row => ({ label: `row ${value}`, value, id: `${value}` }));
let pick = new FakeQuickPick();

beforeEach(() => {
  pick = new FakeQuickPick();
  vi.spyOn(window, 'createQuickPick').mockReturnValue(pick as never);
});

/** An open picker that answers with the value of the accepted row. */
function opened(handlers: Partial<Parameters<Picker<number, number>['ask']>[0]> = {}) {
  const picker = new Picker<number, number>({});
  picker.show([one!, two!]);
  return { picker, answer: picker.ask({ accept: (value) => picker.finish(value), ...handlers }) };
}

describe('a picker', () => {
  it('answers with the value of the active row, and disposes what was added to it', async () => {
    const { picker, answer } = opened();
    const disposed = vi.fn();
    picker.add(onDispose(disposed));
    pick.activeItems = [two!];
    pick.accept();
    expect(await answer).toBe(2);
    expect([pick.isShown, picker.signal.aborted, disposed.mock.calls.length]).toEqual([false, true, 1]);
  });

  it('answers with nothing if it is closed', async () => {
    const { picker, answer } = opened();
    pick.hide();
    expect(await answer).toBeUndefined();
    expect(picker.signal.aborted).toBe(true);
  });

  it('stays open while no row matches the text', async () => {
    const accept = vi.fn();
    const { answer } = opened({ accept });
    pick.activeItems = [];
    pick.accept();
    expect([pick.isShown, accept.mock.calls]).toEqual([true, [[undefined]]]);
    pick.hide();
    expect(await answer).toBeUndefined();
  });

  it('keeps the row with the same ID active', () => {
    const { picker } = opened();
    pick.activeItems = [two!];
    picker.show([three!, one!, { ...two! }]);
    expect(pick.activeItems).toEqual([two]);
    picker.show([three!, one!]);
    expect(pick.activeItems).toEqual([three]);
    picker.show([{ label: 'without an ID' }]);
    picker.show([one!, { label: 'without an ID' }]);
    expect(pick.activeItems).toEqual([one]);
    picker.show([one!, two!], two);
    expect(pick.activeItems).toEqual([two]);
  });

  it('reports the buttons of rows that have a value', () => {
    const rowButton = vi.fn();
    opened({ rowButton });
    const button = {};
    pick.press({ item: two!, button });
    pick.press({ item: { label: 'heading' }, button });
    expect(rowButton.mock.calls).toEqual([[2, button]]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('failed'))],
    [
      'throws',
      () => {
        throw new Error('failed');
      },
    ],
  ])('closes and fails if a handler %s', async (_, accept) => {
    const { answer } = opened({ accept });
    pick.accept();
    await expect(answer).rejects.toThrow('failed');
    expect(pick.isShown).toBe(false);
  });
});

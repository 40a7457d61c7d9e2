import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SessionKey } from '../../../src/state/store/sessionKey.ts';
import { Store } from '../../../src/state/store/store.ts';
import { ActiveConversation } from '../../../src/views/activeConversation.ts';
import { memoryBodies } from '../../fakes/memoryBodies.ts';
import { configured, recorded } from '../../fakes/recordedEditor.ts';
import { key } from '../state/samples.ts';

vi.mock('vscode', () => import('../../fakes/recordedEditor.ts'));

const first = { ...key, sessionId: 'first' };
const second = { ...key, sessionId: 'second' };
const third = { ...key, sessionId: 'third' };

let store: Store;
let active: ActiveConversation;

/** A page in the side bar or, with `active`, in a tab. */
function open(shown: SessionKey, frame: { visible: boolean; active?: boolean }, isInEditor = false) {
  const page = { key: shown, isInEditor, post: () => undefined };
  return { page, frame, closing: active.add(page, frame) };
}

beforeEach(() => {
  recorded.length = 0;
  configured.clear();
  store = new Store(memoryBodies());
  for (const each of [first, second, third]) store.addSession({ key: each, addedAt: 1 });
  active = new ActiveConversation(store);
});

const found = () => [active.page?.key?.sessionId, active.key()?.sessionId];

describe('the active conversation', () => {
  it('is the focused side bar, although a tab is active', () => {
    const view = open(second, { visible: true });
    open(first, { visible: true, active: true });
    active.setFocused(view.page, true);
    expect(found()).toEqual(['second', 'second']);
    expect(active.page).toBe(view.page);
  });

  it('is the focused tab, although the side bar shows the session that was opened last', () => {
    open(second, { visible: true });
    const tab = open(first, { visible: true, active: true });
    active.setFocused(tab.page, true);
    store.setCurrent(second);
    expect(found()).toEqual(['first', 'first']);
  });

  it('is the focused one of two tabs, before VS Code reports which one is active', () => {
    open(first, { visible: true, active: true });
    const tab = open(second, { visible: true, active: false });
    active.setFocused(tab.page, true);
    expect(found()).toEqual(['second', 'second']);
  });

  it('is the one that had the focus last, while the Command Palette has it', () => {
    const view = open(second, { visible: true });
    const tab = open(first, { visible: true, active: true });
    for (const { page } of [tab, view]) {
      active.setFocused(page, true);
      active.setFocused(page, false);
    }
    expect(found()).toEqual(['second', 'second']);
  });

  it('is the one that was opened since, although it never had the focus', () => {
    open(second, { visible: true });
    const tab = open(first, { visible: true, active: true });
    active.setFocused(tab.page, true);
    active.setFocused(tab.page, false);
    store.setCurrent(second);
    expect(found()).toEqual(['second', 'second']);
  });

  it('is the active tab, or else a visible one, if the one used last is hidden', () => {
    const view = open(third, { visible: true });
    const hidden = open(first, { visible: false, active: false });
    const tab = open(second, { visible: true, active: false });
    store.setCurrent(third);
    view.frame.visible = false;
    expect(found()).toEqual(['second', 'second']);
    Object.assign(hidden.frame, { visible: true, active: true });
    expect(found()).toEqual(['first', 'first']);
    tab.closing.dispose();
    hidden.closing.dispose();
    expect(found()).toEqual([undefined, 'third']);
  });

  it('is the tab, if the focused side bar only says that the tab has the session', () => {
    const view = open(first, { visible: true }, true);
    const tab = open(first, { visible: true, active: false });
    active.setFocused(view.page, true);
    expect(active.page).toBe(tab.page);
    expect(active.pageOf(first)).toBe(tab.page);
  });

  it('is another one after the focused one was closed, and nothing has the focus', () => {
    const view = open(second, { visible: true });
    const tab = open(first, { visible: true, active: true });
    active.setFocused(view.page, true);
    active.setFocused(tab.page, true);
    tab.closing.dispose();
    store.setCurrent(second);
    expect(found()).toEqual(['second', 'second']);
    const set = recorded.map(({ args }) => args);
    expect(set).toEqual([
      ['setContext', 'lineside.isConversationFocused', true],
      ['setContext', 'lineside.isConversationFocused', false],
    ]);
  });

  it('does not lose the focus when another one is closed', () => {
    const view = open(second, { visible: true });
    const tab = open(first, { visible: true, active: true });
    active.setFocused(view.page, true);
    tab.closing.dispose();
    expect(recorded).toHaveLength(1);
    expect(active.page).toBe(view.page);
  });

  it('has no session in the list, if the list is empty', () => {
    store.removeSessions([first, second, third]);
    open(first, { visible: true, active: true });
    expect(active.key()).toBeUndefined();
  });
});

describe('the session of a title menu', () => {
  it('is that of the side bar, although a tab has the focus', () => {
    open(second, { visible: true });
    const tab = open(first, { visible: true, active: true });
    active.setFocused(tab.page, true);
    store.setCurrent(second);
    expect(active.key('view')).toEqual(second);
  });

  it('is that of the tab, although the side bar has the focus', () => {
    const view = open(second, { visible: true });
    open(first, { visible: true, active: false });
    open(third, { visible: false, active: false });
    active.setFocused(view.page, true);
    expect(active.key('tab')).toEqual(first);
  });

  it('is that of the active tab if several tabs are visible, because VS Code hides our commands in the others', () => {
    const tab = open(first, { visible: true, active: false });
    open(second, { visible: true, active: true });
    active.setFocused(tab.page, true);
    expect(active.key('tab')).toEqual(second);
  });

  it('is unknown if VS Code shows our commands in several tabs', () => {
    open(first, { visible: true, active: false });
    const tab = open(second, { visible: true, active: true });
    configured.set('workbench.editor.alwaysShowEditorActions', true);
    expect(active.key('tab')).toBeUndefined();
    tab.closing.dispose();
    expect(active.key('tab')).toEqual(first);
  });

  it('is never another one if that of the tab is not in the list', () => {
    open(second, { visible: true });
    open({ ...key, sessionId: 'unlisted' }, { visible: true, active: true });
    store.setCurrent(second);
    expect(active.key('tab')).toBeUndefined();
  });
});

describe('the focus of a page', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /**
   * Asks for the focus of a page, runs `meanwhile`, and lets a second pass. Returns how often VS Code was asked for the
   * focus in all this time.
   */
  function asks(page: Parameters<typeof active.focus>[0], meanwhile: () => void = () => undefined): number {
    let count = 0;
    active.focus(page, () => (count += 1));
    meanwhile();
    vi.advanceTimersByTime(1_000);
    return count;
  }

  it('is asked for once more if the page does not get it, and only then', () => {
    const { page } = open(first, { visible: true });
    expect(asks(page)).toBe(2);
    expect(asks(page, () => active.setFocused(page, true))).toBe(1);
    expect(asks(page)).toBe(1);
    active.setFocused(page, false);
    expect(asks(page)).toBe(2);
  });

  it('is not taken from a page that got it meanwhile, or asked for a page that is hidden or closed', () => {
    const frame = { visible: true };
    const { page, closing } = open(first, frame);
    const other = open(second, { visible: true });
    expect(asks(page, () => active.setFocused(other.page, true))).toBe(1);
    expect(asks(page, () => active.focus(other.page, () => undefined))).toBe(1);
    const show = (isVisible: boolean) => () => {
      frame.visible = isVisible;
    };
    expect(asks(page, show(false))).toBe(1);
    expect(asks(page, show(true))).toBe(1);
    expect(asks(page, () => closing.dispose())).toBe(1);
  });

  it('is asked for again in a tab of an inactive group, but not if another tab replaced an active one', () => {
    const frame = { visible: true, active: false };
    const { page } = open(first, frame);
    expect(asks(page)).toBe(2);
    frame.active = true;
    const deactivate = () => {
      frame.active = false;
    };
    expect(asks(page, deactivate)).toBe(1);
  });

  it('is not asked for again if the page got it while the host was busy', () => {
    const { page } = open(first, { visible: true });
    const report = () => {
      // The timer is due, and the message of the page waits behind it.
      setTimeout(() => active.setFocused(page, true), 300);
    };
    expect(asks(page, report)).toBe(1);
  });
});

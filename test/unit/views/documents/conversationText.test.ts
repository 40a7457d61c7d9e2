import { describe, expect, it, vi } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { ConversationText } from '../../../../src/views/documents/conversationText.ts';
import { DocumentFile } from '../../../../src/views/documents/documentFile.ts';
import { key, ready, rejected, sessionOf, t, undescribable } from '../../state/samples.ts';
import { messageOf } from '../conversation/pageRig.ts';

const words = { t, time: (ms: number) => `T${ms}`, dateTime: (ms: number) => `D${ms}` };

class Rig {
  readonly readIds: string[] = [];
  readonly store: Store;
  readonly text: ConversationText;
  /** IDs of messages whose bodies aren't on this machine. */
  readonly missing = new Set<string>();

  constructor(messages: readonly Message[]) {
    const bodies = memoryBodies();
    this.store = new Store({
      ...bodies,
      read: (sessionKey, ids) => {
        this.readIds.push(...ids);
        return bodies.read(
          sessionKey,
          ids.filter((id) => !this.missing.has(id)),
        );
      },
    });
    this.store.setConnection(ready);
    this.store.addSession({ key, addedAt: 1 });
    this.store.takeSession(key, sessionOf(), 1_000, 1);
    this.store.takeMessages(key, messages);
    this.store.setHistory(key, { completeness: 'complete', isLoading: false });
    this.text = new ConversationText(this.store, key, words);
  }

  takeRead(): string[] {
    return this.readIds.splice(0);
  }
}

const saying = (id: string, place: number, text: string) => messageOf(id, place, { content: [{ type: 'text', text }] });

describe('a conversation as text', () => {
  it('has all other messages if one cannot be described', async () => {
    const rig = new Rig([
      saying('a', 1, 'One'),
      messageOf('b', 2, { content: [undescribable] }),
      saying('c', 3, 'Three'),
    ]);
    expect(await rig.text.part(1)).toMatch(/\nOne\n[^]*Couldn't display this message: [^]*\nThree\n$/);
  });

  it('has a section for each message in order, and later reads only new messages', async () => {
    const rig = new Rig([saying('a', 1, 'One'), messageOf('b', 2, { role: 'assistant' })]);
    const text = await rig.text.part(1);
    expect(text?.slice(text.indexOf('# Fix'))).toBe(
      '# Fix the login\n\n## User, D1001: One\n\nOne\n\n### Assistant, T1002: text of b\n\ntext of b\n',
    );
    expect(rig.takeRead()).toEqual(['a', 'b']);
    rig.store.takeMessages(key, [saying('c', 3, 'Three')]);
    expect(await rig.text.part(1)).toBe(`${text}\n## User, T1003: Three\n\nThree\n`);
    expect(rig.takeRead()).toEqual(['c']);
    expect(await rig.text.part(2)).toBeUndefined();
    rig.store.removeSession(key);
    expect(await rig.text.part(1)).toBeUndefined();
  });

  it('has nothing before its messages that changes with the status, and a note about stale content after them', async () => {
    const rig = new Rig([saying('a', 1, 'One')]);
    const text = await rig.text.part(1);
    rig.store.takeSession(key, sessionOf({ status: 'running' }), 2_000, 2);
    expect(await rig.text.part(1)).toBe(text);
    rig.store.setConnection(rejected);
    expect(await rig.text.part(1)).toBe(`${text}\n*Last refreshed D2000.*\n`);
    expect(await rig.text.part(1)).not.toContain('status:');
  });

  it("doesn't say that the user wrote a tool result or what the agent's tooling wrote", async () => {
    const result: ContentBlock = {
      ...{ type: 'tool_result', toolUseId: 'c', isError: false },
      content: [{ type: 'text', text: 'ok' }],
    };
    const said: ContentBlock = { type: 'text', text: 'Go on' };
    const rig = new Rig([
      saying('a', 1, 'One'),
      messageOf('b', 2, { content: [result] }),
      saying('c', 3, '<environment_context>\n  <cwd>/work</cwd>\n</environment_context>'),
      messageOf('d', 4, { content: [result, said] }),
    ]);
    const headings = [
      '## User, D1001: One',
      '### Tool, T1002: ok',
      "### Agent's tooling, T1003",
      '## User, T1004: Go on',
    ];
    const headingsIn = (text = '') => text.match(/^##.*/gm);
    const shown = headingsIn(await rig.text.part(1));
    expect(shown?.map((line, index) => (index === 3 ? line.replace(/: .*/, ': Go on') : line))).toEqual(headings);
    expect(headingsIn(await rig.text.branch('b'))?.[0]).toBe('### Tool');
  });

  it('returns the position of a message, and the text of a single message', async () => {
    const rig = new Rig([saying('a', 1, 'One\n\ntwo\nthree'), saying('b', 2, 'Four')]);
    const lines = ((await rig.text.part(1)) ?? '').split('\n');
    for (const messageId of ['a', 'b']) {
      const place = await rig.text.placeOf(messageId);
      expect(place?.part).toBe(1);
      expect(lines[(place?.line ?? 0) - 1]).toMatch(messageId === 'a' ? /^## User, D1001: One$/ : /: Four$/);
    }
    expect(await rig.text.placeOf('z')).toBeUndefined();
    expect(await rig.text.message('b')).toBe('## User, D1002: Four\n\nFour\n');
    expect(await rig.text.message('z')).toBeUndefined();
  });

  it('returns a message as Copy copies it, also before its body is on this machine', async () => {
    const rig = new Rig([saying('a', 1, ' # One\n\ntwo ')]);
    expect(await rig.text.copied('a')).toBe('# One\n\ntwo\n');
    rig.missing.add('a');
    expect(await rig.text.copied('a')).toBe(
      "*This message isn't cached on this machine. It will load when the service is available.*\n",
    );
    expect(await rig.text.copied('z')).toBeUndefined();
  });

  it('returns the output of a step, which is in another message', async () => {
    const call = { type: 'tool_use', toolUseId: 'c', name: 'bash', input: { command: 'ls' } } as const;
    const content = [{ type: 'text', text: '# a\nb' }] as const;
    const result = { type: 'tool_result', toolUseId: 'c', isError: false, content } as const;
    const rig = new Rig([
      messageOf('a', 1, { role: 'assistant', content: [{ type: 'text', text: 'Listing' }, call] }),
      messageOf('b', 2, { role: 'tool', content: [result] }),
    ]);
    expect(await rig.text.output('a', 1)).toBe('# a\nb');
    expect([await rig.text.output('a', 0), await rig.text.output('z', 1)]).toEqual([undefined, undefined]);
    rig.missing.add('b');
    expect(await rig.text.output('a', 1)).toMatch(/^This message isn't cached/);
  });

  it('returns a branch without times and other branches, up to the size of a document', async () => {
    const large = 'x'.repeat(3_000_000);
    const rig = new Rig([
      saying('a', 1, 'Ask'),
      messageOf('b', 2, { role: 'assistant', parentId: 'a', content: [{ type: 'text', text: 'First' }] }),
      messageOf('c', 3, { role: 'assistant', parentId: 'a', content: [{ type: 'text', text: 'Second' }] }),
      messageOf('d', 4, { parentId: 'b', content: [{ type: 'text', text: `# Go on` }] }),
      messageOf('e', 5, { parentId: 'c', content: [{ type: 'text', text: large }] }),
      messageOf('f', 6, { parentId: 'e', content: [{ type: 'text', text: large }] }),
    ]);
    expect(await rig.text.branch('b')).toBe('### Assistant\n\nFirst\n\n## User\n\n#### Go on\n');
    const long = (await rig.text.branch('c')) ?? '';
    expect(long.startsWith('### Assistant\n\nSecond\n\n## User\n\nxxx')).toBe(true);
    expect(long.endsWith('xxx\n\n*Part 1 of 2.*\n')).toBe(true);
    expect(await rig.text.branch('z')).toBeUndefined();
  });

  it('is split if it is too large, and keeps its first parts when it grows', async () => {
    const large = 'x'.repeat(2_000_000);
    const rig = new Rig([1, 2, 3, 4].map((place) => saying(`m${place}`, place, `${place} ${large}`)));
    const parts = () => rig.text.parts();
    expect((await parts()).map(({ number }) => number)).toEqual([1, 2]);
    const first = await rig.text.part(1);
    expect(first?.includes('\n*Part 1 of 2.*\n')).toBe(true);
    expect(first?.includes('User, T1002: ')).toBe(true);
    expect((await rig.text.placeOf('m3'))?.part).toBe(2);
    rig.store.takeMessages(key, [saying('m5', 5, `5 ${large}`)]);
    expect((await parts()).map(({ firstHeading }) => firstHeading.slice(0, 13))).toEqual([
      'User, D1001: ',
      'User, D1003: ',
      'User, D1005: ',
    ]);
    // Don't pass the strings to `expect`, because a failure would print megabytes.
    expect((await rig.text.part(1)) === first?.replace('Part 1 of 2', 'Part 1 of 3')).toBe(true);
    // The oldest sections are no longer cached, so they are rendered again.
    expect(rig.takeRead().filter((id) => id === 'm1').length).toBeGreaterThanOrEqual(1);
  });

  it('can be canceled while it is measured', async () => {
    const rig = new Rig(Array.from({ length: 200 }, (_, place) => saying(`m${place}`, place, 'x')));
    const abort = new AbortController();
    const seen: string[] = [];
    const parts = rig.text.parts(abort.signal, (done, total) => {
      seen.push(`${done} of ${total}`);
      if (done >= 50) abort.abort();
    });
    await expect(parts).rejects.toThrow();
    expect(seen).toEqual(['0 of 200', '50 of 200']);
    expect((await rig.text.parts()).length).toBe(1);
  });

  it('marks missing bodies, and includes them once they arrive', async () => {
    const rig = new Rig([saying('a', 1, 'One'), saying('b', 2, 'Two')]);
    rig.missing.add('a');
    expect(await rig.text.part(1)).toContain("*This message isn't cached on this machine.");
    rig.missing.clear();
    expect(await rig.text.part(1)).not.toContain("isn't cached on this machine");
  });
});

describe('an open document', () => {
  it('is rendered once for concurrent reads and again only after a change, and is dated when its text changes', async () => {
    const state = { text: 'one' as string | undefined, writes: 0, changes: 0 };
    const write = () => Promise.resolve((state.writes++, state.text));
    const file = new DocumentFile({ key, shows: { part: 1 } }, write, () => state.changes++);
    expect(await Promise.all([file.read(), file.read()])).toEqual([true, true]);
    expect(state.writes).toBe(1);
    const { changedAt } = file;
    file.noteChange();
    expect(state.writes).toBe(1);
    await file.read();
    expect(file.changedAt).toBe(changedAt);
    state.text = 'two';
    file.noteChange();
    await file.read();
    expect(file.changedAt).toBeGreaterThan(changedAt);
    expect(Buffer.from(file.takeBytes()).toString()).toBe('two');
    state.text = undefined;
    file.noteChange();
    expect(await file.read()).toBe(false);
  });

  it('updates its head and its messages one at a time while it is watched, each after the previous update is read', async () => {
    vi.useFakeTimers();
    try {
      const state = { text: 'idle\n\n## One\n', changes: 0 };
      const file = new DocumentFile(
        { key, shows: { part: 1 } },
        () => Promise.resolve(state.text),
        () => state.changes++,
      );
      const given = () => Buffer.from(file.takeBytes()).toString();
      const pause = () => vi.advanceTimersByTimeAsync(1_000);
      await file.read();
      given();
      file.watch();
      state.text = 'running\n\n## One\n\n## Two\n';
      file.noteChange();
      await pause();
      await pause();
      expect([state.changes, given()]).toEqual([1, 'idle\n\n## One\n\n## Two\n']);
      state.text = 'idle again\n\n## One\n\n## Two\n\n### Three\n';
      file.noteChange();
      await pause();
      expect([state.changes, given()]).toEqual([2, 'idle again\n\n## One\n\n## Two\n']);
      await pause();
      expect([state.changes, given()]).toEqual([3, state.text]);
      await vi.runAllTimersAsync();
      state.text = 'gone\n\n## Else\n';
      file.noteChange();
      await vi.runAllTimersAsync();
      expect([state.changes, given()]).toEqual([5, state.text]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('notifies its follower only of changed text, and never after dispose', async () => {
    vi.useFakeTimers();
    try {
      const state = { text: 'one', writes: 0, changes: 0 };
      const write = () => Promise.resolve((state.writes++, state.text));
      const file = new DocumentFile({ key, shows: { part: 1 } }, write, () => state.changes++);
      await file.read();
      const follower = file.watch();
      for (const text of ['one', 'two']) {
        state.text = text;
        file.noteChange();
        file.noteChange();
        await vi.runAllTimersAsync();
      }
      expect(state).toEqual({ text: 'two', writes: 3, changes: 1 });
      follower.dispose();
      file.noteChange();
      expect(vi.getTimerCount()).toBe(0);
      file.watch();
      expect(vi.getTimerCount()).toBe(1);
      file.dispose();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

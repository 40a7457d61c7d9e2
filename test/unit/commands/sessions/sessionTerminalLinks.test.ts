import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { SessionTerminalLinks } from '../../../../src/commands/sessions/sessionTerminalLinks.ts';
import { translator } from '../../../../src/shared/translate.ts';
import { readSessionLink, sessionLink } from '../../../../src/state/sessions/sessionLinks.ts';
import { corpora } from '../../../fakes/corpora.ts';
import { keyOf, origin, OutboxRig } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
let rig: OutboxRig;
let followed: vscode.Uri[];
let links: SessionTerminalLinks;
beforeEach(async () => {
  rig = await OutboxRig.open({}, [uuid, 'short', 'sess_01Abc', 'constructor']);
  rig.store.addSession({ key: keyOf('sess_child'), addedAt: 1, isTransient: true });
  followed = [];
  const connections = {
    known: { services: [{ name: 'Lab', baseUrl: 'https://lab.test', origin: 'https://lab.test' }] },
  };
  links = new SessionTerminalLinks(
    { store: rig.store, connections, t: translator('en') } as unknown as CommandContext,
    { follow: (uri) => Promise.resolve(void followed.push(uri)) },
  );
});
afterEach(() => rig.close());

const linked = (line: string) =>
  links.provideTerminalLinks({ line }).map(({ startIndex, length }) => line.slice(startIndex, startIndex + length));

it.each([
  ['the ID of a session in the list', `started ${uuid}.`, [uuid]],
  ['an ID after a name', 'session_id=sess_01Abc, session:sess_01Abc', ['sess_01Abc', 'sess_01Abc']],
  ['an ID in quotes', `{"id":"sess_01Abc"}`, ['sess_01Abc']],
  [
    'a session URL of the service',
    `see (${origin}/sessions/new?computerId=c1).`,
    [`${origin}/sessions/new?computerId=c1`],
  ],
  [
    'a session URL of another service of the user',
    'https://lab.test/v1/sessions/x:',
    ['https://lab.test/v1/sessions/x'],
  ],
  ['no short ID, because it can be a word', 'a short text', []],
  ['no ID that is not in the list', 'sess_02 and 00000000-0000-4000-8000-000000000000', []],
  ['no child that is only shown below its parent', 'sess_child', []],
  ['no URL of an unknown service', 'https://evil.test/sessions/x', []],
  ['no URL with a password', origin.replace('://', '://me:secret@') + '/sessions/x', []],
  ['no other URL of the service', `${origin}/docs`, []],
])('links %s', (_, line, texts) => {
  expect(linked(line)).toEqual(texts);
});

it('shows only our own words in the tooltip, whatever the output says', () => {
  const line = `[x](command:workbench.action.quit) ${uuid} <a href="command:x">`;
  expect(links.provideTerminalLinks({ line }).map(({ tooltip }) => tooltip)).toEqual(['Open in Lineside']);
});

it('opens what is linked through the follower of links, with service and computer', async () => {
  const [link] = links.provideTerminalLinks({ line: `${origin}/sessions/a%26b?computerId=c%201` });
  await links.handleTerminalLink(link ?? expect.fail('no link'));
  const [uri] = followed;
  expect(readSessionLink(uri?.path ?? '', uri?.query ?? '')).toEqual({ sessionId: 'a&b', origin, computerId: 'c 1' });
});

it('opens the message of a Lineside link', async () => {
  const text = sessionLink('vscode', 'lineside.lineside', { sessionId: 'a', origin, messageId: 'm 1' });
  const [link] = links.provideTerminalLinks({ line: `see ${text}` });
  await links.handleTerminalLink(link ?? expect.fail('no link'));
  const [uri] = followed;
  expect(readSessionLink(uri?.path ?? '', uri?.query ?? '')).toEqual({ sessionId: 'a', origin, messageId: 'm 1' });
});

it('parses only words with a scheme as URLs', () => {
  const canParse = vi.spyOn(URL, 'canParse');
  linked('a:b c:/d '.repeat(1_000));
  expect(canParse).not.toHaveBeenCalled();
  canParse.mockRestore();
});

it('reads a bounded part of a line, and finds nothing in hostile output', () => {
  const long = `${uuid} `.repeat(100_000);
  expect(linked(long)).toHaveLength(50);
  expect(linked(`${'x'.repeat(20_000)} ${uuid}`)).toEqual([]);
  for (const text of Object.values(corpora).flat())
    expect(linked(text).filter((found) => !found.startsWith(origin))).toEqual([]);
});

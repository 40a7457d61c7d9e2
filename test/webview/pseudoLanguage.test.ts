import { describe, expect, it } from 'vitest';
import { fill, press } from '../../tools/editor/drive/act.ts';
import type { HostMessage } from '../../src/shared/protocol/hostMessages.ts';
import { translator } from '../../src/shared/translate.ts';
import {
  describeComposer,
  describeHeader,
  describeOlder,
  describeScreen,
} from '../../src/state/presentation/describeConversation.ts';
import { thinkingFold } from '../../src/state/presentation/blocks.ts';
import { filterSummary } from '../../src/state/presentation/describeFilter.ts';
import { describePlace, describeSource, roleLabel } from '../../src/state/presentation/describeMessage.ts';
import { describeEntry } from '../../src/state/presentation/describeOutbox.ts';
import { describeTurnChanges } from '../../src/state/presentation/describeSteps.ts';
import { translatePageStrings } from '../../src/views/conversation/translatePageStrings.ts';
import { pageFaults } from '../../tools/l10n/pageCheck.ts';
import { pseudoBundle, pseudoLanguage, pseudoText } from '../../tools/l10n/pseudo.ts';
import { sentencesInCode } from '../../tools/l10n/sentences.ts';
import {
  attachment,
  entryOf,
  headerOf,
  noKey,
  now,
  ready,
  recordOf,
  rejected,
  sessionOf,
} from '../unit/state/samples.ts';
import type { OpenPage } from './rig/pageRig.ts';
import { conversation, markdownRow, row, setup } from './rig/samples.ts';
import { usePages } from './rig/usePage.ts';

const t = translator(
  pseudoLanguage,
  pseudoBundle(Object.fromEntries(sentencesInCode().map(({ text }) => [text, text]))),
);
const pages = usePages();

/** Data, units, and times, which stay as they are. */
const allowed = 'https://service.test|\\b(?:[Ss]lack|KB|MB|AM|PM|at|(?:Wednes)day|May|Mar|March)\\b';

const failure = { kind: 'status', status: 429, retryAfterMs: 5_000, detail: '6', at: now } as const;
const draft = { ...recordOf().draft, attachments: [{ ...attachment, name: '8' }] };
const session = sessionOf({ title: '1', status: 'running', sessionSettings: { model: '2' }, computerId: '3' });
const listEntry = { key: { origin: '4', sessionId: '5' }, addedAt: 1, computerId: '3', name: '1' };
const record = recordOf({ session, listEntry, draft, failure, outbox: [entryOf({ state: 'unknown', text: '7' })] });
const states = ['queued', 'sending', 'accepted', 'unknown', 'notSent'] as const;
const changes = describeTurnChanges({ files: [], confirmedCount: 3, added: 1, removed: 2 }, t);
const rows = [
  row('m1', [{ type: 'markdown', text: '1 **2**\n\n```\n3\n```' }, thinkingFold('4', t)], {
    roleLabel: roleLabel('assistant', t),
    badges: [describeSource('slack', t), ...describePlace(headerOf('m1'), t)],
    updatedAt: now,
    place: {
      startsDay: true,
      ...(changes ? { changes } : {}),
    },
  }),
  row('m2', [{ type: 'file', name: '1', detail: t.formats.size(1_234) }], {
    role: 'user',
    roleLabel: roleLabel('user', t),
  }),
  ...states.map((state) => describeEntry(entryOf({ entryId: state, state, text: '1', failure: failure }), t)),
  markdownRow('m3', '1', { roleLabel: roleLabel('assistant', t), cut: t("{0} of {1} characters aren't shown.", 1, 2) }),
];
const begin: HostMessage = {
  ...setup,
  words: translatePageStrings(t),
  attachmentMenu: setup.attachmentMenu.map((item) => ({ ...item, label: pseudoText(item.label) })),
};

async function expectTranslated(open: OpenPage, what: string): Promise<void> {
  expect(await open.page.locator('body').evaluate(pageFaults, allowed), what).toEqual({
    untranslated: [],
    clipped: [],
  });
}

describe.each([250, 350])('in the pseudo-language, nothing is untranslated or cut off at %d px', (widthPx) => {
  it('in a conversation, its menus, and the find widget', async () => {
    const open = await pages.open({ widthPx, heightPx: 3_000 });
    const filter = {
      detailLevel: 'work',
      summary: filterSummary({ detailLevel: 'answers' }, 40, 1_000, t),
    } as const;
    const header = { ...describeHeader(record, ready, t), filter };
    const older = describeOlder(record, ready, t);
    await open.tell(begin, conversation(rows, { header, older, composer: describeComposer(record, ready, '9', t) }));
    await expectTranslated(open, 'conversation');
    for (const name of ['Filter Messages', 'More Actions...', 'Attach', 'More Ways to Send']) {
      await press(open.page.getByRole('button', { name: pseudoText(name), exact: true }).first(), 'Enter');
      await open.page.getByRole('menu').waitFor();
      await expectTranslated(open, name);
      await press(open.page, 'Escape');
    }
    await open.tell({ type: 'openFind' });
    await fill(open.page.getByRole('searchbox'), '1');
    await expectTranslated(open, 'find');
  });

  it.each([noKey, rejected])('without a conversation: %j', async (connection) => {
    const open = await pages.open({ widthPx });
    const screen = describeScreen(connection, 0, t, undefined);
    await open.tell(begin, { type: 'screen', screen });
    await expectTranslated(open, 'screen');
  });
});

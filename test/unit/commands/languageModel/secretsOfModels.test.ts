import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Consent } from '../../../../src/commands/languageModel/consent.ts';
import { WritingTools } from '../../../../src/commands/languageModel/writingTools.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { configured, person, recorded } from '../../../fakes/recordedEditor.ts';
import { RandomText } from '../../shared/redaction/randomText.ts';
import { t } from '../../state/samples.ts';
import { keyOf, OutboxRig } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const secret = `ghp_${new RandomText(1).base62(36)}`;
const key = keyOf('s1');
const sessionId = 's1';

let rig: OutboxRig;
let drafts: Drafts;
let tools: WritingTools;
beforeEach(async () => {
  rig = await OutboxRig.open();
  const { store, blobs, clock, outbox } = rig;
  drafts = new Drafts({ store, blobs, records: new RecordStores(rig.disk), clock, log: silentLog });
  const navigation = { openConversation: () => Promise.resolve() };
  const context = { store, drafts, outbox, navigation, t };
  tools = new WritingTools(context as never, new Consent({ store, t }));
  recorded.length = 0;
  configured.set('lineside.languageModelTools.allowSending', true);
});
afterEach(async () => {
  configured.clear();
  person.clicks = undefined;
  drafts.dispose();
  await rig.close();
});

const call = () => {
  const onCancellationRequested = () => ({ dispose: () => undefined });
  const token = { isCancellationRequested: false, onCancellationRequested } as unknown as vscode.CancellationToken;
  return { limits: undefined, token };
};

describe('a secret in the text of a language model', () => {
  it('is left out of a draft, and the model is told', async () => {
    const result = await tools.draftMessage({ sessionId, text: `Use ${secret} now` });
    expect(drafts.get(key).text).toContain('Use [redacted] now');
    expect(result).toContain('Likely secrets in it were replaced by [redacted]: 1.');
    expect(await tools.draftMessage({ sessionId, text: 'Hello' })).not.toContain('secrets');
  });

  it('is left out of a message that the user is asked about', async () => {
    await expect(tools.sendMessage({ sessionId, text: `Use ${secret} now` }, call())).rejects.toThrow('declined');
    const [question] = recorded;
    expect(JSON.stringify(question)).toContain('Use [redacted] now');
    expect(JSON.stringify(question)).not.toContain(secret);
  });

  it('is left out of a message that is sent', async () => {
    person.clicks = 'Send';
    const enqueue = vi.spyOn(rig.outbox, 'enqueue');
    vi.spyOn(rig.outbox, 'settled').mockResolvedValue({ accepted: true } as never);
    const result = await tools.sendMessage({ sessionId, text: `Use ${secret} now` }, call());
    expect(result).toContain('Likely secrets in it were replaced by [redacted]: 1.');
    expect(enqueue.mock.calls.map(([, { text }]) => text)).toEqual(['Use [redacted] now']);
  });
});

import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { messageDetails } from '../../../../src/state/presentation/describeDetails.ts';
import { hostile, hostileShown, t } from '../samples.ts';

const plain: Message = { id: 'm1', role: 'assistant', createdAt: 1_000, updatedAt: 2_000, content: [] };
const facts = (part: Partial<Message>) =>
  Object.fromEntries(messageDetails({ ...plain, ...part }, undefined, t).map(({ label, ...fact }) => [label, fact]));

describe('the details of a message', () => {
  it('contain at least its ID, role, and times', () => {
    expect(messageDetails(plain, undefined, t)).toEqual([
      { label: 'Message ID', value: 'm1', isId: true },
      { label: 'Role', value: 'Assistant' },
      { label: 'Created', value: '', timeMs: 1_000 },
      { label: 'Last modified', value: '', timeMs: 2_000 },
    ]);
  });

  it('contain every metadata field of the service', () => {
    const all = facts({
      parentId: 'm0',
      userMessageSource: 'slack',
      visibility: 'llm_only',
      isUserVisible: false,
      isError: true,
      openaiMessageId: 'msg_1',
      openaiPhase: 'final_answer',
      openaiReasoningId: 'rs_1',
      openaiReasoningSummary: 'abc',
      chatCompletionReasoningField: 'reasoning_content',
      chatCompletionReasoningContent: 'abcde',
    });
    expect(all).toMatchObject({
      'Parent message ID': { value: 'm0', isId: true },
      Source: { value: 'via Slack (slack)' },
      Visibility: { value: 'Hidden from you, not shown to users' },
      Error: { value: 'Yes' },
      'OpenAI message ID': { value: 'msg_1', isId: true },
      Phase: { value: 'Final answer' },
      'Reasoning ID': { value: 'rs_1', isId: true },
      'Reasoning summary': { value: '3 characters' },
      'Reasoning field': { value: 'reasoning_content' },
      Reasoning: { value: '5 characters' },
    });
  });

  it('show encrypted content and signatures only as sizes', () => {
    const secret = 'ErUBCkYIBBgCIkDm9xQ2';
    const all = facts({
      openaiEncryptedContent: secret,
      geminiThoughtSignature: secret,
      content: [{ type: 'thinking', thinking: 'hm', signature: secret, signatureProvider: 'google' }],
    });
    expect(all).toMatchObject({
      'Encrypted content': { value: '20 characters' },
      'Thought signature': { value: '20 characters' },
      'Block 1: signature': { value: 'google, 20 characters' },
    });
    expect(JSON.stringify(all)).not.toContain(secret);
  });

  it('list the IDs of blocks', () => {
    const all = facts({
      content: [
        { type: 'text', text: 'x', id: 'block-1' },
        { type: 'tool_use', toolUseId: 'call-1', name: 'Read', input: {} },
        { type: 'tool_result', toolUseId: 'call-1', isError: false, content: [] },
        { type: 'text', text: 'y' },
      ],
    });
    expect(all).toMatchObject({
      'Block 1: text ID': { value: 'block-1', isId: true },
      'Block 2: tool call ID': { value: 'call-1', isId: true },
      'Block 3: result for tool call ID': { value: 'call-1', isId: true },
    });
    expect(all).not.toHaveProperty('Block 4: text ID');
  });

  it('mark unknown values, and make disguising characters visible', () => {
    expect(facts({ openaiPhase: 'unknown', visibility: 'unknown' })).toMatchObject({
      Phase: { value: 'Unknown' },
      Visibility: { value: 'Unknown' },
    });
    expect(facts({ userMessageSource: hostile })['Source']?.value).toContain(hostileShown.slice(0, 20));
    expect(facts({ unreadable: 'createdAt' })['Unreadable']?.value).toBe('createdAt');
  });
});

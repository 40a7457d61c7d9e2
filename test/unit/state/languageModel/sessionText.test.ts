import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../../src/api/resources/message.ts';
import { messageTextForModel, sessionLine, usageText } from '../../../../src/state/languageModel/sessionText.ts';
import { now, recordOf, sessionOf, unreadRecord } from '../samples.ts';

function textOf(content: unknown, part: object = {}): string | undefined {
  const message = readMessage({ id: 'm1', role: 'assistant', createdAt: now, updatedAt: now, content, ...part });
  return message && messageTextForModel(message, message.role);
}

describe('a message for a language model', () => {
  it('has its ID, role, time, and text', () => {
    expect(textOf('Done.')).toBe(`[m1] assistant, ${new Date(now).toISOString()}\nDone.`);
  });

  it('names tools, files, and images, and leaves thinking out', () => {
    const text = textOf([
      { type: 'thinking', thinking: 'secret plan' },
      { type: 'tool_use', id: 't1', name: 'bash', input: { command: 'npm test' } },
      { type: 'tool_result', toolUseId: 't1', isError: true, content: 'x'.repeat(3_000) },
      { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'AAAA' } },
      { type: 'document', source: { type: 'base64', mediaType: 'text/plain', data: 'AAAA', name: 'a.ts' } },
    ]);
    expect(text).toContain('(tool call) bash');
    expect(text).toContain('npm test');
    expect(text).toContain('(tool result, error) xxx');
    expect(text).toContain('(1000 more characters)');
    expect(text).toContain('(image)');
    expect(text).toContain('(file)');
    expect(text).not.toMatch(/secret plan|AAAA/);
  });

  it.each([{ visibility: 'llm_only' }, { isUserVisible: false }, { role: 'system' }])(
    'is left out with %j',
    (part: object) => {
      expect(textOf('Only for the model.', part)).toBeUndefined();
    },
  );

  it('has any time that a service reports', () => {
    expect(textOf('Hi', { createdAt: 1e300 })).toContain('1e+300');
  });
});

describe('a session for a language model', () => {
  it('has its state, count, time, and tags', () => {
    const session = sessionOf({ status: 'running', sessionSettings: { tags: [{ name: 'web' }] } });
    expect(sessionLine(recordOf({ session }))).toBe(
      `- id session-1 · title "Fix the login" · status running · 12 messages · updated ${new Date(session.updatedAt).toISOString()} · tags web`,
    );
  });

  it('says that it was never loaded', () => {
    expect(sessionLine(unreadRecord())).toContain('not loaded yet');
  });

  it('reports only the counters that the service sends', () => {
    const session = sessionOf({ sessionSettings: { tokenUsage: { inputTokens: 7 } } });
    expect(usageText(recordOf({ session }))).toBe('inputTokens: 7');
    expect(usageText(recordOf())).toContain('reports no usage');
  });
});

import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../../src/api/resources/message.ts';
import {
  messageTextForModel,
  messageTextSteps,
  sessionLine,
  usageText,
} from '../../../../src/state/languageModel/sessionText.ts';
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

  it.each([{ visibility: 'llm_only' }, { isUserVisible: false }, { role: 'system' }, { role: undefined }])(
    'is left out with %j',
    (part: object) => {
      expect(textOf('Only for the model.', part)).toBeUndefined();
    },
  );

  it('is read to a bounded length, in steps, whatever its length is', () => {
    const long = textOf('word '.repeat(2_000_000));
    expect(long?.length).toBeLessThan(61_000);
    expect(long).toContain('more characters)');
    const results = Array.from({ length: 200 }, (_, index) => ({
      type: 'tool_result',
      toolUseId: `t${index}`,
      content: [{ type: 'text', text: 'x '.repeat(50_000) }],
    }));
    const message = readMessage({ id: 'm1', createdAt: now, updatedAt: now, content: results });
    const steps = messageTextSteps(message!, 'tool');
    let count = 0;
    for (let step = steps.next(); step.done !== true; step = steps.next()) count += 1;
    expect(count).toBeGreaterThan(20);
    expect(textOf(results)?.length).toBeLessThan(63_000);
    expect(textOf(results)?.endsWith('(more content)')).toBe(true);
  });

  it('reveals no part of a secret or comment that is cut, and none in several blocks', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(800)}\n-----END PRIVATE KEY-----`;
    const cut = textOf([
      { type: 'tool_use', id: 't1', name: '[x](command:y)', input: { text: `${'a '.repeat(200)}${key}` } },
      { type: 'tool_result', toolUseId: 't1', content: `${'a '.repeat(900)}${key}` },
      { type: 'tool_result', toolUseId: 't2', content: `${'a '.repeat(900)}<!-- ${'hidden '.repeat(900)} -->` },
    ]);
    expect(cut).not.toMatch(/QUJD|hidden|\]\(/);
    const divided = [key.slice(0, 40), key.slice(40)].map((text) => ({ type: 'text', text }));
    expect(textOf(divided)).toContain('[redacted]');
    expect(
      textOf([
        { type: 'text', text: '![a' },
        { type: 'text', text: '](//evil.test/x.png)' },
      ]),
    ).toContain('(image: a\n)');
  });

  it('reveals no password of a command that is a list', () => {
    const word = ['correct', 'horse7'].join('-');
    const server = JSON.stringify({ args: ['serve', '--password', word] }, undefined, 2);
    const text = textOf([
      { type: 'tool_use', id: 't1', name: 'shell', input: { command: ['sshpass', '-p', word, 'ssh', 'h'] } },
      { type: 'tool_use', id: 't2', name: 'Write', input: { file_path: 'mcp.json', content: server } },
      { type: 'tool_result', toolUseId: 't1', content: server },
    ]);
    expect(text).toContain('sshpass');
    expect(text).not.toContain(word);
    expect(text?.match(/\[redacted\]/g)).toHaveLength(3);
  });

  it('reveals no part of a secret that the name of a tool or file cuts off', () => {
    const secret = `ghp_${'aB3'.repeat(12)}`;
    const name = `${'x '.repeat(30)}${secret}`;
    const path = `${'x '.repeat(90)}${secret}`;
    const document = { type: 'document', path, source: { type: 'base64', mediaType: 'text/plain', data: 'AAAA' } };
    const text = textOf([{ type: 'tool_use', id: 't1', name, input: {} }, document]);
    expect(text?.match(/\[redacted\]/g)).toHaveLength(2);
    expect(text).not.toContain('ghp_');
  });

  it('has the inner results of a result, and the start of a large input', () => {
    const inner = { type: 'tool_result', toolUseId: 't2', content: [{ type: 'text', text: 'inner' }] };
    expect(textOf([{ type: 'tool_result', toolUseId: 't1', content: [inner] }])).toContain(
      '(tool result) (tool result) inner',
    );
    const input = { lines: Array.from({ length: 100_000 }, (_, index) => `line ${index}`) };
    const text = textOf([{ type: 'tool_use', id: 't1', name: 'write', input }]);
    expect(text).toContain('(tool call) write {"lines":["line 0","line 1"');
    expect(text?.length).toBeLessThan(700);
  });

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

  it('reveals no part of a secret that its title, name, or a tag cuts off', () => {
    const secret = `ghp_${'aB3'.repeat(12)}`;
    const title = `${'x '.repeat(50)}${secret}`;
    const session = sessionOf({ title, sessionSettings: { tags: [{ name: `${'x '.repeat(20)}${secret}` }] } });
    const record = recordOf({ session });
    const named = { ...record, listEntry: { ...record.listEntry, name: title } };
    for (const each of [record, named]) expect(sessionLine(each)).not.toContain('ghp_');
    expect(sessionLine(named)).toMatch(/title "(?:x ){50}\[redacted\]" /);
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

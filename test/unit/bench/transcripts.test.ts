import { expect, it } from 'vitest';
import { readTranscript } from '../../../tools/bench/transcripts/formats.ts';
import { AgentFigures, measure } from '../../../tools/bench/transcripts/measure.ts';

const lines = (...records: readonly object[]) => records.map((record) => JSON.stringify(record)).join('\n');
const use = (id: string, command: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command } });
const answer = (id: string, content: unknown, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});
const claude = (type: string, uuid: string, ...content: readonly object[]) => ({
  type,
  uuid,
  message: { role: type, content },
});
const codex = (payload: object) => ({ type: 'response_item', payload });

/** A session of each agent, in which one of two commands, or the only command, failed. */
const sessions: Readonly<Record<string, string>> = {
  'Claude Code': lines(
    claude('user', '1', { type: 'text', text: 'Test it' }),
    claude('assistant', '2', use('a', 'npm test')),
    claude('user', '3', answer('a', 'Exit code 1\nno', { is_error: true })),
    claude('assistant', '2', use('a', 'npm test')),
    claude('assistant', '4', use('b', 'ls')),
    claude('user', '5', answer('b', [{ type: 'text', text: 'a.ts' }])),
  ),
  droid: lines(
    { type: 'session_start', id: 's' },
    claude('user', '1', { type: 'text', text: 'Test it' }),
    claude('assistant', '2', use('a', 'npm test')),
    claude('user', '3', answer('a', 'Error: Command failed (exit code: 1)\nno')),
  ),
  Codex: lines(
    { type: 'session_meta', payload: {} },
    codex({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Test it' }] }),
    codex({ type: 'function_call', name: 'exec_command', call_id: 'a', arguments: '{"cmd":"npm test"}' }),
    codex({
      type: 'function_call_output',
      call_id: 'a',
      output: 'Chunk ID: 1\nProcess exited with code 1\nOriginal token count: 1\nOutput:\nno',
    }),
    codex({ type: 'function_call', name: 'exec_command', call_id: 'b', arguments: '{"cmd":"ls"}' }),
    codex({ type: 'function_call_output', call_id: 'b', output: 'Chunk ID: 1\nProcess running with session ID 7\n' }),
    { type: 'event_msg', payload: { type: 'exec_command_end', call_id: 'b', exit_code: 0 } },
  ),
  pi: lines(
    { type: 'session', id: 's' },
    { type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'Test it' }] } },
    {
      type: 'message',
      message: {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'a', name: 'bash', arguments: { command: 'ls' } }],
      },
    },
    {
      type: 'message',
      message: {
        role: 'toolResult',
        toolCallId: 'a',
        isError: true,
        content: [{ type: 'text', text: 'no\n\nCommand exited with code 1' }],
      },
    },
  ),
  'Gemini CLI': JSON.stringify(
    {
      sessionId: 's',
      messages: [
        { type: 'user', content: 'Test it' },
        {
          type: 'gemini',
          content: '',
          toolCalls: [
            {
              ...{ id: 'a', name: 'run_shell_command', args: { command: 'ls' }, status: 'error' },
              result: [
                { functionResponse: { response: { output: 'Output: no\nExit Code: 1\nProcess Group PGID: 7' } } },
              ],
            },
          ],
        },
      ],
    },
    undefined,
    1,
  ),
  opencode: lines(
    {
      type: 'message.part.updated',
      properties: { part: { id: 'p', sessionID: 's', type: 'text', text: 'I test it' } },
    },
    {
      event: {
        type: 'message.part.updated',
        properties: {
          part: {
            ...{ id: 'q', sessionID: 's', type: 'tool', callID: 'a', tool: 'bash' },
            state: { status: 'error', input: { command: 'ls' }, error: 'no' },
          },
        },
      },
    },
  ),
  Cline: JSON.stringify(
    {
      sessionId: 's',
      messages: [
        { role: 'user', content: 'Test it' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'a', name: 'run_commands', input: { commands: ['ls'] } }],
        },
        { role: 'user', content: [answer('a', [{ query: 'ls', result: '', error: 'no', success: false }])] },
      ],
    },
    undefined,
    1,
  ),
  'Copilot CLI': lines(
    { type: 'user.message', data: { content: 'Test it' } },
    {
      type: 'assistant.message',
      data: { content: '', toolRequests: [{ toolCallId: 'a', name: 'bash', arguments: '{"command":"ls"}' }] },
    },
    {
      type: 'tool.execution_complete',
      data: { toolCallId: 'a', success: false, result: { content: 'no\n<exited with exit code 1>' } },
    },
  ),
};

it.each(Object.entries(sessions))('a session of %s is converted and measured', (agent, text) => {
  const transcript = readTranscript(text) ?? expect.fail('It has another format.');
  expect(transcript.agent).toBe(agent);
  const figures = new AgentFigures();
  measure(transcript, figures);
  const { calls, recognized, knownFailures, missed, wrong, prompts } = figures;
  expect({ recognized, knownFailures, missed, wrong }).toEqual({
    ...{ recognized: calls, knownFailures: 1, missed: new Map(), wrong: new Map() },
  });
  expect(calls).toBe(agent === 'Claude Code' || agent === 'Codex' ? 2 : 1);
  expect(prompts).toBe(agent === 'opencode' ? 0 : 1);
});

it.each(['', '{}', '[]', '{"type":"other"}', 'text\nmore', '{"messages":[]}'])(
  'other files are not read: %j',
  (text) => {
    expect(readTranscript(text)).toBeUndefined();
  },
);

const measured = (text: string) => {
  const figures = new AgentFigures();
  measure(readTranscript(text) ?? expect.fail('It has another format.'), figures);
  return figures;
};

it('who wrote a message of Codex is known from its events', () => {
  const message = (text: string) => codex({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
  const typed = (text: string) => ({ type: 'event_msg', payload: { type: 'user_message', message: text } });
  const context = '<environment_context>a</environment_context>';
  const session = (...records: readonly object[]) => lines({ type: 'session_meta', payload: {} }, ...records);
  const all = [message(context), message('Test it\n'), typed('Test it')];
  expect(measured(session(...all))).toMatchObject({ prompts: 2, tooling: 1, unfolded: 0, misfolded: 0 });
  expect(measured(session(...all, message('Not typed')))).toMatchObject({ unfolded: 1, misfolded: 0 });
  expect(measured(session(...all, typed(context)))).toMatchObject({ unfolded: 0, misfolded: 1 });
  expect(measured(session(message(context), message('Test it')))).toMatchObject({ unfolded: 0, misfolded: 0 });
});

it('a failure without a flag is known from what Claude Code stores next to the result', () => {
  const failed = claude('user', '3', answer('a', 'no'));
  const call = claude('assistant', '2', use('a', 'npm test'));
  expect(measured(lines(call, { ...failed, toolUseResult: { success: true } })).knownFailures).toBe(0);
  const { knownFailures, missed } = measured(lines(call, { ...failed, toolUseResult: { success: false } }));
  expect([knownFailures, [...missed.values()]]).toEqual([1, [1]]);
});

it('what differs from the transcript is counted', () => {
  const figures = new AgentFigures();
  const transcript = readTranscript(sessions['pi'] ?? '') ?? expect.fail('It has another format.');
  measure({ ...transcript, outcomes: new Map([['a', 'done']]) }, figures);
  expect([figures.knownFailures, [...figures.wrong.values()]]).toEqual([0, [1]]);
  const unread = { ...transcript, messages: transcript.messages.map((message) => ({ ...message, content: [] })) };
  measure(unread, figures);
  expect(figures.sessions).toBe(2);
});

import { parseJson } from '../../../src/shared/json.ts';
import {
  type Fields,
  fieldsOf,
  listOf,
  textOf,
  type Transcript,
  TranscriptBuilder,
  type TranscriptFormat,
} from './transcript.ts';

/** Claude Code, and droid's sessions, which have the same messages. */
const claudeCode: TranscriptFormat = (records) => {
  const isDroid = records.some(({ type }) => type === 'session_start');
  const messages = records.filter(({ type, message }) => isMessageType(type) && message !== undefined);
  if (messages.length === 0 || records.some(({ type }) => type === 'session' || type === 'session_meta'))
    return undefined;
  const builder = new TranscriptBuilder();
  const seen = new Set<string>();
  for (const { uuid, message, isSidechain, type, isMeta, timestamp, toolUseResult } of messages) {
    // A resumed session repeats its messages.
    const id = textOf(uuid);
    if (isSidechain === true || (id !== '' && seen.has(id))) continue;
    seen.add(id);
    builder.begin(timestamp, type === 'user' && isMeta === true ? 'tooling' : 'unknown');
    addAnthropicMessage(builder, fieldsOf(message), fieldsOf(toolUseResult)['success'] === false);
  }
  return builder.build(isDroid ? 'droid' : 'Claude Code');
};

function isMessageType(type: unknown): boolean {
  return type === 'user' || type === 'assistant' || type === 'message';
}

/** Adds a message in the form of Anthropic's API. `hasFailed`: the transcript says elsewhere that its call failed. */
function addAnthropicMessage(builder: TranscriptBuilder, { role, content }: Fields, hasFailed = false): void {
  const author = role === 'assistant' ? 'assistant' : 'user';
  if (typeof content === 'string') {
    builder.text(author, content);
    return;
  }
  const blocks = listOf(content).map(fieldsOf);
  for (const block of blocks.filter(({ type }) => type === 'tool_result')) {
    const isError = block['is_error'] === true;
    const isFailed = isError || hasFailed || hasFailedOperation(block['content']) || tellsFailure(block['content']);
    builder.result(
      textOf(block['tool_use_id']),
      Array.isArray(block['content']) ? serviceBlocks(block['content']) : textOf(block['content']),
      isFailed ? 'failed' : 'done',
      isError,
    );
  }
  builder.add(
    author,
    blocks.filter(({ type }) => type === 'text' || type === 'tool_use' || type === 'thinking' || type === 'image'),
  );
}

/** The content of a result as a service would send it: objects without a type, as Cline writes them, become JSON. */
function serviceBlocks(content: readonly unknown[]): unknown {
  return content.every((block) => fieldsOf(block)['type'] === undefined) ? JSON.stringify(content) : content;
}

/**
 * Whether the text of a result reports a failure, for droid's commands and Claude Code's background tasks, which have
 * no error flag. Doesn't use Lineside's own code, because the result is compared with what that code finds.
 */
function tellsFailure(content: unknown): boolean {
  const text = textOf(content);
  return (
    /^Error: Command failed \(exit code: [1-9]/.test(text) || /^<retrieval_status>[^]{0,300}<exit_code>[1-9]/.test(text)
  );
}

function hasFailedOperation(content: unknown): boolean {
  const value = typeof content === 'string' ? parseJson(content) : content;
  const operations = Array.isArray(value) ? value : [value];
  return operations.map(fieldsOf).some(({ query, success }) => query !== undefined && success === false);
}

/** Codex's rollouts. Calls have no error flag; events have exit codes. */
const codex: TranscriptFormat = (records) => {
  if (!records.some(({ type }) => type === 'session_meta')) return undefined;
  const builder = new TranscriptBuilder();
  const names = new Map<string, string>();
  const typed = typedTexts(records);
  for (const record of records) {
    const payload = fieldsOf(record['payload']);
    const id = textOf(payload['call_id']);
    switch (`${textOf(record['type'])} ${textOf(payload['type'])}`) {
      case 'response_item message':
        addCodexMessage(builder, payload, typed);
        break;
      case 'response_item function_call':
      case 'response_item custom_tool_call':
        names.set(id, textOf(payload['name']));
        builder.call(id, textOf(payload['name']), payload['arguments'] ?? payload['input']);
        break;
      case 'response_item web_search_call':
        builder.call(id, 'web_search', payload['action'] ?? {});
        break;
      case 'response_item function_call_output':
      case 'response_item custom_tool_call_output': {
        const output = textOf(payload['output']);
        builder.result(id, output, codexOutcome(names.get(id) ?? '', output), false);
        break;
      }
    }
  }
  for (const [id, outcome] of codexEvents(records)) builder.know(id, outcome);
  return builder.build('Codex');
};

function addCodexMessage(
  builder: TranscriptBuilder,
  { role, content }: Fields,
  typed: ReadonlySet<string> | undefined,
): void {
  if (role !== 'user' && role !== 'assistant') return;
  const texts = listOf(content)
    .map((block) => textOf(fieldsOf(block)['text']))
    .filter((text) => text.trim() !== '');
  if (role === 'user' && typed) {
    builder.begin(undefined, texts.some((text) => typed.has(text.trim())) ? 'person' : 'tooling');
  }
  builder.add(
    role,
    texts.map((text) => ({ type: 'text', text })),
  );
}

/**
 * What the person typed. Codex stores it as events, next to the messages. Undefined for sessions without such events.
 */
function typedTexts(records: readonly Fields[]): ReadonlySet<string> | undefined {
  const events = records.filter(({ type }) => type === 'event_msg').map((record) => fieldsOf(record['payload']));
  const typed = events.filter(({ type }) => type === 'user_message').map(({ message }) => textOf(message).trim());
  return typed.length === 0 ? undefined : new Set(typed);
}

/**
 * The outcomes in events, for commands only if they succeeded. A command that is still running has no event of its own,
 * so its call isn't among them.
 */
function codexEvents(records: readonly Fields[]): ReadonlyMap<string, 'failed' | 'done'> {
  const outcomes = new Map<string, 'failed' | 'done'>();
  for (const payload of records
    .filter(({ type }) => type === 'event_msg')
    .map((record) => fieldsOf(record['payload']))) {
    const { type, call_id, exit_code, success } = payload;
    if (type === 'patch_apply_end') outcomes.set(textOf(call_id), success === true ? 'done' : 'failed');
    if (type === 'exec_command_end' && exit_code === 0) outcomes.set(textOf(call_id), 'done');
  }
  return outcomes;
}

/** The outcome that the text of a result reports. Like {@link tellsFailure}, doesn't use Lineside's own code. */
function codexOutcome(name: string, output: string): 'failed' | 'done' | 'unknown' {
  const [, exitCode] = /(?:^|\n)Process exited with code (-?\d+)\nOriginal token count/.exec(output) ?? [];
  if (exitCode !== undefined) return Number(exitCode) === 0 ? 'done' : 'failed';
  if (/(?:^|\n)Process running with session ID \d+\n/.test(output)) return 'done';
  if (/^(?:[a-z_/]+ |collab \w+ )(?:verification )?failed: |^failed to parse /.test(output)) return 'failed';
  const { metadata } = fieldsOf(parseJson(output));
  const code = fieldsOf(metadata)['exit_code'];
  if (typeof code === 'number') return code === 0 ? 'done' : 'failed';
  return name === 'update_plan' ? 'done' : 'unknown';
}

const pi: TranscriptFormat = (records) => {
  if (!records.some(({ type }) => type === 'session')) return undefined;
  const builder = new TranscriptBuilder();
  for (const record of records) {
    const message = fieldsOf(record['message']);
    const blocks = listOf(message['content']).map(fieldsOf);
    if (message['role'] === 'toolResult') {
      const isError = message['isError'] === true;
      builder.result(textOf(message['toolCallId']), blocks, isError ? 'failed' : 'done');
    }
    if (message['role'] !== 'user' && message['role'] !== 'assistant') continue;
    if (typeof message['content'] === 'string') builder.text(message['role'], message['content']);
    builder.add(
      message['role'],
      blocks.flatMap((block) => {
        if (block['type'] === 'text' || block['type'] === 'thinking') return [block];
        if (block['type'] !== 'toolCall') return [];
        return [{ type: 'tool_use', id: block['id'], name: block['name'], input: block['arguments'] }];
      }),
    );
  }
  return builder.build('pi');
};

/** Gemini CLI and Qwen Code: a document with messages, or a message on each line. */
const gemini: TranscriptFormat = (records) => {
  const [first = {}] = records;
  const messages = Array.isArray(first['messages']) ? listOf(first['messages']).map(fieldsOf) : records;
  if (!messages.some(({ type }) => type === 'gemini')) return undefined;
  const builder = new TranscriptBuilder();
  for (const { type, content, toolCalls } of messages) {
    const text = typeof content === 'string' ? content : partsText(content);
    if (type === 'user' || type === 'gemini') builder.text(type === 'user' ? 'user' : 'assistant', text);
    for (const call of listOf(toolCalls).map(fieldsOf)) {
      const id = textOf(call['id']);
      builder.call(id, textOf(call['name']), call['args']);
      const isFailed = call['status'] === 'error' || call['status'] === 'cancelled';
      builder.result(id, geminiOutput(call), isFailed ? 'failed' : 'done');
    }
  }
  return builder.build('Gemini CLI');
};

function geminiOutput({ result, resultDisplay }: Fields): string {
  const [part = {}] = listOf(result).map(fieldsOf);
  const { output, error } = fieldsOf(fieldsOf(part['functionResponse'])['response']);
  return textOf(output ?? error ?? resultDisplay);
}

function partsText(parts: unknown): string {
  return listOf(parts)
    .map((part) => textOf(fieldsOf(part)['text']))
    .join('\n');
}

/** opencode: its stream of events, each on its own or in the field `event` of a record. */
const opencode: TranscriptFormat = (records) => {
  const events = records.map((record) => fieldsOf(record['event'] ?? record));
  const parts = new Map<string, Fields>();
  for (const { type, properties, part } of events) {
    const own = type === 'message.part.updated' ? fieldsOf(fieldsOf(properties)['part']) : fieldsOf(part);
    if (own['sessionID'] !== undefined) parts.set(textOf(own['id']), own);
  }
  if (parts.size === 0) return undefined;
  const builder = new TranscriptBuilder();
  for (const part of parts.values()) {
    if (part['type'] === 'text') builder.text('assistant', textOf(part['text']));
    if (part['type'] !== 'tool') continue;
    const id = textOf(part['callID']);
    const state = fieldsOf(part['state']);
    builder.call(id, textOf(part['tool']), state['input']);
    const isFailed = state['status'] === 'error';
    if (!isFailed && state['status'] !== 'completed') continue;
    builder.result(id, textOf(state['output'] ?? state['error']), isFailed ? 'failed' : 'done');
  }
  return builder.build('opencode');
};

/** Cline 4: a document with messages in the form of Anthropic's API. */
const cline: TranscriptFormat = (records) => {
  const [first = {}] = records;
  if (!Array.isArray(first['messages']) || first['sessionId'] === undefined) return undefined;
  const messages = listOf(first['messages']).map(fieldsOf);
  if (!messages.every(({ role }) => role === 'user' || role === 'assistant')) return undefined;
  const builder = new TranscriptBuilder();
  for (const message of messages) addAnthropicMessage(builder, message);
  return builder.build('Cline');
};

/** GitHub Copilot CLI. */
const copilot: TranscriptFormat = (records) => {
  if (!records.some(({ type }) => type === 'assistant.message')) return undefined;
  const builder = new TranscriptBuilder();
  for (const { type, data } of records) {
    const fields = fieldsOf(data);
    if (type === 'user.message') builder.text('user', textOf(fields['content']));
    if (type === 'assistant.message') {
      builder.text('assistant', textOf(fields['content']));
      for (const request of listOf(fields['toolRequests']).map(fieldsOf)) {
        builder.call(textOf(request['toolCallId']), textOf(request['name']), request['arguments']);
      }
    }
    if (type !== 'tool.execution_complete') continue;
    const content = textOf(fieldsOf(fields['result'])['content'] ?? fieldsOf(fields['error'])['message']);
    builder.result(textOf(fields['toolCallId']), content, fields['success'] === false ? 'failed' : 'done');
  }
  return builder.build('Copilot CLI');
};

const formats: readonly TranscriptFormat[] = [codex, copilot, gemini, cline, opencode, pi, claudeCode];

/** Reads a session in one of the known formats, from JSON or from lines of JSON. Undefined for another format. */
export function readTranscript(text: string): Transcript | undefined {
  const whole = text.startsWith('[') || text.startsWith('{\n') ? parseJson(text) : undefined;
  const lines = whole === undefined ? text.split('\n').map(parseJson) : Array.isArray(whole) ? whole : [whole];
  const records = lines.map(fieldsOf).filter((record) => Object.keys(record).length > 0);
  for (const format of formats) {
    const transcript = format(records);
    if (transcript && transcript.messages.length > 0) return transcript;
  }
  return undefined;
}

import { defined } from '../../shared/defined.ts';
import type { ContentBlock, Message, MessageDetails, MessageRole } from '../resources.ts';

const secondMs = 1000;

/** Builds a past conversation: messages in order, several seconds apart, each with the previous one as its parent. */
export class Transcript {
  readonly #name: string;
  readonly #messages: Message[] = [];
  #timeMs: number;

  /** `name` is part of all IDs. The first message is created at `startedAtMs`. */
  constructor(name: string, startedAtMs: number) {
    this.#name = name;
    this.#timeMs = startedAtMs;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The time of the newest message, in Unix ms. */
  get endedAtMs(): number {
    return this.#timeMs;
  }

  /**
   * Adds a message `afterSeconds` after the previous one and returns its ID. A string is converted to one text block.
   */
  add(
    role: MessageRole,
    content: string | readonly ContentBlock[],
    details: MessageDetails = {},
    afterSeconds = 9,
  ): string {
    const place = this.#messages.length;
    this.#timeMs += place === 0 ? 0 : afterSeconds * secondMs;
    const parentId = this.#messages.at(-1)?.id;
    const id = `msg_${this.#name}_${String(place + 1).padStart(5, '0')}`;
    this.#messages.push({
      id,
      role,
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      createdAt: this.#timeMs,
      updatedAt: this.#timeMs,
      ...defined({ parentId }),
      ...details,
    });
    return id;
  }

  user(content: string | readonly ContentBlock[], details: MessageDetails = {}): string {
    return this.add('user', content, { userMessageSource: 'web', visibility: 'both', ...details }, 74);
  }

  assistant(content: string | readonly ContentBlock[], details: MessageDetails = {}): string {
    return this.add('assistant', content, details);
  }

  /** Adds a tool call without a result and returns its ID. */
  call(name: string, input: Readonly<Record<string, unknown>>, announcement?: string): string {
    const id = `toolu_${this.#name}_${this.#messages.length}`;
    const use: ContentBlock = { type: 'tool_use', id, name, input };
    const content: ContentBlock[] = announcement === undefined ? [use] : [{ type: 'text', text: announcement }, use];
    this.add('assistant', content, { openaiPhase: 'commentary' });
    return id;
  }

  /** Adds a tool call and its result. */
  tool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    result: string | readonly ContentBlock[],
    isError = false,
  ): void {
    const toolUseId = this.call(name, input);
    this.add('tool', [{ type: 'tool_result', toolUseId, content: result, isError }], {}, 3);
  }

  /** Adds a call that updates the to-do list. The first `done` items are completed, and the next one is current. */
  plan(items: readonly string[], done: number): void {
    const todos = items.map((content, index) => ({
      content,
      status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
    }));
    this.tool('todo_write', { todos }, `Updated the list: ${done} of ${items.length} items are completed.`);
  }
}

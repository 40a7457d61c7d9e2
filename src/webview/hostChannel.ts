import type { HostMessage } from '../shared/protocol/hostMessages.ts';
import type {
  PageAnswers,
  PageMessage,
  PageQuestion,
  PageQuestionType,
  PageState,
} from '../shared/protocol/pageMessages.ts';
import type { PageSession } from '../shared/protocol/pageModel.ts';
import type { Disposable } from '../shared/lifecycle.ts';

interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): EditorApi;

declare global {
  interface Window {
    /** Messages that arrived before the page's script was loaded, collected by `views/conversation/pageHtml.ts`. */
    linesideEarly?: MessageEvent<unknown>[];
  }
}

/** The channel between a page and the extension, by default for the conversation page. */
export interface HostChannel<Sent = PageMessage, Heard = HostMessage> {
  post(message: Sent): void;
  /**
   * Asks the host. `session` is the session that the question is about, if any. Resolves to the host's answer; to
   * undefined if the host has none, or if it failed to find one.
   */
  ask<K extends PageQuestionType>(
    type: K,
    question: PageQuestion<K>,
    session?: PageSession,
  ): Promise<PageAnswers[K] | undefined>;
  /**
   * Passes every message from the host to `hear`, in order, until disposed. Begins in a separate task, with the
   * messages that have arrived since the page was created.
   */
  listen(hear: (message: Heard) => void): Disposable;
  /** The state that this page saved before it was hidden or reloaded, without fields of the wrong type. */
  readState(): PageState;
  writeState(state: PageState): void;
}

interface Answer<K extends PageQuestionType> {
  readonly type: string;
  readonly askId: number;
  readonly answer: PageAnswers[K] | undefined;
}

/** Acquires the VS Code API, which is possible only once per page load, and keeps it out of the global scope. */
export function openHostChannel<Sent = PageMessage, Heard = HostMessage>(): HostChannel<Sent, Heard> {
  const editor = acquireVsCodeApi();
  let lastAskId = 0;
  return {
    post: (message) => editor.postMessage(message),
    ask: (type, question, session) =>
      new Promise((resolve) => {
        const askId = ++lastAskId;
        const handler = ({ data }: MessageEvent<Answer<typeof type>>) => {
          if (!isMessage(data) || data.type !== 'answer' || data.askId !== askId) return;
          window.removeEventListener('message', handler);
          resolve(data.answer);
        };
        window.addEventListener('message', handler);
        editor.postMessage({ type, askId, ...question, ...session });
      }),
    listen(hear) {
      // The origin isn't checked, because only the host can post to this frame: the page can't contain other frames.
      const handler = (event: MessageEvent<Heard>) => {
        if (isMessage(event.data)) hear(event.data);
      };
      const begin = () => {
        const early = window.linesideEarly ?? [];
        delete window.linesideEarly;
        window.addEventListener('message', handler);
        for (const { data } of early) window.dispatchEvent(new MessageEvent('message', { data }));
      };
      const turn = ownTurn(begin);
      return {
        dispose: () => {
          turn.dispose();
          window.removeEventListener('message', handler);
        },
      };
    },
    readState: () => parseState(editor.getState()),
    writeState: (state) => editor.setState(state),
  };
}

/**
 * Runs `begin` in a separate task, so that the page can handle other events first. It doesn't use a timer, because
 * browsers throttle timers in hidden windows.
 */
function ownTurn(begin: () => void): Disposable {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    begin();
  };
  port2.postMessage(undefined);
  return { dispose: () => port1.close() };
}

function isMessage(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
}

function parseState(kept: unknown): PageState {
  if (typeof kept !== 'object' || kept === null) return {};
  const fields = new Map<string, unknown>(Object.entries(kept));
  const text = (name: string) => pick(fields.get(name), (value) => typeof value === 'string');
  const origin = text('origin');
  const sessionId = text('sessionId');
  const anchorKey = text('anchorKey');
  const anchorOffsetPx = fields.get('anchorOffsetPx');
  const atEnd = fields.get('atEnd');
  return {
    ...(origin === undefined ? {} : { origin }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(anchorKey === undefined ? {} : { anchorKey }),
    ...(typeof anchorOffsetPx === 'number' ? { anchorOffsetPx } : {}),
    ...(typeof atEnd === 'boolean' ? { atEnd } : {}),
  };
}

function pick<T>(value: unknown, fits: (value: unknown) => value is T): T | undefined {
  return fits(value) ? value : undefined;
}

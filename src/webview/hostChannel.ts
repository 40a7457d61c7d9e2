import type { HostMessage, PageMessage, PageState } from '../shared/protocol/pageMessages.ts';
import type { Disposable } from '../shared/lifecycle.ts';

interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): EditorApi;

declare global {
  interface Window {
    /** What came before the page's script was there; views/pageHtml keeps it. */
    linesideEarly?: MessageEvent<unknown>[];
  }
}

/** The one line between a page and the extension; the conversation's unless said otherwise. */
export interface HostChannel<Sent = PageMessage, Heard = HostMessage> {
  post(message: Sent): void;
  /** Hears every message of the host, in order, until disposed. */
  listen(hear: (message: Heard) => void): Disposable;
  /** What this page kept before it was hidden or reloaded; empty if that is unreadable. */
  readState(): PageState;
  writeState(state: PageState): void;
}

/** Takes the editor's handle, which can be had once in the life of a page, and keeps it out of the global scope. */
export function openHostChannel<Sent = PageMessage, Heard = HostMessage>(): HostChannel<Sent, Heard> {
  const editor = acquireVsCodeApi();
  return {
    post: (message) => editor.postMessage(message),
    listen(hear) {
      // The host is the only one who can post to this frame with its origin; a frame inside the page cannot exist.
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
 * Does something in a task of its own, so that the page can answer in between. No timer: browsers hold those back in a
 * window that is not seen.
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

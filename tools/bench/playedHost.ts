import type { HostMessage } from '../../src/shared/protocol/hostMessages.ts';
import type { PageMessage } from '../../src/shared/protocol/pageMessages.ts';
import type { PageConversation } from '../../src/shared/protocol/pageModel.ts';
import type { PageRow } from '../../src/shared/protocol/rowTypes.ts';

/** Durations of one opening, in ms. */
export interface Opening {
  /** From the first message to the first paint with content. */
  readonly paintedMs: number;
  /** The longest task that blocked the page until all bodies were received. */
  readonly longestTaskMs: number;
  /** The longest time that the page itself spent on one message, including rendering. */
  readonly longestOwnMs: number;
  /** From the first message until all bodies were received. */
  readonly streamedMs: number;
}

export interface Drag {
  /** Times between frames, in ms; 16.7 on a 60 Hz screen. */
  readonly stepMs: readonly number[];
  /** Share of frames in which part of the viewport was empty or showed a placeholder. */
  readonly blankShare: number;
}

/** A simulated host that runs inside the page, so that no test tool adds a delay between a message and its effect. */
interface PlayedHost {
  prepare(count: number, setup: HostMessage, around: PageConversation): void;
  open(): Promise<Opening>;
  drag(steps: number): Promise<Drag>;
  /** Times from a new message to its paint, in ms, for `times` messages. */
  append(times: number): Promise<number[]>;
  /** Adds `count` messages as quickly as the page handles them. */
  stream(count: number): Promise<void>;
  /** Times from key press to the next paint, in ms, for all key presses since the last call. */
  takeKeys(): number[];
}

declare global {
  interface Window {
    playedHost: PlayedHost;
  }
}

/**
 * Runs in the page before the page's script. It is injected as text, so it can't use anything outside its body.
 * Generates a varied, reproducible conversation of about 1.2 KB per message, and sends it as the extension does: 1,000
 * row stubs with the last 40 bodies, then the earlier stubs in batches of 10,000, then bodies in batches of 2,000
 * lines, up to 400,000 lines.
 */
export function playHost(): void {
  const sentence = 'The upload client retries with a delay that doubles each time and starts at one second. ';
  const code =
    '```ts\nexport const delayMs = (attempt: number): number =>\n  Math.min(30_000, 2 ** attempt * 1000);\n```';
  const textOf = (index: number): string => {
    const parts = [`Message ${index}. ${sentence.repeat(2 + ((index * 7) % 9))}`];
    if (index % 3 === 0) parts.push('- one\n- two with `code`\n- **three** and [a link](https://example.com/a)');
    if (index % 4 === 0) parts.push(code);
    if (index % 7 === 0) parts.push('| a | b |\n|--|--:|\n| one | 1 |\n| two | 2 |');
    parts.push(sentence.repeat(1 + ((index * 5) % 8)));
    return parts.join('\n\n');
  };
  const rowOf = (index: number): PageRow => ({
    key: `m${index}`,
    role: index % 4 === 0 ? 'user' : 'assistant',
    roleLabel: index % 4 === 0 ? 'You' : 'Agent',
    createdAt: 1_700_000_000_000 + index * 60_000,
    isError: false,
    badges: [],
    blocks: [{ type: 'markdown', text: textOf(index) }],
  });
  const linesOf = (row: PageRow): number => {
    const text = row.blocks.map((block) => ('text' in block ? block.text : '')).join('\n');
    return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 60)), 0);
  };

  const hear = (message: unknown) =>
    new Promise<void>((resolve) => {
      const heard = ({ data }: MessageEvent) => {
        if (data !== 'told') return;
        window.removeEventListener('message', heard);
        resolve();
      };
      window.postMessage(message, '*');
      window.addEventListener('message', heard);
      window.postMessage('told', '*');
    });
  const painted = () =>
    new Promise<void>((resolve) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve();
        channel.port2.postMessage(undefined);
      });
    });

  let allRows: PageRow[] = [];
  const own = window.acquireVsCodeApi;
  // Simulate the round trip to the extension, which takes about 3 ms.
  const answer = (keys: readonly string[]) => {
    const rows = keys.flatMap((key) => allRows[Number(key.slice(1))] ?? []);
    setTimeout(() => window.postMessage({ type: 'rows', rows }, '*'), 3);
  };
  window.acquireVsCodeApi = () => {
    const api = own() as { postMessage: (message: PageMessage) => void };
    const postMessage = (message: PageMessage) => {
      api.postMessage(message);
      if (message.type === 'wantRows') answer(message.keys);
    };
    return { ...api, postMessage };
  };

  let messages: HostMessage[] = [];
  let pieces: HostMessage[] = [];
  let next = 0;
  let keys: number[] = [];
  let longestTaskMs = 0;
  let longestOwnMs = 0;
  let heardAtMs = 0;
  // Read `event.data` before the page's own listener does, so that deserializing the message counts toward the channel.
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    heardAtMs = event.data === undefined ? 0 : performance.now();
  });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, entry.duration);
  }).observe({ type: 'longtask' });
  window.addEventListener('keydown', (event) => {
    void painted().then(() => keys.push(performance.now() - event.timeStamp));
  });

  const isBlank = (): boolean => {
    const view = document.querySelector('.rows')?.getBoundingClientRect();
    if (!view) return true;
    return [0.1, 0.5, 0.9].some((share) => {
      const row = document.elementFromPoint(view.left + view.width / 2, view.top + view.height * share);
      const article = row?.closest('article');
      // The canvas between two rows doesn't count as blank, because the next row is only a few pixels away.
      return article ? article.classList.contains('is-waiting') : row === null || row.matches('.rows');
    });
  };

  const addNext = (): void => {
    const row = rowOf(next);
    const rowStubs = [{ key: row.key, estimatedLines: linesOf(row) }];
    window.postMessage({ type: 'patch', patches: [{ op: 'insert', index: next, rowStubs, rows: [row] }] }, '*');
    next += 1;
  };

  window.playedHost = {
    prepare(count, setup, around) {
      window.addEventListener('message', () => {
        longestOwnMs = Math.max(longestOwnMs, performance.now() - heardAtMs);
      });
      const rows = Array.from({ length: count }, (_, index) => rowOf(index));
      allRows = rows;
      const weights = rows.map(linesOf);
      const rowStubs = (from: number, to: number): string => {
        const keys = rows.slice(from, to).map(({ key }) => key);
        return JSON.stringify({ keys, weights: weights.slice(from, to), promptIndexes: [] });
      };
      const earlierCount = Math.max(0, count - 1_000);
      const conversation = { ...around, rowStubs: rowStubs(earlierCount, count), earlierCount, rows: rows.slice(-40) };
      messages = [setup, { type: 'conversation', conversation }];
      pieces = [];
      for (let to = earlierCount; to > 0; to -= 10_000) {
        const from = Math.max(0, to - 10_000);
        pieces.push({ type: 'earlier', rowStubs: rowStubs(from, to), leftCount: from });
      }
      next = count;
      let sum = 0;
      for (let index = count - 41; index >= 0 && sum < 400_000;) {
        const piece: PageRow[] = [];
        for (let lines = 0; index >= 0 && lines < 2_000; index -= 1) {
          const row = rows[index];
          const weight = weights[index] ?? 1;
          if (row) piece.push(row);
          lines += weight;
          sum += weight;
        }
        pieces.push({ type: 'rows', rows: piece });
      }
    },
    async open() {
      await painted();
      longestTaskMs = 0;
      longestOwnMs = 0;
      const start = performance.now();
      for (const message of messages) window.postMessage(message, '*');
      await hear('first');
      await painted();
      const paintedMs = performance.now() - start;
      for (const piece of pieces) await hear(piece);
      await painted();
      const streamedMs = performance.now() - start;
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 }));
      return { paintedMs, longestTaskMs, longestOwnMs, streamedMs };
    },
    async drag(steps) {
      const view = document.querySelector('.rows');
      const stepMs: number[] = [];
      let blank = 0;
      if (!view) return { stepMs, blankShare: 0 };
      let before = performance.now();
      for (let step = steps; step >= 0; step -= 1) {
        view.scrollTop = ((view.scrollHeight - view.clientHeight) * step) / steps;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const now = performance.now();
        stepMs.push(now - before);
        before = now;
        if (isBlank()) blank += 1;
      }
      view.scrollTop = view.scrollHeight;
      await painted();
      return { stepMs: stepMs.slice(1), blankShare: blank / (steps + 1) };
    },
    async append(times) {
      const taken: number[] = [];
      for (let time = 0; time < times; time += 1) {
        const start = performance.now();
        addNext();
        await hear('appended');
        await painted();
        taken.push(performance.now() - start);
      }
      return taken;
    },
    async stream(count) {
      for (let added = 0; added < count; added += 1) {
        addNext();
        await hear('appended');
      }
      await painted();
    },
    takeKeys() {
      const taken = keys;
      keys = [];
      return taken;
    },
  };
}

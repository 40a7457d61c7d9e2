import { type ChildProcess, fork } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Message } from '../../../src/api/message.ts';
import type { ChildReport, ServiceCall, ServiceReply } from './crashChild.ts';
import { temporaryFolder } from './rig.ts';

const kills = Number(process.env['KILLS'] ?? 30);
const typedPerWindow = 3;
/** Printed where the test fails; the same seed gives the same faults and the same times of the kills. */
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** The service: it outlives every window. Some calls fail, before or after they were processed. */
class ParentService {
  readonly created = new Map<string, Message[]>();
  readonly #random: () => number;
  isWell = false;
  #lastCreatedAt = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  take(call: ServiceCall): ServiceReply {
    const fault = this.isWell ? 1 : this.#random();
    const { callId, sessionId } = call;
    if (fault < 0.08) return { callId, fails: call.call === 'add' ? 'refused' : 'reset' };
    if (fault < 0.16) return { callId, fails: call.call === 'add' ? 'rejected' : 'reset' };
    if (fault < 0.24) return { callId, fails: 'reset' };
    const messages = this.created.get(sessionId) ?? [];
    if (call.call === 'list') {
      const newestFirst = messages.toReversed().slice(0, 100);
      return { callId, page: { messages: newestFirst, skippedCount: 0, hasMore: false, serverTimeMs: Date.now() } };
    }
    const createdAt = Math.max(this.#lastCreatedAt + 1, Date.now());
    this.#lastCreatedAt = createdAt;
    const content = [call.text, ...call.files].map((text) => ({ type: 'text', text }) as const);
    const message: Message = { id: `m${createdAt}`, role: 'user', createdAt, updatedAt: createdAt, content };
    this.created.set(sessionId, [...messages, message]);
    if (fault < 0.34) return { callId, fails: 'reset' };
    return { callId, added: { messageId: message.id, status: 'running' } };
  }
}

function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Runs one window until `killAfterCalls` calls of it arrived, or to its end. Answers come a random moment later. */
async function runWindow(
  folder: string,
  numbers: readonly [number, number],
  service: ParentService,
  typed: Set<string>,
  killAfterCalls: number,
  random: () => number,
): Promise<void> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'crashChild.ts'), [folder, ...numbers.map(String)], {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let calls = 0;
  child.on('message', (message: ServiceCall | ChildReport) => {
    if ('typed' in message) {
      typed.add(message.typed);
      return;
    }
    const isLast = ++calls >= killAfterCalls;
    const killsFirst = random() < 0.5;
    if (isLast && killsFirst) child.kill('SIGKILL');
    const reply = service.take(message);
    if (child.connected) child.send(reply, () => undefined);
    if (isLast && !killsFirst) setImmediate(() => child.kill('SIGKILL'));
  });
  await new Promise<void>((resolve) => child.on('close', () => resolve()));
}

it(
  `loses nothing and doubles nothing when it is killed ${kills} times (R34), seed ${seed}`,
  { timeout: 60_000 + kills * 2_000 },
  async () => {
    const folder = await temporaryFolder();
    const random = seeded(seed);
    const service = new ParentService(random);
    const typed = new Set<string>();
    try {
      let number = 0;
      for (let kill = 0; kill < kills; kill++) {
        const killAfterCalls = 1 + Math.floor(random() * 12);
        await runWindow(folder.path, [number, number + typedPerWindow], service, typed, killAfterCalls, random);
        number += typedPerWindow;
      }
      service.isWell = true;
      await runWindow(folder.path, [number, number], service, typed, Infinity, random);
      const created = [...service.created.values()]
        .flat()
        .map(({ content }) => content.map((block) => ('text' in block ? block.text : '')));
      const texts = created.map(([text]) => text ?? '');
      expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
      expect([...typed].filter((text) => !texts.includes(text))).toEqual([]);
      expect(typed.size).toBeGreaterThan(kills);
      for (const [text, file] of created) expect(file).toBe(`bytes of ${text}`);
      expect(await readdir(join(folder.path, 'outbox'))).toEqual([]);
      const strays = (await readdir(folder.path, { recursive: true })).filter((name) => name.endsWith('.tmp'));
      expect(strays).toEqual([]);
    } finally {
      await folder.remove();
    }
  },
);

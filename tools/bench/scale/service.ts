import type { ContentBlock, Message } from '../../../src/demoService/resources.ts';
import type { SeededSession } from '../../../src/demoService/sessionStore.ts';
import { forwardTo, startFaultServer } from '../../../test/fakes/faultServer.ts';
import { startSilentService } from '../../../test/fakes/silentService.ts';
import { AnswerTimes, type BenchService } from '../service/benchService.ts';

const sentence = 'The upload client retries with a delay that doubles each time and starts at one second. ';
const numbers = (count: number): number[] => Array.from({ length: count }, (_, place) => place);
const repeated = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);

/** Texts of the last message of each conversation, by the titles of their columns. */
const lastTexts: Readonly<Record<string, string>> = {
  'short message': sentence,
  'message of 1 MB': repeated(`${sentence.repeat(4)}\n\n`, 1_000_000),
  'message of 10 MB': repeated(`${sentence.repeat(4)}\n\n`, 10_000_000),
  'line of 1 MB': repeated(sentence, 1_000_000),
  'word of 1 MB': 'x'.repeat(1_000_000),
  'table of 10,000 rows': [
    '| number | name | amount |',
    '| --- | --- | ---: |',
    ...numbers(10_000).map((row) => `| ${row} | part ${row} | ${row * 3} |`),
  ].join('\n'),
  'code of 50,000 lines': [
    '```ts',
    ...numbers(50_000).map((line) => `export const value${line} = compute(${line}, 'text');`),
    '```',
  ].join('\n'),
};

/** Starts a service with one conversation for each of these texts: 20 short messages, and one that ends in the text. */
export async function startScaleService(): Promise<BenchService> {
  const startedAtMs = Date.now() - 3_600_000;
  const ids = Object.keys(lastTexts).map((title) => title.replaceAll(/\W+/g, '-'));
  const seeds = Object.values(lastTexts).map((text, place) => seedOf(ids[place] ?? '', text, startedAtMs + place));
  const silent = await startSilentService(seeds, 'the-key-of-the-benchmark');
  const answers = new AnswerTimes();
  const forward = forwardTo(silent.baseUrl);
  const wire = await startFaultServer({ service: async (request) => answers.note(await forward(request)) });
  return {
    baseUrl: wire.origin,
    token: silent.token,
    conversations: Object.keys(lastTexts).map((title, place) => ({
      title,
      sessionId: ids[place] ?? '',
      lastText: /The long answer/,
      commentCount: 0,
      post: async (text) => {
        answers.expect(text);
        await Promise.resolve(
          silent.store.append(ids[place] ?? '', { role: 'user', content: [{ type: 'text', text }] }),
        );
      },
    })),
    answeredAtMs: (text) => answers.of(text),
    dispose: async () => {
      await wire.dispose();
      await silent.dispose();
    },
  };
}

function seedOf(sessionId: string, lastText: string, startedAtMs: number): SeededSession {
  const texts = [...numbers(20).map((place) => `Part ${place}. ${sentence}`), `The long answer.\n\n${lastText}`];
  const messages = texts.map((text, place): Message => {
    const content: ContentBlock[] = [{ type: 'text', text }];
    const at = startedAtMs + place * 1_000;
    const role = place % 2 === 0 && place < 20 ? 'user' : 'assistant';
    return { id: `${sessionId}-${place}`, role, content, createdAt: at, updatedAt: at };
  });
  const { updatedAt } = messages.at(-1) ?? { updatedAt: startedAtMs };
  const counts = { messageCount: messages.length, createdAt: startedAtMs, updatedAt };
  return { session: { sessionId, status: 'idle', title: sessionId, ...counts }, messages };
}

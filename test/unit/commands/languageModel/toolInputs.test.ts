import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { CallLimit } from '../../../../src/commands/languageModel/callLimit.ts';
import { checked } from '../../../../src/commands/languageModel/toolCall.ts';
import { toolInputs } from '../../../../src/commands/languageModel/toolInputs.ts';
import { quoteParts } from '../../../../src/commands/languageModel/toolResult.ts';
import { root } from '../../../../tools/l10n/sourceFiles.ts';

interface ManifestTool {
  readonly name: string;
  readonly when: string;
  readonly modelDescription: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly contributes: { readonly languageModelTools: readonly ManifestTool[] };
};
const tools = contributes.languageModelTools;

/** A JSON Schema without the texts for the model. */
function withoutDescriptions(schema: unknown): object {
  const text = JSON.stringify(schema, (name, value: unknown) => (name === 'description' ? undefined : value));
  return JSON.parse(text) as object;
}

describe('the inputs of language model tools', () => {
  it.each(Object.entries(toolInputs))('are the same in the manifest and in the schema of %s', (name, schema) => {
    const { inputSchema } = tools.find((tool) => tool.name === name) ?? {};
    const { $schema } = z.toJSONSchema(schema);
    expect({ $schema, ...withoutDescriptions(inputSchema) }).toEqual(z.toJSONSchema(schema));
  });

  it('have a schema for each tool of the manifest, which is off in an untrusted workspace', () => {
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(toolInputs));
    expect(tools.filter(({ when }) => !when.startsWith('isWorkspaceTrusted'))).toEqual([]);
  });

  it.each(Object.entries(toolInputs))('of %s reject a field that the schema does not list', async (_name, schema) => {
    const run = vi.fn(() => Promise.resolve(''));
    const tool = checked<z.ZodMiniType>(schema, run);
    const input = { sessionId: 's1', text: 'x', last: 1, status: 'idle', service: 'https://evil.test' };
    await expect(tool(input, { limits: undefined, token: never })).rejects.toThrow(/invalid/);
    expect(run).not.toHaveBeenCalled();
  });
});

const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };

describe('a tool result', () => {
  const limits = (tokenBudget: number) => ({
    tokenBudget,
    countTokens: (text: string) => Promise.resolve(text.length),
  });

  it('keeps the newest parts that fit into the token budget', async () => {
    const parts = ['old '.repeat(200), 'middle', 'new'];
    const text = await quoteParts('About.', parts, 'last', limits(600));
    expect(text).toContain('(1 of 3 left out');
    expect(text).toMatch(/middle\n\nnew\n--- end/);
    expect(text.length).toBeLessThanOrEqual(600);
  });

  it('cuts a part that alone is too long', async () => {
    const text = await quoteParts('About.', ['x'.repeat(5_000)], 'last', limits(800));
    expect(text).toContain('xxx\n(cut)');
    expect(text.length).toBeLessThanOrEqual(800);
  });

  it('has another boundary each time', async () => {
    const boundaryOf = async () => /--- begin (\S+) ---/.exec(await quoteParts('', ['x'], 'first', undefined))?.[1];
    const [first, second] = [await boundaryOf(), await boundaryOf()];
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(first).not.toBe(second);
  });
});

describe('the limit of calls', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
  afterEach(() => vi.useRealTimers());
  const takeAfter = (limit: CallLimit, pauseMs: number) => {
    vi.advanceTimersByTime(pauseMs);
    return limit.take();
  };

  it('counts the calls of the last minute', () => {
    const limit = new CallLimit(2);
    // The calls are made at 0, 10, 20, 59,999, 60,000, and 60,001 ms.
    const taken = [0, 10, 10, 59_979, 1, 1].map((pauseMs) => takeAfter(limit, pauseMs));
    expect(taken).toEqual([true, true, false, false, true, false]);
  });

  it('ends after a minute, even if the clock is set back', () => {
    const limit = new CallLimit(1);
    expect(limit.take()).toBe(true);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect([takeAfter(limit, 59_999), takeAfter(limit, 1)]).toEqual([false, true]);
  });
});

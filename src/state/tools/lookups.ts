import * as z from 'zod/mini';
import type { NamedCall } from './namedCall.ts';
import { pathSchema } from './paths.ts';
import type { ToolCall } from './toolCall.ts';

const maxItems = 1_000;
const changesSomething =
  /\b(write|create|edit|insert|update|delete|remove|move|rename|copy|replace|make|change|add|append|post|upload|set)\b/;

const nonEmpty = z.string().check(z.refine((text) => text.trim() !== ''));
const textList = z.union([nonEmpty, z.array(nonEmpty).check(z.minLength(1), z.maxLength(maxItems))]);

/** A pattern or a question for the content of files, their names, or the web: every agent. */
export function search(call: NamedCall): ToolCall | undefined {
  if (call.isNamed(changesSomething) || call.isNamed(/\btool\b/)) return undefined;
  const { data } = textList.safeParse(call.fields.query);
  const isSearch = call.isNamed(/\b(grep|search|find|finder|glob|rg|ripgrep|websearch|codesearch)\b/);
  if (data === undefined || (!isSearch && (call.fields.filter === undefined || call.fields.command !== undefined))) {
    return undefined;
  }
  return { kind: 'search', query: joined(data) };
}

/** A folder to list. Without a folder, it is the working directory. */
export function listing(call: NamedCall): ToolCall | undefined {
  if (!call.isNamed(/\b(ls|list|listdir|tree)\b/) || call.isNamed(changesSomething)) return undefined;
  if (call.isNamed(/\b(definitions?|symbols?|usages?|references?|code|todos?|tasks?)\b/)) return undefined;
  const { data } = pathSchema.safeParse(call.fields.folder);
  if (data !== undefined) return { kind: 'list', path: data };
  const isPlain = /^(ls|list|listdir|(list|directory) ?(dir|directory|files|path|tree))$/.test(call.words);
  return isPlain && call.fields.folder === undefined ? { kind: 'list', path: '.' } : undefined;
}

const fileItem = z.union([
  pathSchema,
  z.pipe(
    z.object({ path: pathSchema }),
    z.transform(({ path }) => path),
  ),
]);
const fileList = z.array(fileItem).check(z.minLength(1), z.maxLength(maxItems));

/** One or several files to read: every agent. */
export function reading(call: NamedCall): ToolCall | undefined {
  const { fields } = call;
  const isRead = call.isNamed(/\b(read|view|cat|open|show|get)\b/);
  if (call.isNamed(changesSomething) || call.isNamed(/\b(errors?|diagnostics|definitions?|symbols?|references)\b/)) {
    return undefined;
  }
  const path = pathSchema.safeParse(fields.path).data;
  const paths = path === undefined ? fileList.safeParse(fields.paths).data : [path];
  if (paths === undefined || !(isRead || (path !== undefined && fields.range !== undefined))) return undefined;
  return { kind: 'read', paths };
}

const address = /^[a-z][a-z0-9+.-]*:\S+$|^[\w-]+(\.[\w-]+)+(\/\S*)?$/i;
const addressSchema = z.string().check(z.maxLength(8_192), z.regex(address));
const addresses = z.union([addressSchema, z.array(addressSchema).check(z.minLength(1), z.maxLength(maxItems))]);

/** An address to fetch: every agent with access to the web. Gemini CLI has it in its prompt. */
export function fetching(call: NamedCall): ToolCall | undefined {
  if (!call.isNamed(/\b(fetch|webfetch|web|url|page|webpage|crawl|scrape|read)\b/)) return undefined;
  if (call.isNamed(changesSomething) || call.isNamed(/\b(browser|git|clone|search)\b/)) return undefined;
  const { data } = addresses.safeParse(call.fields.address);
  if (data !== undefined) return { kind: 'fetch', address: joined(data) };
  const prompt = z.string().safeParse(call.fields.prompt).data;
  if (prompt === undefined || call.fields.address !== undefined) return undefined;
  const [inPrompt] = /https?:\/\/[^\s"'<>]{1,8000}/.exec(prompt.slice(0, 20_000)) ?? [];
  return inPrompt === undefined ? undefined : { kind: 'fetch', address: inPrompt };
}

function joined(texts: string | readonly string[]): string {
  return typeof texts === 'string' ? texts : texts.join(', ');
}

import * as z from 'zod/mini';
import { argumentsOf, type NamedCall } from './namedCall.ts';
import { pathSchema } from './pathSchema.ts';
import type { ToolCall } from './toolCall.ts';

const maxItems = 1_000;
const changesSomething =
  /\b(write|create|edit|insert|update|delete|remove|move|rename|copy|replace|make|change|add|append|post|upload|set)\b/;

const nonEmpty = z.string().check(z.refine((text) => text.trim() !== ''));
const textList = z.union([nonEmpty, z.array(nonEmpty).check(z.minLength(1), z.maxLength(maxItems))]);

/** Recognizes a search by any agent: in the content of files, in their names, or on the web. */
export function search(call: NamedCall): ToolCall | undefined {
  if (call.isNamed(changesSomething) || call.isNamed(/\btool\b(?! search$)/)) return undefined;
  const { data } = textList.safeParse(call.fields.query);
  const isSearch = call.isNamed(/\b(grep|search|find|finder|glob|rg|ripgrep|websearch|codesearch)\b/);
  if (data === undefined || (!isSearch && (call.fields.filter === undefined || call.fields.command !== undefined))) {
    return undefined;
  }
  return { kind: 'search', query: joined(data) };
}

/** Recognizes loading the instructions of a skill (Claude Code, Cline, Gemini CLI, opencode, Copilot CLI). */
export function skill(call: NamedCall): ToolCall | undefined {
  if (!call.isNamed(/^(?:(?:use|load|activate|read) )?skills?$/)) return undefined;
  const { data } = nonEmpty.safeParse(call.fields.skill);
  return data === undefined ? undefined : { kind: 'skill', name: data };
}

/** Recognizes listing a folder. A call without a folder lists the working folder. */
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

/** Recognizes reading one or several files, by any agent. */
export function reading(call: NamedCall): ToolCall | undefined {
  const { fields } = call;
  const isRead = call.isNamed(/\b(read|view|cat|open|show|get)\b/);
  if (call.isNamed(changesSomething) || call.isNamed(/\b(errors?|diagnostics|definitions?|symbols?|references)\b/)) {
    return undefined;
  }
  const path = pathSchema.safeParse(fields.path).data;
  const paths = path === undefined ? filesIn(fields.paths) : [path];
  if (paths === undefined || !(isRead || (path !== undefined && fields.range !== undefined))) return undefined;
  // SWE-agent edits the file that it opened, without naming it again.
  return call.words === 'open' && paths.length === 1
    ? { kind: 'read', paths, isOpened: true }
    : { kind: 'read', paths };
}

/** The paths in a list of files, or a single item in place of such a list (Cline). */
function filesIn(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  return fileList.safeParse(Array.isArray(value) ? value : [value]).data;
}

const address = /^[a-z][a-z0-9+.-]*:\S+$|^[\w-]+(\.[\w-]+)+(\/\S*)?$/i;
const addressSchema = z.string().check(z.maxLength(8_192), z.regex(address));
const addresses = z.union([addressSchema, z.array(addressSchema).check(z.minLength(1), z.maxLength(maxItems))]);

/** Recognizes fetching an address, by any agent with access to the web. Gemini CLI puts the address into the prompt. */
export function fetching(call: NamedCall): ToolCall | undefined {
  if (!call.isNamed(/\b(fetch|webfetch|web|url|page|webpage|crawl|scrape|read)\b/)) return undefined;
  if (call.isNamed(changesSomething) || call.isNamed(/\b(browser|git|clone)\b/)) return undefined;
  // Codex also opens pages with its search tool: such a call has an address and no query.
  if (call.isNamed(/\bsearch\b/) && (call.fields.query !== undefined || call.fields.address === undefined))
    return undefined;
  const given = call.fields.address ?? requestedAddresses(call.fields.requests);
  const data = given === undefined ? undefined : addresses.safeParse(given).data;
  if (data !== undefined) return { kind: 'fetch', address: joined(data) };
  const prompt = z.string().safeParse(call.fields.prompt).data;
  if (prompt === undefined || call.fields.address !== undefined) return undefined;
  const [inPrompt] = /https?:\/\/[^\s"'<>]{1,8000}/.exec(prompt.slice(0, 20_000)) ?? [];
  return inPrompt === undefined ? undefined : { kind: 'fetch', address: inPrompt };
}

/** The addresses in a list of requests (Cline). */
function requestedAddresses(requests: unknown): unknown {
  return Array.isArray(requests) && requests.length <= maxItems
    ? requests.map((request) => argumentsOf(request).address)
    : undefined;
}

function joined(texts: string | readonly string[]): string {
  return typeof texts === 'string' ? texts : texts.join(', ');
}

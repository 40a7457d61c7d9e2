import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Disposable, Emitter, type Event } from '../shared/lifecycle.ts';
import { sendTimes } from '../shared/protocol/vocabulary.ts';

const seconds = (fallback: number, least: number) =>
  z.catch(z.number().check(z.minimum(least), z.maximum(3_600)), fallback);

/** The entries that are text: a wrong one must not hide the right ones. */
const textsOnly = (entries: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

const settingsSchema = z.object({
  baseUrl: z.catch(z.string(), ''),
  // Judged one by one by who uses them: a wrong entry must not hide the right ones.
  services: z.catch(z.record(z.string(), z.unknown()), {}),
  pollingRunningSeconds: seconds(2, 1),
  pollingIdleSeconds: seconds(30, 5),
  maxAttachmentMB: z.catch(z.number().check(z.positive(), z.maximum(1_024)), 10),
  maxMessageMB: z.catch(z.number().check(z.positive(), z.maximum(1_024)), 50),
  // Fails towards asking: a value that cannot be read must not let secrets leave unasked.
  askBefore: z.catch(z.array(z.string()), ['**']),
  whileRunning: z.catch(z.enum(sendTimes), 'now'),
  sendKey: z.catch(z.enum(['enter', 'ctrlEnter']), 'enter'),
  times: z.catch(z.enum(['inline', 'hover', 'never']), 'inline'),
  whenFinished: z.catch(z.enum(['never', 'unfocused', 'always']), 'unfocused'),
  pasteAsFileLength: z.catch(z.number().check(z.minimum(0), z.maximum(4_000_000)), 10_000),
  snippets: z.catch(z.pipe(z.record(z.string(), z.unknown()), z.transform(textsOnly)), {}),
  isCacheEnabled: z.catch(z.boolean(), true),
  networkRoute: z.catch(z.enum(['auto', 'direct', 'editor']), 'auto'),
});

/** The settings of package.json, each valid: a value that does not fit reads as its default, or where noted as what is safe. */
export type Settings = z.output<typeof settingsSchema>;

/** Reads all settings as they are now. */
export function readSettings(): Settings {
  const section = vscode.workspace.getConfiguration('lineside');
  return settingsSchema.parse({
    baseUrl: section.get('baseUrl'),
    services: section.get('services'),
    pollingRunningSeconds: section.get('polling.runningSeconds'),
    pollingIdleSeconds: section.get('polling.idleSeconds'),
    maxAttachmentMB: section.get('attachments.maxSizeMB'),
    maxMessageMB: section.get('attachments.maxMessageSizeMB'),
    askBefore: section.get('attachments.askBefore'),
    whileRunning: section.get('composer.whileRunning'),
    sendKey: section.get('composer.sendKey'),
    times: section.get('conversation.times'),
    whenFinished: section.get('notifications.whenFinished'),
    pasteAsFileLength: section.get('composer.pasteAsFileLength'),
    snippets: section.get('composer.snippets'),
    isCacheEnabled: section.get('cache.enabled'),
    networkRoute: section.get('network.route'),
  });
}

/** What a page has to know of the settings to write messages. */
export function composerSettings(): Pick<Settings, 'sendKey' | 'pasteAsFileLength'> {
  const { sendKey, pasteAsFileLength } = readSettings();
  return { sendKey, pasteAsFileLength };
}

/** What a page is set up with: the fonts of chats, and how it shows and writes messages. */
const pageSections = [
  'chat',
  'lineside.conversation.times',
  'lineside.composer.sendKey',
  'lineside.composer.pasteAsFileLength',
  'lineside.composer.whileRunning',
];

/** Tells that what a page is set up with may have changed, until disposed. */
export function onDidChangePageSettings(listen: () => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (pageSections.some((section) => change.affectsConfiguration(section))) listen();
  });
}

/** Writes the base URL to the user's settings. Rejects where VS Code cannot write them. */
export async function writeBaseUrl(baseUrl: string): Promise<void> {
  await vscode.workspace.getConfiguration('lineside').update('baseUrl', baseUrl, vscode.ConfigurationTarget.Global);
}

/** Writes the named services to the user's settings. Rejects where VS Code cannot write them. */
export async function writeServices(services: Settings['services']): Promise<void> {
  const value = Object.keys(services).length === 0 ? undefined : services;
  await vscode.workspace.getConfiguration('lineside').update('services', value, vscode.ConfigurationTarget.Global);
}

/** Where the connection takes base URL, key and route from, and what tells that they may have changed. */
export interface SettingSources extends Disposable {
  readonly baseUrl: () => string;
  readonly services: () => Settings['services'];
  readonly route: () => 'direct' | 'editor';
  readonly readKey: (origin: string) => Promise<string | undefined>;
  readonly pace: () => { readonly runningMs: number; readonly idleMs: number };
  readonly isCacheEnabled: () => boolean;
  readonly whileRunning: () => Settings['whileRunning'];
  readonly onDidChange: Event<void>;
}

/** The settings as sources, together with the keys, which are kept elsewhere. */
export function settingSources(
  readKey: (origin: string) => Promise<string | undefined>,
  onDidChangeKeys: Event<void>,
): SettingSources {
  const changes = new Emitter<void>();
  const listeners = [
    onDidChangeKeys(() => changes.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('lineside') || change.affectsConfiguration('http')) changes.fire();
    }),
  ];
  return {
    baseUrl: () => readSettings().baseUrl,
    services: () => readSettings().services,
    route: () => chosenRoute(readSettings().networkRoute),
    readKey,
    pace: () => {
      const { pollingRunningSeconds, pollingIdleSeconds } = readSettings();
      return { runningMs: pollingRunningSeconds * 1_000, idleMs: pollingIdleSeconds * 1_000 };
    },
    isCacheEnabled: () => readSettings().isCacheEnabled,
    whileRunning: () => readSettings().whileRunning,
    onDidChange: changes.event,
    dispose: () => {
      for (const listener of [...listeners, changes]) listener.dispose();
    },
  };
}

/** Only the editor's own way to the network knows proxies; the direct one is better where there is none (R15). */
function chosenRoute(setting: Settings['networkRoute']): 'direct' | 'editor' {
  if (setting !== 'auto') return setting;
  return isProxyConfigured(process.env) ? 'editor' : 'direct';
}

/** Whether the editor or its environment names a proxy, so that requests have to go the editor's way (R15). */
function isProxyConfigured(environment: NodeJS.ProcessEnv): boolean {
  const proxy = vscode.workspace.getConfiguration('http').get<unknown>('proxy');
  const named = [
    proxy,
    environment['HTTPS_PROXY'],
    environment['https_proxy'],
    environment['HTTP_PROXY'],
    environment['http_proxy'],
  ];
  return named.some((value) => typeof value === 'string' && value !== '');
}

const family = z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(300))), undefined);
const sizePx = z.catch(z.optional(z.number().check(z.minimum(6), z.maximum(100))), undefined);
const fontsSchema = z.object({ family, sizePx, codeFamily: family, codeSizePx: sizePx });

/** How the editor's own chat is set; what is absent is as in the rest of the editor. */
export interface ChatFonts {
  readonly family?: string;
  readonly sizePx?: number;
  readonly codeFamily?: string;
  readonly codeSizePx?: number;
}

/** Reads the editor's settings for chats: `chat.fontFamily`, `chat.fontSize` and the same of `chat.editor`. */
export function readChatFonts(): ChatFonts {
  const chat = vscode.workspace.getConfiguration('chat');
  const named = (name: string) => {
    const value = chat.get<unknown>(name);
    return value === 'default' ? undefined : value;
  };
  const fonts = fontsSchema.parse({
    family: named('fontFamily'),
    sizePx: named('fontSize'),
    codeFamily: named('editor.fontFamily'),
    codeSizePx: named('editor.fontSize'),
  });
  return {
    ...(fonts.family === undefined ? {} : { family: fonts.family }),
    ...(fonts.sizePx === undefined ? {} : { sizePx: fonts.sizePx }),
    ...(fonts.codeFamily === undefined ? {} : { codeFamily: fonts.codeFamily }),
    ...(fonts.codeSizePx === undefined ? {} : { codeSizePx: fonts.codeSizePx }),
  };
}

import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { NetworkSettings } from '../api/transport/workingRoutes.ts';
import { defined } from '../shared/defined.ts';
import { type Disposable, Emitter, type Event } from '../shared/lifecycle.ts';
import { sendTimes } from '../shared/protocol/vocabulary.ts';

const seconds = (fallback: number, minimum: number) =>
  z.catch(z.number().check(z.minimum(minimum), z.maximum(3_600)), fallback);
const megabytes = (fallback: number) => z.catch(z.number().check(z.positive(), z.maximum(1_024)), fallback);
const anyRecord = z.record(z.string(), z.unknown());

/** 0, or 5 to 1,440 minutes. A value between 0 and 5 counts as 5. */
const sourceMinutes = z.catch(
  z.pipe(
    z.number().check(z.minimum(0), z.maximum(1_440)),
    z.transform((minutes: number) => (minutes === 0 ? 0 : Math.max(minutes, 5))),
  ),
  0,
);

/** Keeps only the entries with string values, so that an invalid entry doesn't hide the others. */
const textEntries = (entries: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** A setting declared in package.json. An invalid value is read as the schema's fallback. */
class Setting<T> {
  /** Without the prefix `lineside.`. */
  readonly #name: string;
  readonly #schema: z.ZodMiniType<T>;

  constructor(name: string, schema: z.ZodMiniType<T>) {
    this.#name = name;
    this.#schema = schema;
  }

  read(): T {
    return this.#schema.parse(vscode.workspace.getConfiguration('lineside').get(this.#name));
  }

  /** Writes the value to the user settings; undefined removes it. Rejects if VS Code can't write them. */
  async write(value: T | undefined): Promise<void> {
    await vscode.workspace.getConfiguration('lineside').update(this.#name, value, vscode.ConfigurationTarget.Global);
  }

  isAffectedBy(change: vscode.ConfigurationChangeEvent): boolean {
    return change.affectsConfiguration(`lineside.${this.#name}`);
  }

  /** Listens for changes to the value. */
  onDidChange(listener: () => void): Disposable {
    return vscode.workspace.onDidChangeConfiguration((change) => {
      if (this.isAffectedBy(change)) listener();
    });
  }
}

/** Settings that change nothing but the style of a page: each becomes a data attribute of the page's root element. */
const appearanceSettings = {
  times: new Setting('conversation.times', z.catch(z.enum(['inline', 'hover', 'never']), 'inline')),
};

/** Other settings that a page gets in its setup. */
const pageSettings = {
  mentionsHelp: new Setting('accessibility.verbosity.conversation', z.catch(z.boolean(), true)),
  sendKey: new Setting('composer.sendKey', z.catch(z.enum(['enter', 'ctrlEnter']), 'enter')),
  pasteAsFileLength: new Setting(
    'composer.pasteAsFileLength',
    z.catch(z.number().check(z.minimum(0), z.maximum(4_000_000)), 10_000),
  ),
  maxAttachmentMB: new Setting('attachments.maxSizeMB', megabytes(10)),
};

/**
 * All settings of package.json. A setting of a page also needs its type in `PageSetup`; one that only the extension
 * host uses needs no other declaration.
 */
export const settings = {
  ...appearanceSettings,
  ...pageSettings,
  baseUrl: new Setting('baseUrl', z.catch(z.string(), '')),
  /** Base URLs by service name. Entries are validated on use, so that an invalid one doesn't hide the others. */
  services: new Setting('services', z.catch(anyRecord, {})),
  pollingRunningSeconds: new Setting('polling.runningSeconds', seconds(2, 1)),
  pollingIdleSeconds: new Setting('polling.idleSeconds', seconds(30, 5)),
  maxMessageMB: new Setting('attachments.maxMessageSizeMB', megabytes(50)),
  /**
   * An invalid value, including one with an empty pattern, matches every file, so that no secret is attached without a
   * confirmation (R36).
   */
  askBefore: new Setting('attachments.askBefore', z.catch(z.array(z.string().check(z.minLength(1))), ['**'])),
  recordsTerminals: new Setting('attachments.recordTerminalOutput', z.catch(z.boolean(), false)),
  whileRunning: new Setting('composer.whileRunning', z.catch(z.enum(sendTimes), 'now')),
  whenFinished: new Setting(
    'notifications.whenFinished',
    z.catch(z.enum(['never', 'unfocused', 'always']), 'unfocused'),
  ),
  detectsWaiting: new Setting('needsYou.detectQuestions', z.catch(z.boolean(), true)),
  readsInBackground: new Setting('needsYou.readInBackground', z.catch(z.boolean(), true)),
  /** In characters, of which wide ones count as two; 0 shows full titles. */
  titleWidth: new Setting('sessions.titleLength', z.catch(z.number().check(z.minimum(0), z.maximum(200)), 18)),
  usesSystemNotifications: new Setting('notifications.system', z.catch(z.boolean(), false)),
  browserTemplate: new Setting('openInBrowser.url', z.catch(z.string(), '')),
  terminalTemplate: new Setting('openInTerminal.command', z.catch(z.array(z.string()), [])),
  sourceCommand: new Setting('sessionSource.command', z.catch(z.array(z.string()), [])),
  /** 0 turns the timed runs off. */
  sourceMinutes: new Setting('sessionSource.everyMinutes', sourceMinutes),
  pathMappings: new Setting('pathMappings', z.catch(z.pipe(anyRecord, z.transform(textEntries)), {})),
  snippets: new Setting('composer.snippets', z.catch(z.pipe(anyRecord, z.transform(textEntries)), {})),
  letsToolsSend: new Setting('languageModelTools.allowSending', z.catch(z.boolean(), false)),
  isCacheEnabled: new Setting('cache.enabled', z.catch(z.boolean(), true)),
  networkRoute: new Setting('network.route', z.catch(z.enum(['auto', 'direct', 'editor']), 'auto')),
};

type SettingTable = Readonly<Record<string, Pick<Setting<unknown>, 'read'>>>;
type ValuesOf<T extends SettingTable> = { readonly [K in keyof T]: ReturnType<T[K]['read']> };

/** The values of all settings. */
export type Settings = ValuesOf<typeof settings>;

/** Reads all settings. */
export function readSettings(): Settings {
  return readAll(settings);
}

/** Reads the settings that a page gets in its setup. */
export function readPageSettings() {
  return { ...readAll(pageSettings), appearance: readAll(appearanceSettings) };
}

function readAll<T extends SettingTable>(table: T): ValuesOf<T>;
function readAll(table: SettingTable): object {
  return Object.fromEntries(Object.entries(table).map(([name, setting]) => [name, setting.read()]));
}

/**
 * Listens for changes to the fonts and settings in a page's setup, and to `whileRunning`, which the composer's hint
 * describes.
 */
export function onDidChangePageSettings(listener: () => void): Disposable {
  const watched = [...Object.values(appearanceSettings), ...Object.values(pageSettings), settings.whileRunning];
  return vscode.workspace.onDidChangeConfiguration((change) => {
    const isOwn = watched.some((setting) => setting.isAffectedBy(change));
    if (isOwn || change.affectsConfiguration('chat')) listener();
  });
}

/** Listens for changes to the mappings of paths. */
export function onDidChangePathMappings(listener: () => void): Disposable {
  return settings.pathMappings.onDidChange(listener);
}

/** Listens for changes to the length of titles in the Sessions view. */
export function onDidChangeTitleWidth(listener: () => void): Disposable {
  return settings.titleWidth.onDidChange(listener);
}

/** Writes the base URL to the user settings. Rejects if VS Code can't write them. */
export async function writeBaseUrl(baseUrl: string): Promise<void> {
  await settings.baseUrl.write(baseUrl);
}

/**
 * Writes the named services to the user settings. An empty record removes the setting. Rejects if VS Code can't write
 * the settings.
 */
export async function writeServices(services: Settings['services']): Promise<void> {
  await settings.services.write(Object.keys(services).length === 0 ? undefined : services);
}

/** The settings and API keys that the sync engine reads, and an event for their changes. */
export interface SettingSources extends Disposable {
  readonly baseUrl: () => string;
  readonly services: () => Settings['services'];
  readonly network: () => NetworkSettings;
  readonly readKey: (origin: string) => Promise<string | undefined>;
  readonly pace: () => { readonly runningMs: number; readonly idleMs: number };
  readonly isCacheEnabled: () => boolean;
  readonly readsInBackground: () => boolean;
  readonly whileRunning: () => Settings['whileRunning'];
  readonly onDidChange: Event<void>;
}

/** Combines the settings with the API keys, which are stored elsewhere. */
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
    baseUrl: () => settings.baseUrl.read(),
    services: () => settings.services.read(),
    network: () => ({ route: settings.networkRoute.read(), httpProxy: readHttpProxy() }),
    readKey,
    pace: () => {
      const { pollingRunningSeconds, pollingIdleSeconds } = settings;
      return { runningMs: pollingRunningSeconds.read() * 1_000, idleMs: pollingIdleSeconds.read() * 1_000 };
    },
    isCacheEnabled: () => settings.isCacheEnabled.read(),
    readsInBackground: () => settings.readsInBackground.read(),
    whileRunning: () => settings.whileRunning.read(),
    onDidChange: changes.event,
    dispose: () => {
      for (const listener of [...listeners, changes]) listener.dispose();
    },
  };
}

function readHttpProxy(): string {
  const proxy = vscode.workspace.getConfiguration('http').get<unknown>('proxy');
  return typeof proxy === 'string' ? proxy : '';
}

/** Whether VS Code shows all commands in the title of an editor group even if the group isn't active. */
export function showsAllEditorActions(): boolean {
  return vscode.workspace.getConfiguration('workbench.editor').get<unknown>('alwaysShowEditorActions') === true;
}

const family = z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(300))), undefined);
const sizePx = z.catch(z.optional(z.number().check(z.minimum(6), z.maximum(100))), undefined);
const fontsSchema = z.object({ family, sizePx, codeFamily: family, codeSizePx: sizePx });

/** The fonts of VS Code's chat. For an absent value, the page uses its default. Sizes are in px. */
export interface ChatFonts {
  readonly family?: string;
  readonly sizePx?: number;
  readonly codeFamily?: string;
  readonly codeSizePx?: number;
}

/** Reads `chat.fontFamily`, `chat.fontSize`, `chat.editor.fontFamily`, and `chat.editor.fontSize`. */
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
  return defined(fonts);
}

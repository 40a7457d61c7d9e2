import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';
import { translator } from '../../src/shared/translate.ts';
import type { CommandContext } from '../../src/commands/context.ts';
import type { CommandHandlers } from '../../src/commands/commandArguments.ts';
import { nodesOf, root, sourceFiles } from '../../tools/l10n/sourceFiles.ts';

/** The values in the mock configuration, and the names of the settings that were read. */
const configuration = vi.hoisted(() => ({ values: new Map<string, unknown>(), readNames: [] as string[] }));

vi.mock('vscode', () => ({
  DiagnosticSeverity: {},
  workspace: {
    getConfiguration: (section: string) => ({
      get(name: string) {
        configuration.readNames.push(`${section}.${name}`);
        return configuration.values.get(`${section}.${name}`);
      },
    }),
  },
}));

interface Property {
  readonly type: string;
  readonly default: unknown;
  readonly scope: string;
  readonly order: number;
  readonly ignoreSync?: boolean;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}
interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly main: string;
  readonly l10n: string;
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly extensionKind: readonly string[];
  readonly activationEvents: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: unknown;
      readonly description: string;
      readonly restrictedConfigurations: readonly string[];
    };
    readonly virtualWorkspaces: unknown;
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly submenus: readonly { readonly id: string }[];
    readonly menus: Readonly<Record<string, readonly { command?: string; submenu?: string; when?: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly type?: string }[]>>;
    readonly viewsContainers: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly media: { readonly svg: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when: string }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly order: number;
      readonly properties: Readonly<Record<string, Property>>;
    }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly when: string }[];
  };
}

const text = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const { contributes } = manifest;
const nls = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
const host = sourceFiles('src', ['src/webview/', 'src/demoService/']);
/** All settings, in the order of their topics. */
const properties: Readonly<Record<string, Property>> = Object.fromEntries(
  contributes.configuration.flatMap((topic) => Object.entries(topic.properties)),
);
const commandIds = contributes.commands.map(({ command }) => command);

/** All string literals in the host's code. */
const literals = new Set(
  host.flatMap((file) => [...nodesOf(file)].flatMap((node) => (ts.isStringLiteralLike(node) ? node.text : []))),
);

/** The part of the context that command tables need during construction; the commands don't run here. */
const context = { t: translator('en'), composer: {} } as unknown as CommandContext;

/** The tables returned by the `...Commands` functions in src/commands. */
async function commandTables(): Promise<Partial<CommandHandlers>[]> {
  const files = host.filter(({ fileName }) => fileName.startsWith('src/commands/'));
  const modules = await Promise.all(
    files.map(async ({ fileName }) => (await import(join(root, fileName))) as Record<string, unknown>),
  );
  const makers = modules.flatMap((module) =>
    Object.entries(module).filter(([name]) => /^(?!register).*Commands$/.test(name)),
  );
  return makers.map(([, make]) => (make as (context: CommandContext) => Partial<CommandHandlers>)(context));
}

/** Commands that users' key bindings and programmatic calls rely on. Don't rename them. */
const promisedCommands = [
  'connect',
  'setApiKey',
  'removeApiKey',
  'testConnection',
  'tryDemo',
  'addSession',
  'removeSession',
  'openConversation',
  'openConversationInEditor',
  'openConversationAsDocument',
  'sendSelection',
  'sendFile',
  'sendProblems',
  'sendMessage',
  'attachSelection',
  'attachFile',
  'attach',
  'attachFolder',
  'attachOpenEditors',
  'attachImages',
  'attachProblems',
  'attachDiff',
  'attachNotebookCells',
  'attachSymbol',
  'refresh',
  'editSettings',
  'editTags',
  'showUsage',
  'exportConversation',
  'showChanges',
  'showCommands',
  'showErrors',
  'showFileSessions',
  'mapAgentFolder',
  'compareAllWithWorkspace',
  'toggleAgentMarks',
  'openMessageAsDocument',
  'selectForCompare',
  'compareWithSelected',
  'compareWithClipboard',
  'compareBranches',
  'archiveSession',
  'unarchiveSession',
  'pickSession',
  'pinSession',
  'unpinSession',
  'renameSession',
  'readFromComputer',
  'markSessionRead',
  'markSessionUnread',
  'copyLink',
  'addComment',
  'openInBrowser',
  'openInTerminal',
  'findSessions',
  'nextUnreadSession',
  'nextNeedsMe',
  'clearAllData',
  'showLog',
];

describe('commands', () => {
  it('are the same in the code and the manifest, without duplicates', async () => {
    const names = (await commandTables()).flatMap((table) => Object.keys(table)).map((name) => `lineside.${name}`);
    expect(names.length).toBeGreaterThan(20);
    expect(names.toSorted()).toEqual(commandIds.toSorted());
    expect(new Set(commandIds).size).toBe(commandIds.length);
  });

  it("are all in the app's command table", async () => {
    const { commandTable } = await import('../../src/app/commandTable.ts');
    const names = Object.keys(commandTable(context)).map((name) => `lineside.${name}`);
    expect(names.toSorted()).toEqual(commandIds.toSorted());
  });

  it('are never run by our own code through VS Code', () => {
    const calls = host.flatMap((file) => [...nodesOf(file)]).filter(ts.isCallExpression);
    const executed = calls.flatMap(({ expression, arguments: [id] }) =>
      ts.isPropertyAccessExpression(expression) && expression.name.text === 'executeCommand' && id
        ? [id.getText()]
        : [],
    );
    expect(executed.length).toBeGreaterThan(10);
    expect(executed.filter((id) => /^['`]lineside\./.test(id))).toEqual(Array(2).fill("'lineside.sessions.focus'"));
  });

  it('keep their promised names', () => {
    expect(commandIds).toEqual(expect.arrayContaining(promisedCommands.map((name) => `lineside.${name}`)));
  });

  it('have a category, and a title with an ellipsis only if the command asks for input', () => {
    const titles = new Map(contributes.commands.map(({ command, title }) => [command, nls[title.slice(1, -1)]]));
    for (const { category } of contributes.commands) expect(category).toBe('Lineside');
    for (const [command, title] of titles) expect(title, command).toMatch(/^[A-Z][^.]*(\.\.\.)?$/);
    expect(titles.get('lineside.connect')).toBe('Connect to Service...');
    expect(titles.get('lineside.sendSelection')).toBe('Send Selection to Session');
  });

  it('and menus have titles in title case, and settings are described in sentence case', () => {
    const small = /^(?:a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/i;
    const isName = /^(?:VS|Code|API|URL|IDs?|MB|CLI|Alt|Linux|Windows|Restricted|Mode|PowerShell|Sessions|Lineside)\b/;
    for (const [name, words] of Object.entries(nls)) {
      if (/^(?:command|menu)\./.test(name)) {
        const wrong = words.split(' ').filter((word, at) => /^[a-z]/.test(word) !== (at > 0 && small.test(word)));
        expect(wrong, words).toEqual([]);
      } else if (name.startsWith('setting.')) {
        const plain = words.replace(/\*\*[^*]*\*\*|`[^`]*`|\[[^\]]*\]\([^)]*\)/g, '_');
        const inside = plain.match(/(?<=[^.!?:\s]\s)[A-Z]\S*/g) ?? [];
        expect(
          inside.filter((word) => !isName.test(word)),
          words,
        ).toEqual([]);
      }
    }
  });

  it('exist if code or links refer to them by ID', () => {
    const own = /^lineside\.[a-zA-Z]+$/;
    const known = [...commandIds, ...viewIds(), ...Object.keys(properties)];
    const others = [
      ...contextKeys(),
      'lineside.comments',
      'lineside.conversationEditor',
      'lineside.usage',
      'lineside.status',
      'lineside.key',
      'lineside.lineside',
    ];
    const strange = [...literals].filter((literal) => own.test(literal) && ![...known, ...others].includes(literal));
    expect(strange).toEqual([]);
    for (const words of Object.values(nls)) {
      const ids = [...words.matchAll(/\]\(command:([^)?]+)[^)]*\)/g)].map(([, command]) => command);
      for (const id of ids) expect([...commandIds, 'workbench.action.openSettings']).toContain(id);
    }
  });
});

describe('titles and descriptions', () => {
  it('are in package.nls.json, which contains nothing else', () => {
    const used = [...text.matchAll(/"%([^"%]+)%"/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(nls).sort());
    for (const words of Object.values(nls)) expect(words.trim()).not.toBe('');
  });

  it('are placeholders in the manifest, never literal text', () => {
    const own = contributes.commands.map(({ title }) => title);
    const described = Object.values(properties).flatMap((property) => [
      ...Object.entries(property).flatMap(([name, value]) => (/[dD]escription$/.test(name) ? [value as string] : [])),
      ...(property.enumDescriptions ?? []),
    ]);
    for (const words of [...own, ...described]) expect(words).toMatch(/^%.+%$/);
  });
});

describe('settings', () => {
  it('that the code reads are the contributed ones, with the same defaults and limits', async () => {
    const { values, readNames } = configuration;
    const { readSettings } = await import('../../src/host/settings.ts');
    const withoutAny = readSettings();
    expect([...new Set(readNames)].sort()).toEqual(Object.keys(properties).sort());
    for (const [name, { default: value }] of Object.entries(properties)) values.set(name, value);
    const withDefaults = readSettings();
    expect(withDefaults).toEqual({
      ...withoutAny,
      askBefore: properties['lineside.attachments.askBefore']?.default,
    });
    // A value that the manifest allows is accepted; a value outside its limits falls back to the default.
    for (const [name, property] of Object.entries(properties)) {
      for (const value of [property.minimum, property.maximum, ...(property.enum ?? [])]) {
        if (value === undefined) continue;
        values.set(name, value);
        expect(Object.values(readSettings()), `${name} ${value}`).toContain(value);
      }
      for (const value of [(property.minimum ?? 0) - 1, (property.maximum ?? 1e9) + 1, 'strange', null, []]) {
        if (property.type === 'string' && !property.enum) continue;
        if (property.type === 'array') continue;
        values.set(name, value);
        expect(readSettings(), `${name} ${String(value)}`).toEqual(withDefaults);
      }
      values.set(name, property.default);
    }
  });

  it('keep their promised names and defaults', () => {
    const defaults = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, property.default]));
    expect(defaults).toMatchObject({
      'lineside.baseUrl': '',
      'lineside.polling.runningSeconds': 2,
      'lineside.polling.idleSeconds': 30,
      'lineside.composer.sendKey': 'enter',
      'lineside.attachments.maxSizeMB': 10,
      'lineside.attachments.maxMessageSizeMB': 50,
      'lineside.network.route': 'auto',
      'lineside.notifications.whenFinished': 'unfocused',
      'lineside.notifications.system': false,
      'lineside.openInBrowser.url': '',
      'lineside.openInTerminal.command': [],
    });
    for (const glob of ['**/.env*', '**/*.pem', '**/id_*', '**/*.key']) {
      expect(defaults['lineside.attachments.askBefore']).toContain(glob);
    }
  });

  it('are ordered by topic', () => {
    expect(contributes.configuration.map(({ title }) => nls[title.slice(1, -1)])).toEqual([
      ...['Service', 'Sessions', 'Conversation', 'Composer', 'Attachments', 'Notifications', 'Language Model Tools'],
    ]);
    expect(contributes.configuration.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const orders = Object.values(properties).map(({ order }) => order);
    expect(orders).toEqual(orders.map((_, place) => place + 1));
  });

  it("can't be set by an opened folder, except for display, the send key, notifications, and path mappings (R13)", () => {
    // Programs and addresses differ between machines, so Settings Sync must not copy their templates.
    const machine = ['lineside.openInBrowser.url', 'lineside.openInTerminal.command'];
    const window = [
      ...['lineside.conversation.times', 'lineside.composer.sendKey', 'lineside.notifications.whenFinished'],
      // A path in a folder's settings can only lead into that folder.
      'lineside.pathMappings',
    ];
    for (const [name, { scope }] of Object.entries(properties)) {
      const expected = machine.includes(name) ? 'machine' : window.includes(name) ? 'window' : 'application';
      expect(scope, name).toBe(expected);
    }
    const notSynced = Object.keys(properties).filter((name) => properties[name]?.ignoreSync);
    expect(notSynced).toEqual(['lineside.sessionSource.command', 'lineside.sessionSource.everyMinutes']);
    const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
    expect(untrustedWorkspaces).toMatchObject({ supported: 'limited', description: '%untrustedWorkspaces%' });
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...untrustedWorkspaces.restrictedConfigurations]));
    for (const name of [
      'baseUrl',
      'services',
      'network.route',
      'attachments.askBefore',
      'attachments.maxSizeMB',
      'attachments.maxMessageSizeMB',
      'pathMappings',
      'openInBrowser.url',
      'openInTerminal.command',
      'sessionSource.command',
      'sessionSource.everyMinutes',
      'composer.sendKey',
      'notifications.whenFinished',
    ]) {
      expect(untrustedWorkspaces.restrictedConfigurations).toContain(`lineside.${name}`);
    }
    expect(virtualWorkspaces).toBe(true);
  });
});

function viewIds(): string[] {
  return Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id));
}

/** The keys of the `ContextKeys` interface. */
function contextKeys(): string[] {
  const file = host.find(({ fileName }) => fileName === 'src/host/contextKeySetter.ts')!;
  const keys = [...nodesOf(file)].find((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'ContextKeys');
  if (!keys || !ts.isInterfaceDeclaration(keys)) throw new Error('ContextKeys is gone');
  return keys.members.map(({ name }) => (name && ts.isStringLiteral(name) ? name.text : ''));
}

describe('views and menus', () => {
  const containers = Object.values(contributes.viewsContainers).flat();

  it('are in their promised locations, and the code uses the same IDs', () => {
    expect(viewIds()).toEqual(['lineside.sessions', 'lineside.conversation']);
    expect(contributes.viewsContainers['activitybar']?.map(({ id }) => id)).toEqual(['lineside']);
    expect(contributes.viewsContainers['secondarySidebar']?.map(({ id }) => id)).toEqual(['linesideConversation']);
    expect(Object.keys(contributes.views).sort()).toEqual(containers.map(({ id }) => id).sort());
    for (const id of viewIds()) expect(literals).toContain(id);
    expect(contributes.views['linesideConversation']?.[0]?.type).toBe('webview');
  });

  it('refer to existing commands, submenus, and views', () => {
    const submenus = contributes.submenus.map(({ id }) => id);
    for (const [menu, items] of Object.entries(contributes.menus)) {
      if (menu.startsWith('lineside.')) expect(submenus).toContain(menu);
      for (const { command, submenu } of items) {
        if (command !== undefined) expect(commandIds).toContain(command);
        if (submenu !== undefined) expect(submenus).toContain(submenu);
        expect([command, submenu].filter((named) => named !== undefined)).toHaveLength(1);
      }
    }
    const used = Object.values(contributes.menus).flatMap((items) => items.flatMap(({ submenu }) => submenu ?? []));
    expect(new Set(used)).toEqual(new Set(submenus));
    for (const { view } of contributes.viewsWelcome) expect(viewIds()).toContain(view);
  });

  it('use exactly the context keys that the code sets', () => {
    const clauses = [...text.matchAll(/"(?:(?:when|enablement)": "|onContext:)([^"]*)"/g)].map(
      ([, clause]) => clause ?? '',
    );
    const ids = clauses.flatMap((clause) => clause.match(/(?<!config\.)lineside\.[a-zA-Z.]+/g) ?? []);
    for (const [, name = ''] of clauses.join(' ').matchAll(/config\.(lineside\.[a-zA-Z.]+)/g)) {
      expect(Object.keys(properties)).toContain(name);
    }
    const keys = [...new Set(ids)].filter(
      (id) => ![...viewIds(), 'lineside.comments', 'lineside.conversationEditor'].includes(id),
    );
    expect(keys.sort()).toEqual(contextKeys().sort());
    for (const [, kinds] of clauses.join(' ').matchAll(/lineside\.connection (?:==|=~) (\S+)/g)) {
      for (const kind of kinds?.match(/[a-zA-Z]+/g) ?? []) {
        expect(['starting', 'noService', 'noKey', 'ready', 'keyRejected']).toContain(kind);
      }
    }
    for (const [, value] of clauses.join(' ').matchAll(/viewItem (?:==|=~) (\S+)/g)) {
      for (const item of value?.match(/[a-z]+/g) ?? []) expect(literals).toContain(item);
    }
  });

  it('have a welcome view for each empty state', () => {
    const clauses = contributes.viewsWelcome.map(({ when }) => when).join('\n');
    for (const kind of ['noService', 'noKey', 'keyRejected', 'ready']) expect(clauses).toContain(kind);
  });

  it('have one primary button in each welcome view, and show at most one welcome view at a time', () => {
    const { viewsWelcome } = contributes;
    for (const { contents } of viewsWelcome) {
      // VS Code draws a link that is alone on its line as a button.
      expect(nls[contents.slice(1, -1)]?.match(/^\[[^\]]+\]\(command:[^)]+\)$/gm)).toHaveLength(1);
    }
    const flags = ['hasSessions', 'isUnreachable', 'isFiltered'];
    for (const kind of ['starting', 'noService', 'noKey', 'keyRejected', 'ready']) {
      for (let bits = 0; bits < 2 ** flags.length; bits++) {
        const isSet = (name: string) => (bits & (1 << flags.indexOf(name))) !== 0;
        // A service is unreachable only if there are sessions that couldn't be read.
        if (isSet('isUnreachable') && !isSet('hasSessions')) continue;
        const holds = (term: string) => {
          const [, not, name = '', value] = /^(!)?lineside\.(\w+)(?: == (\w+))?$/.exec(term) ?? [];
          return value === undefined ? isSet(name) === (not === undefined) : value === kind;
        };
        const shown = viewsWelcome.filter(({ when }) => when.split(' && ').every(holds));
        expect(shown.length, `${kind} ${bits}`).toBeLessThanOrEqual(1);
      }
    }
  });

  it('include a walkthrough with existing pictures and steps that can be completed', () => {
    const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    expect(steps).toHaveLength(4);
    for (const { media, completionEvents } of steps) {
      // Pictures use theme colors so that they are readable in every theme. VS Code removes style elements.
      expect(readFileSync(join(root, media.svg), 'utf8')).not.toMatch(
        /<style|(?:fill|stroke)="(?!var\(--vscode-|none)/,
      );
      expect(completionEvents.length).toBeGreaterThan(0);
      for (const event of completionEvents) {
        const [, kind, id] = /^on(Command|Context|View):([a-zA-Z.]+)/.exec(event) ?? [];
        expect({ Command: commandIds, Context: contextKeys(), View: viewIds() }[kind ?? '']).toContain(id);
      }
    }
  });

  it('use only existing icons', () => {
    const files = [...text.matchAll(/"icon": "(media\/[^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
    const codicons = readFileSync(join(root, 'node_modules/@vscode/codicons/dist/codicon.css'), 'utf8');
    for (const [, icon] of text.matchAll(/"icon": "\$\(([a-z-]+)\)"/g)) expect(codicons).toContain(`.codicon-${icon}:`);
  });

  const ownFocus = /^(?:isLinux && )?(?:lineside\.isConversationFocused|focusedView == lineside\.sessions)\b/;
  it.each(contributes.keybindings)(
    'have key bindings only in editor text and our own views: $key, $when',
    (binding) => {
      const { command, key, when } = binding;
      expect(commandIds).toContain(command);
      // The one key that leads to the composer from anywhere begins with VS Code's own prefix.
      if (command === 'lineside.focusMessageInput' && key.startsWith('ctrl+k ')) return;
      for (const alternative of when.split(' || ')) {
        expect(alternative).toMatch(alternative.startsWith('editorTextFocus') ? /^editorTextFocus && / : ownFocus);
      }
    },
  );
});

describe('the extension as a whole', () => {
  it('has no duplicate manifest keys, because all but the last would be silently ignored', () => {
    const source = ts.parseJsonText('package.json', readFileSync(join(root, 'package.json'), 'utf8'));
    const objects = source.statements
      .flatMap((statement) => [...nodesOf(statement)])
      .filter(ts.isObjectLiteralExpression);
    expect(objects.flatMap(({ properties }) => repeatedNames(source, properties))).toEqual([]);
  });

  it('has the promised ID, extension kind, and entry point', () => {
    expect(`${manifest.publisher}.${manifest.name}`).toBe('lineside.lineside');
    expect(manifest.extensionKind).toEqual(['ui', 'workspace']);
    expect(manifest.main).toBe('./dist/extension.js');
    expect(existsSync(join(root, manifest.l10n, 'bundle.l10n.json'))).toBe(true);
  });

  it('activates after startup, and for restored tabs, documents, and links', () => {
    expect(manifest.activationEvents).toContain('onStartupFinished');
    expect(manifest.activationEvents).toContain('onUri');
    expect(manifest.activationEvents).not.toContain('*');
    expect(manifest.activationEvents).toContain('onWebviewPanel:lineside.conversationEditor');
    expect(literals).toContain('lineside.conversationEditor');
    expect(manifest.activationEvents).toContain('onFileSystem:lineside-attachment');
    expect(manifest.activationEvents).toContain('onFileSystem:lineside-message');
    expect(literals).toContain('lineside-attachment');
    expect(manifest.activationEvents).toContain('onFileSystem:lineside-change');
    expect(literals).toContain('lineside-change');
    expect(manifest.activationEvents).toContain('onFileSystem:lineside-compare');
    expect(literals).toContain('lineside-compare');
    expect(manifest.activationEvents).toContain('onFileSystem:lineside');
    expect(literals).toContain('lineside');
  });

  it('uses no API newer than the oldest supported version of VS Code', () => {
    const [, engineMajor, engineMinor] = /^\^(\d+)\.(\d+)\.\d+$/.exec(manifest.engines.vscode)!.map(Number);
    const types = manifest.devDependencies['@types/vscode'] ?? '';
    const [, typesMajor, typesMinor] = /^(\d+)\.(\d+)\.\d+$/.exec(types)!.map(Number);
    expect(typesMajor).toBe(engineMajor);
    expect(typesMinor).toBeLessThanOrEqual(engineMinor!);
    const installed = readFileSync(join(root, 'node_modules/@types/vscode/package.json'), 'utf8');
    expect((JSON.parse(installed) as { version: string }).version).toBe(types);
  });
});

function repeatedNames(source: ts.SourceFile, properties: readonly ts.ObjectLiteralElementLike[]): string[] {
  const names = properties.map((property) => property.name?.getText(source) ?? '');
  return names.filter((name, place) => names.indexOf(name) !== place);
}

/**
 * The room table of docs/architecture.md: what each room may import. `may` lists the rooms from which anything may be
 * imported, and `types` those from which only types may be; `packages` are patterns of package names; `vscode` says
 * whether the editor's API may be imported. `protocol` means `shared/protocol`, except for its `vocabulary.ts`, which
 * counts as a part of `shared`.
 */
const rooms = {
  shared: { may: [], types: [], packages: ['zod/mini', '@ansi-tools/parser'], vscode: false },
  api: { may: ['shared'], types: [], packages: ['zod/mini'], vscode: false },
  state: { may: ['shared'], types: ['api', 'protocol'], packages: ['zod/mini'], vscode: false },
  sync: { may: ['api', 'state', 'shared'], types: [], packages: ['zod/mini'], vscode: false },
  demoService: { may: ['shared'], types: [], packages: ['zod/mini'], vscode: false },
  host: { may: ['shared'], types: ['api'], packages: ['zod/mini', 'picomatch', 'ignore', 'fuzzysort'], vscode: true },
  views: { may: ['state', 'protocol', 'host', 'shared'], types: ['api'], packages: [], vscode: true },
  commands: {
    may: ['api', 'state', 'sync', 'host', 'views', 'shared'],
    types: ['protocol'],
    packages: ['zod/mini'],
    vscode: true,
  },
  app: {
    may: ['api', 'state', 'sync', 'host', 'views', 'commands', 'demoService', 'shared'],
    types: [],
    packages: [],
    vscode: true,
  },
  webview: {
    may: ['shared'],
    types: ['protocol'],
    packages: [
      'markdown-it',
      'markdown-it-cjk-friendly',
      'lowlight',
      'highlight\\.js',
      'temml',
      '@vscode/codicons/src/icons',
    ],
    vscode: false,
  },
};
const everyRoom = [...Object.keys(rooms), 'protocol', 'extension'];
const pathsOf = {
  shared: 'shared/(?!protocol/)',
  protocol: 'shared/protocol/(?!vocabulary)',
  extension: 'extension\\.ts$',
};
const importsOf = (room) => `^(\\.\\./)+${pathsOf[room] ?? `${room}/`}`;

/** The packages that single files may import in addition to those of their room. */
const packagesOf = {
  'api/transport/directTransport.ts': ['undici/lib/dispatcher/pool\\.js', 'undici/lib/api'],
};

/** What a file of a room may not import, as patterns of module names. */
function closedImports(file) {
  const [name] = file.split('/');
  const room = rooms[name];
  if (!room) return [];
  const message = `The ${name} room may not import this: see the room table in docs/architecture.md.`;
  const closed = everyRoom.filter((other) => other !== name && ![...room.may, ...room.types].includes(other));
  const node = room.vscode || ['api', 'sync', 'demoService'].includes(name) ? '|node:' : '';
  const editor = room.vscode ? '|vscode$' : '';
  const packages = [...room.packages, ...(packagesOf[file] ?? [])].map((entry) => `|${entry}(/|$)`).join('');
  return [
    ...closed.map((other) => ({ pattern: new RegExp(importsOf(other)), message })),
    ...room.types.map((other) => ({
      pattern: new RegExp(importsOf(other)),
      message: `${message} (Types only.)`,
      allowsTypes: true,
    })),
    { pattern: new RegExp(`^(?!\\.${node}${editor}${packages})`), message },
  ];
}

/** The doors (invariant 9 of docs/architecture.md): syntax, the only file that may contain it, and a message. */
const doors = [
  [
    "CallExpression[callee.property.name='registerCommand']",
    'commands/register.ts',
    'Register commands through commands/register.ts.',
  ],
  ["Literal[value='setContext']", 'host/contextKeySetter.ts', 'Set context keys through host/contextKeySetter.ts.'],
  [
    "CallExpression[callee.name='acquireVsCodeApi']",
    'webview/hostChannel.ts',
    'Talk to the host through webview/hostChannel.ts.',
  ],
  [
    "MemberExpression[property.name='fetch']",
    'api/transport/editorTransport.ts',
    'Use the transport; only it touches the network.',
  ],
  [
    "CallExpression[callee.name='fetch']",
    'api/transport/editorTransport.ts',
    'Use the transport; only it touches the network.',
  ],
  [
    "MemberExpression[property.name='openExternal']",
    'host/externalOpener.ts',
    'Open addresses through host/externalOpener.ts, which opens exactly what is shown.',
  ],
  [
    "NewExpression[callee.property.name='MarkdownString']",
    'views/sessions/literalTooltip.ts',
    'Use plain text or literalTooltip: Markdown in text of the service could contain links to commands.',
  ],
  [
    'CallExpression[callee.property.name=/^show(Error|Warning|Information)Message$/]',
    'host/prompts/notify.ts',
    'Use host/prompts/notify.ts: a notification makes links of text of the service, and they can run commands.',
  ],
  [
    'CallExpression[callee.property.name=/^(showInputBox|createInputBox)$/]',
    'host/prompts/askText.ts',
    'Use askText: an input box makes links of text of the service, and they can run commands.',
  ],
  [
    'CallExpression[callee.property.name=/^(showQuickPick|createQuickPick)$/]',
    'host/prompts/picker.ts',
    'Use host/prompts/picker.ts: a quick pick makes icons, links, and images of text of the service.',
  ],
  [
    "CallExpression[callee.property.name='withProgress']",
    'host/prompts/progress.ts',
    'Use host/prompts/progress.ts: a progress notification makes links of text of the service.',
  ],
];
/**
 * Calls whose number of arguments would be the length of a list. With about 120,000 arguments, they throw a RangeError.
 */
const spreadCalls = ['push', 'unshift', 'splice', 'toSpliced', 'concat', 'max', 'min', 'fromCharCode', 'fromCodePoint'];
const spreadRules = [
  {
    selector: `CallExpression[callee.property.name=/^(?:${spreadCalls.join('|')})$/] > SpreadElement`,
    message: 'Use a loop, `concat(list)`, or `reduce`: a call fails if a long list is spread into its arguments.',
  },
  {
    selector: "CallExpression[callee.property.name='apply'][arguments.length=2]",
    message: 'Use a loop or `reduce`: a call fails if a long list is passed as its arguments.',
  },
];
/** Methods of Playwright that send keys, clicks, and text. (Those of DOM elements are neither awaited nor returned.) */
const acts = '/^(click|dblclick|fill|press|pressSequentially|type|insertText|hover|dragTo|check|uncheck|tap)$/';
/** Calls of methods with these names that tests may make. `mouse` acts at a position, so it has no target to check. */
const otherActs = [
  "[callee.object.name='quickInput']",
  "[callee.object.name='steps']",
  '[callee.object.property.name=/^(quickInput|mouse)$/]',
  "[callee.object.type='TSAsExpression']",
  '[callee.object.callee.name=/Array$/]',
  "[callee.property.name='type'][arguments.length=0]",
].join(', ');
const actRule = {
  selector: `:not(ExpressionStatement, ChainExpression) > CallExpression[callee.property.name=${acts}]:not(${otherActs})`,
  message: 'Use the functions of tools/editor/drive/act.ts: input that is only sent can go elsewhere.',
};

/** The path of a file relative to the last `src` folder in its path; undefined for other files. */
function pathInSrc(filename) {
  return /.*\/src\/(.+)$/.exec(filename.replaceAll('\\', '/'))?.[1];
}

/** The forbidden syntax of a file, as selectors and messages. */
function closedSyntax(filename) {
  const path = filename.replaceAll('\\', '/');
  const file = pathInSrc(path);
  if (file !== undefined) {
    const closed = doors.filter(([, door]) => door !== file);
    return [...spreadRules, ...closed.map(([selector, , message]) => ({ selector, message }))];
  }
  const sendsInput = /\/(?:test\/(?:e2e|webview)|tools\/editor)\//.test(path) && !path.endsWith('/drive/act.ts');
  return sendsInput ? [actRule] : [];
}

function isTypeOnly({ importKind, exportKind, specifiers = [] }) {
  const isType = (node) => node.importKind === 'type' || node.exportKind === 'type';
  return importKind === 'type' || exportKind === 'type' || (specifiers.length > 0 && specifiers.every(isType));
}

/** The rules of this repository's own structure, as a plug-in of oxlint. */
export default {
  meta: { name: 'house' },
  rules: {
    /** Forbids imports that the table of rooms doesn't allow. */
    rooms: {
      create(context) {
        const closed = closedImports(pathInSrc(context.filename) ?? '');
        const check = (node) => {
          if (!node.source) return;
          for (const { pattern, message, allowsTypes } of closed) {
            if (pattern.test(node.source.value) && !(allowsTypes && isTypeOnly(node)))
              context.report({ node, message });
          }
        };
        return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
      },
    },
    /** Forbids the syntax of doors in other files, calls that fail for long lists, and input sent directly by tests. */
    doors: {
      create(context) {
        const visitors = closedSyntax(context.filename).map(({ selector, message }) => [
          selector,
          (node) => context.report({ node, message }),
        ]);
        return Object.fromEntries(visitors);
      },
    },
  },
};

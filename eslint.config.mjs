import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/**
 * The room table of docs/architecture.md: what each room may import from the others. `types` are rooms of which only
 * types may be taken; `vscode` says whether the editor's API may be imported. `protocol` stands for `shared/protocol`,
 * except for its `vocabulary.ts`, which every room may import.
 */
const rooms = {
  shared: { may: [], types: ['api', 'state'], packages: ['zod/mini'], vscode: false },
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
    packages: ['markdown-it', 'lowlight', 'highlight\\.js', 'temml', '@vscode/codicons/src/icons'],
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

/** The import rules of one room, as options of `@typescript-eslint/no-restricted-imports`. */
function importRules(name, room) {
  const message = `The ${name} room may not import this: see the room table in docs/architecture.md.`;
  const closed = everyRoom.filter((other) => other !== name && ![...room.may, ...room.types].includes(other));
  const node = room.vscode || ['api', 'sync', 'demoService'].includes(name) ? '|node:' : '';
  const editor = room.vscode ? '|vscode$' : '';
  const packages = room.packages.map((entry) => `|${entry}(/|$)`).join('');
  return {
    patterns: [
      ...closed.map((other) => ({ regex: importsOf(other), message })),
      ...room.types.map((other) => ({
        regex: importsOf(other),
        message: `${message} (Types only.)`,
        allowTypeImports: true,
      })),
      { regex: `^(?!\\.${node}${editor}${packages})`, message },
    ],
  };
}

const roomConfigs = Object.entries(rooms).map(([name, room]) => ({
  files: [`src/${name}/**/*.ts`],
  rules: { '@typescript-eslint/no-restricted-imports': ['error', importRules(name, room)] },
}));

/** One door each (invariant 9): what only the named file may touch. */
const doors = [
  [
    "CallExpression[callee.property.name='registerCommand']",
    'commands/register.ts',
    'Register commands through commands/register.ts.',
  ],
  ["Literal[value='setContext']", 'host/contextKeys.ts', 'Set context keys through host/contextKeys.ts.'],
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
/** Calls whose number of arguments would be the length of a list. From about 120,000 on, they throw a RangeError. */
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
const restrictedSyntax = (except) => [
  ...spreadRules,
  ...doors.filter(([, file]) => file !== except).map(([selector, , message]) => ({ selector, message })),
];

const doorFiles = new Set(doors.map(([, file]) => file));
const doorConfigs = [...doorFiles].map((file) => ({
  files: [`src/${file}`],
  rules: { 'no-restricted-syntax': ['error', ...restrictedSyntax(file)] },
}));

/** Methods of Playwright that send keys, clicks, and text. Its calls are awaited or returned, unlike those of elements. */
const acts = '/^(click|dblclick|fill|press|pressSequentially|type|insertText|hover|dragTo|check|uncheck|tap)$/';
/** Methods of the same names that tests may call. A pointer at a position has no target. */
const otherActs = [
  "[callee.object.name='quickInput']",
  "[callee.object.name='steps']",
  '[callee.object.property.name=/^(quickInput|mouse)$/]',
  "[callee.object.type='TSAsExpression']",
  '[callee.object.callee.name=/Array$/]',
  "[callee.property.name='type'][arguments.length=0]",
].join(', ');

export default tseslint.config(
  { ignores: ['dist', '.vscode-test', 'test-results', 'node_modules', 'test/fixtures'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    // The rules of these sets that need types are in .oxlintrc.json. They run there in a tenth of the time.
    extends: [...tseslint.configs.strict, ...tseslint.configs.stylistic],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { regexp },
    rules: {
      // Text of a service can be written to make a regular expression slow (R50). test/linear covers what these rules can't.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      'max-lines': ['warn', { max: 400 }],
      'max-lines-per-function': ['warn', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...restrictedSyntax()],
    },
  },
  ...roomConfigs,
  ...doorConfigs,
  {
    files: ['src/api/transport/directTransport.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        importRules('api', {
          ...rooms.api,
          packages: ['zod/mini', 'undici/lib/dispatcher/pool\\.js', 'undici/lib/api'],
        }),
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'tools/**/*.ts'],
    rules: {
      // Tests may assert the types of fixtures. The product may not.
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['test/e2e/**/*.ts', 'test/webview/**/*.ts', 'tools/editor/**/*.ts'],
    ignores: ['tools/editor/drive/act.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `:not(ExpressionStatement, ChainExpression) > CallExpression[callee.property.name=${acts}]:not(${otherActs})`,
          message: 'Use the functions of tools/editor/drive/act.ts: input that is only sent can go elsewhere.',
        },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        require: 'readonly',
        module: 'readonly',
        __dirname: 'readonly',
      },
    },
  },
);

/** The files that a mutation run changes, and the tests that must detect the changes. */

/** One row of the table in docs/mutants.md. Paths are prefixes, relative to the repository. */
export interface MutatedRoom {
  readonly name: string;
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** The smallest acceptable percentage of killed mutants. */
  readonly goal: number;
}

export const mutatedRooms: readonly MutatedRoom[] = [
  {
    name: 'api',
    sources: ['src/api/'],
    tests: ['test/unit/api/', 'test/unit/sync/connection/', 'test/unit/state/presentation/'],
    goal: 85,
  },
  {
    name: 'sync',
    sources: ['src/sync/'],
    tests: ['test/unit/sync/'],
    goal: 85,
  },
  {
    name: 'state/store',
    sources: ['src/state/store/'],
    tests: ['test/unit/state/', 'test/unit/sync/polling/', 'test/unit/sync/syncEngine.test.ts', 'test/unit/views/'],
    goal: 80,
  },
  {
    name: 'state/tools',
    sources: ['src/state/tools/'],
    tests: ['test/unit/state/tools/', 'test/unit/state/work/'],
    goal: 80,
  },
  {
    name: "the page's door",
    sources: [
      'src/shared/protocol/pageMessages.ts',
      'src/shared/protocol/usageMessages.ts',
      'src/views/conversation/conversationPage.ts',
      'src/views/conversation/pageLifecycle.ts',
    ],
    tests: ['test/unit/views/', 'test/unit/webview/'],
    goal: 80,
  },
  {
    name: 'sanitizing',
    sources: ['src/state/markdown/', 'src/state/documents/'],
    tests: ['test/unit/state/markdown/', 'test/unit/state/documents/', 'test/unit/views/documents/'],
    goal: 80,
  },
  {
    name: 'text of agents',
    sources: [
      'src/webview/content/',
      'src/webview/markdown/',
      'src/shared/text/codeSpans.ts',
      'src/shared/text/dunderNames.ts',
      'src/shared/text/formulaFinder.ts',
      'src/shared/text/inlineTags.ts',
      'src/shared/text/markdownFences.ts',
      'src/shared/text/mathematics.ts',
      'src/shared/text/tableRows.ts',
    ],
    tests: [
      'test/unit/fileLinks.test.ts',
      'test/unit/shared/text/mathematics.test.ts',
      'test/unit/shared/text/quotes.test.ts',
      'test/unit/state/documents/messageMarkdown.test.ts',
      'test/unit/state/markdown/',
      'test/unit/views/documents/documentLinks.test.ts',
      'test/unit/webview/content/',
      'test/unit/webview/markdown/',
      'test/webview/access/access',
      'test/webview/asked.test.ts',
      'test/webview/comments.test.ts',
      'test/webview/content.test.ts',
      'test/webview/directions.test.ts',
      'test/webview/fileLinks.test.ts',
      'test/webview/find.test.ts',
      'test/webview/hostile.test.ts',
      'test/webview/markdown.test.ts',
      'test/webview/math.test.ts',
      'test/webview/message.test.ts',
      'test/webview/reading.test.ts',
      'test/webview/terminal.test.ts',
    ],
    goal: 90,
  },
  {
    name: 'secrets',
    sources: ['src/shared/redaction/', 'src/shared/slices.ts'],
    tests: ['test/unit/shared/redaction/', 'test/unit/shared/slices.test.ts'],
    goal: 90,
  },
  {
    name: 'shown text',
    sources: [
      'src/shared/text/copied.ts',
      'src/shared/text/cutPoint.ts',
      'src/shared/text/externalAddress.ts',
      'src/shared/text/filePaths.ts',
      'src/shared/text/hiddenCharacters.ts',
      'src/shared/text/jsonBytes.ts',
      'src/shared/text/lines.ts',
      'src/shared/text/places.ts',
      'src/shared/text/paragraphs.ts',
      'src/shared/text/quotes.ts',
      'src/shared/text/terminalText.ts',
      'src/shared/text/textSize.ts',
      'src/host/prompts/editorText.ts',
    ],
    tests: [
      'test/unit/shared/text/',
      'test/unit/shared/text.test.ts',
      'test/unit/shared/longJson.test.ts',
      'test/unit/host/prompts/editorText.test.ts',
    ],
    goal: 90,
  },
  {
    name: 'consent and links',
    sources: [
      'src/commands/languageModel/consent.ts',
      'src/host/externalOpener.ts',
      'src/views/documents/documentLinks.ts',
    ],
    tests: [
      'test/unit/commands/languageModel/',
      'test/unit/commands/page/windowHandlers.test.ts',
      'test/unit/views/documents/documentLinks.test.ts',
    ],
    goal: 90,
  },
];

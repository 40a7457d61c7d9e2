/**
 * The functions that process text from a service or an agent, each as a function of one text. Bundled by
 * `CountedModule` for the test, and imported as it is by the benchmark.
 */
import { readMessage, readMessagePage } from '../../src/api/resources/message.ts';
import { addressText, externalAddress } from '../../src/shared/text/externalAddress.ts';
import { fileTarget, meantPaths, pathTokens, readWrittenPlace } from '../../src/shared/text/filePaths.ts';
import { visibleText } from '../../src/shared/text/hiddenCharacters.ts';
import { parseJson, printJson } from '../../src/shared/json.ts';
import { oneLine } from '../../src/shared/log.ts';
import { parsedJson, printedJson } from '../../src/shared/longJson.ts';
import { findQuote, quoteOffset } from '../../src/shared/text/quotes.ts';
import { redactSecrets } from '../../src/shared/secrets.ts';
import { type PausableWork, withoutPause } from '../../src/shared/slices.ts';
import { plainTerminalText } from '../../src/shared/text/terminalText.ts';
import { isolatedLine, plainLine, splitSentences } from '../../src/shared/text.ts';
import { translator } from '../../src/shared/translate.ts';
import { findTexts } from '../../src/state/conversation/findPattern.ts';
import { cutBlocks } from '../../src/state/conversation/truncate.ts';
import { messageTextForModel } from '../../src/state/languageModel/sessionText.ts';
import { isSelfContained } from '../../src/state/markdown/diagram.ts';
import { placingSections } from '../../src/state/documents/document.ts';
import { documentUri } from '../../src/state/documents/documentUri.ts';
import { embeddedMarkdown, escapedLine, fencedText, standaloneMarkdown } from '../../src/state/markdown/embed.ts';
import { fileNameOf } from '../../src/state/documents/export.ts';
import { inertingMarkdown } from '../../src/state/markdown/inert.ts';
import { messagePlainText, outputText, quoteMarkdown } from '../../src/state/documents/messageMarkdown.ts';
import { redactingJson, redactText } from '../../src/shared/redaction/redaction.ts';
import { plainTextOf } from '../../src/state/markdown/plainText.ts';
import { tooltipMarkdown } from '../../src/state/markdown/tooltip.ts';
import * as presentation from '../../src/state/presentation/describeMessage.ts';
import { messageDetails } from '../../src/state/presentation/describeDetails.ts';
import { splitPath } from '../../src/state/presentation/describeChanges.ts';
import { readSessionReferences } from '../../src/state/sessions/sessionLinks.ts';
import { headerVersion, messageHeaderSteps, summarizeMessage } from '../../src/state/store/messageHeader.ts';
import { recognizeCall } from '../../src/state/tools/recognize.ts';
import type { FileChange } from '../../src/state/tools/toolCall.ts';
import { readPromptText } from '../../src/state/store/promptText.ts';
import { readToolMarks } from '../../src/state/tools/toolMarks.ts';
import { markLines } from '../../src/state/work/agentMarks.ts';
import { changeTexts } from '../../src/state/work/changeTexts.ts';
import { fileKey } from '../../src/state/work/changes.ts';
import { comparePresence } from '../../src/state/work/presence.ts';
import { findWords } from '../../src/sync/cache/findWords.ts';
import { makeMarkdownParser } from '../../src/webview/markdown/markdownParser.ts';
import { cutPlain, divide } from '../../src/webview/content/sections.ts';

const describeMessage = (...given: Parameters<typeof presentation.describeMessage>) =>
  withoutPause(presentation.describeMessage(...given));

const t = translator('en');
const parser = makeMarkdownParser();

const messageOf = (content: unknown, role = 'assistant') =>
  readMessage({ id: 'm', role, createdAt: 1, updatedAt: 2, content }) ?? fail();
const textMessage = (text: string) => messageOf([{ type: 'text', text }]);
const blocksOfLines = (text: string) => text.split('\n').map((part) => ({ type: 'text', text: part }));
const piecesOf = (text: string, length: number) =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
/** Calls that edit files and together contain a text. */
const callsOf = (text: string) =>
  piecesOf(text, 300).map((piece) => ({
    type: 'tool_use',
    name: 'Edit',
    input: { file_path: piece, old_string: piece, new_string: `${piece}+` },
  }));
/** A message of the user with a text in many blocks. */
const promptOf = (text: string) =>
  messageOf(
    piecesOf(text, 300).map((piece) => ({ type: 'text', text: piece })),
    'user',
  );
/** Blocks of all kinds that can contain text, which together contain this text. */
const mixedBlocksOf = (text: string) => {
  const kinds = [
    (piece: string) => ({ type: 'text', text: piece }),
    (piece: string) => ({ type: 'thinking', thinking: piece }),
    (piece: string) => ({ type: 'tool_use', id: 'a', name: piece, input: { [piece]: piece } }),
    (piece: string) => ({ type: 'tool_result', toolUseId: 'a', content: [{ type: 'text', text: piece }] }),
    (piece: string) => ({ type: 'document', name: piece, source: { data: '', parsedData: piece } }),
    (piece: string) => ({ type: piece }),
  ];
  return piecesOf(text, 300).map((piece, at) => kinds[at % kinds.length]?.(piece));
};
/** Messages of a few thousand characters that together contain a text. */
const messagesOf = (text: string) =>
  piecesOf(text, 3_000).map((piece, at) => ({
    id: String(at),
    createdAt: at,
    updatedAt: at,
    content: blocksOfLines(piece),
  }));
const blocksOf = (text: string) => describeMessage(textMessage(text), { role: 'assistant' }, 'm', t).blocks;
const marksOf = (name: string, input: unknown) =>
  readToolMarks(summarizeMessage(messageOf([{ type: 'tool_use', id: 'a', name, input }])).tools);

const resultMarks = (text: string) =>
  readToolMarks(summarizeMessage(messageOf([{ type: 'tool_result', toolUseId: 'a', content: text }], 'tool')).tools);

function fail(): never {
  throw new Error('The message is invalid.');
}

/** The old and the new text of an edit: the first half of a text, and the text with another beginning. */
const halves = (text: string) => [text.slice(0, text.length / 2), `new\n${text.slice(1)}`] as const;

/** The functions that run on the host, by name. */
export const hostFunctions: Readonly<Record<string, (text: string) => unknown>> = {
  'read a message': (text) => messageOf(text),
  'read a message of many blocks': (text) => messageOf(blocksOfLines(text)),
  'header of a message': (text) => headerVersion(summarizeMessage(textMessage(text))),
  'header of a question': (text) => headerVersion(summarizeMessage(textMessage(`${text}?`))),
  'header of a long line': (text) => summarizeMessage(textMessage(`${text.slice(0, 700)}?`)),
  'header of a prompt': (text) => summarizeMessage(messageOf([{ type: 'text', text }], 'user')),
  'text of a prompt': (text) => readPromptText(text),
  'header of a result': (text) =>
    summarizeMessage(messageOf([{ type: 'tool_result', toolUseId: 'a', content: text }], 'tool')),
  'find: texts of a message': (text) => withoutPause(findTexts(blocksOf(text), t)),
  'find: texts of thinking': (text) =>
    withoutPause(
      findTexts(describeMessage(messageOf([{ type: 'thinking', thinking: text }]), undefined, 'm', t).blocks, t),
    ),
  'find in all sessions': (text) => findWords(textMessage(text), ['needle', 'a']),
  'copy as plain text': (text) => withoutPause(messagePlainText(textMessage(text), 'assistant', t)),
  quote: (text) => withoutPause(quoteMarkdown(text)),
  'rows of a message': (text) => cutBlocks(blocksOf(text), t),
  'rows of a tool call': (text) =>
    describeMessage(messageOf([{ type: 'tool_use', id: 'a', name: text, input: { [text]: text } }]), undefined, 'm', t),
  details: (text) => messageDetails(textMessage(text), undefined, t),
  'one line': (text) => [plainLine(text), isolatedLine(text), oneLine(text, 500), tooltipMarkdown(text)],
  'visible text': (text) => visibleText(text),
  sentences: (text) => splitSentences(text),
  'names of files': (text) => [fileNameOf(text), documentUri(address, text), splitPath(text), fileKey(text)],
  'output as text': (text) =>
    withoutPause(
      outputText({ type: 'tool_result', toolUseId: 'a', isError: false, content: [{ type: 'text', text }] }, t),
    ),
  'terminal output': (text) => plainTerminalText(text),
  'parse and print JSON': (text) => printJson(parseJson(`{"a":[${JSON.stringify(text)}]}`)),
  'nested JSON': (text) => printJson(parseJson(text)),
  'secrets in an error': (text) => redactSecrets(text, ['key-0123456789-abcdefgh', 'aaaaaaaaaaaaaaaaaaaaaaaa']),
  'result: header after a command': (text) => resultMarks(`Command: ${text}\nChunk ID: 1\nProcess exited with code 1`),
  'result: quoted command': (text) => resultMarks(`Command "${text}" failed with exit code 1`),
  'result: trailer': (text) => resultMarks(`${text}\nExit Code: 1\nProcess Group PGID: 1`),
  'result: tags': (text) => resultMarks(`<returncode>1</returncode>\n${text.replaceAll('\n', '\n<task_id>')}`),
  'result: JSON': (text) => resultMarks(JSON.stringify({ output: text, metadata: { exit_code: 1 } })),
  'result: JSON list': (text) =>
    resultMarks(JSON.stringify(text.split('\n').map((error) => ({ query: 'a', error, success: false })))),
  'result: terminal': (text) => resultMarks(`Exit code: 1\n\u001b[31m${text.replaceAll(' ', '\u001b[0m')}`),
  'tool: commands': (text) => marksOf('run_commands', { commands: text.split('\n') }),
  'tool: agents': (text) => marksOf('wait_agent', { targets: text.split('\n') }),
  'tool: item of a plan': (text) => marksOf('TaskCreate', { subject: text }),
  'tool: edit': (text) => {
    const [oldText, newText] = halves(text);
    return marksOf('Edit', { file_path: 'a.ts', old_string: oldText, new_string: newText });
  },
  'tool: edits': (text) =>
    marksOf('MultiEdit', {
      file_path: 'a.ts',
      edits: text.split('\n').map((part) => ({ old_string: part, new_string: `${part} ` })),
    }),
  'tool: write': (text) => marksOf('Write', { file_path: text, content: text }),
  'tool: patch': (text) => marksOf('apply_patch', `*** Begin Patch\n*** Update File: a\n@@\n${text}\n*** End Patch`),
  'tool: patch files': (text) => marksOf('apply_patch', `*** Begin Patch\n${text}\n*** End Patch`),
  'tool: diff': (text) => marksOf('apply_patch', { path: 'a', patch: text }),
  'tool: git diff': (text) => marksOf('apply_patch', { path: 'a', patch: `diff --git a/a b/a\n${text}` }),
  'tool: search blocks': (text) => marksOf('replace_in_file', { path: 'a', diff: text }),
  'tool: command': (text) => marksOf('Bash', { command: text }),
  'tool: command parts': (text) => marksOf('shell', { command: text.split(' ').slice(0, 1_000) }),
  'tool: checklist': (text) => marksOf('update_todo_list', { todos: text }),
  'tool: question': (text) => marksOf('ask_user', { questionnaire: text }),
  'tool: fetch': (text) => marksOf('web_fetch', { prompt: text }),
  'tool: name': (text) => marksOf(text, { [text]: text }),
  'tool: JSON arguments': (text) => recognizeCall('Edit', text),
  'changes of files': (text) => {
    const [oldText, newText] = halves(text);
    const edit = (piece: string) => [{ oldText: piece, newText: `${piece}+` }];
    const changes: FileChange[] = [
      { path: 'a', change: 'edited', isWhole: true, pieces: [{ oldText, newText }] },
      ...['a', 'aa', '\n'].map((piece) => ({
        path: 'a',
        change: 'edited' as const,
        isWhole: false,
        pieces: edit(piece),
      })),
    ];
    return [withoutPause(changeTexts(changes)), withoutPause(comparePresence(changes, text))];
  },
  'changes everywhere': (text) => {
    const changes: FileChange[] = [
      { path: 'a', change: 'created', isWhole: true, pieces: [{ oldText: '', newText: text }] },
      ...['a', '\n', 'b\r\n'].map((oldText) => ({
        path: 'a',
        change: 'edited' as const,
        isWhole: false,
        pieces: [{ oldText, newText: 'c', occurrences: 'all' as const }],
      })),
    ];
    return [withoutPause(changeTexts(changes)), withoutPause(comparePresence(changes, text))];
  },
  'references to sessions': (text) => readSessionReferences(text),
  'place of a quote': (text) => [
    withoutPause(findQuote(text, `${text.slice(0, 900)}x`, withoutPause(quoteOffset(text.slice(0, 50))))),
    withoutPause(findQuote(text, text.slice(-900), 0)),
  ],
};

const address = { key: { origin: 'https://service.test', sessionId: 's' }, shows: { part: 1 } };

/** Finds messages in a document that quotes them, and in which some are missing. */
const sectionsOf = (text: string) =>
  placingSections(
    text,
    piecesOf(text, 300).flatMap((piece, at) => [
      { messageId: `a${at}`, text: `## ${at}\n${piece}` },
      { messageId: `b${at}`, text: piece },
    ]),
  );

/** The functions for documents, exports, and texts for models, which also run on the host. */
export const documentFunctions: Readonly<Record<string, (text: string) => unknown>> = {
  'document of a conversation': (text) => withoutPause(embeddedMarkdown(text)),
  'document of a message': (text) => withoutPause(inertingMarkdown(withoutPause(standaloneMarkdown(text)))),
  'code in a document': (text) => withoutPause(fencedText(text)),
  heading: (text) => escapedLine(text),
  'sections of a document': (text) => withoutPause(sectionsOf(text)),
  diagram: (text) => isSelfContained(text),
  redaction: (text) => redactText(text),
  'redaction of JSON': (text) => withoutPause(redactingJson({ data: text, a: [text] })),
  'text for models': (text) => messageTextForModel(textMessage(text), 'assistant'),
};

/** Parses JSON of any length, with pauses. */
export const parseText = (json: string): PausableWork<unknown> => parsedJson(new TextEncoder().encode(json));

/** The functions of the host whose work pauses. */
export const pausableFunctions: Readonly<Record<string, (text: string) => PausableWork<unknown>>> = {
  'parse an answer': (text) => parseText(JSON.stringify(blocksOfLines(text)).slice(0, text.length)),
  'parse a long text': (text) => parseText(JSON.stringify({ text })),
  'parse a nested answer': (text) => parseText(text.startsWith('{') ? text : `[${text}]`),
  'read a page of messages': (text) => readMessagePage({ messages: messagesOf(text), pagination: {} }),
  'header of a prompt': (text) => messageHeaderSteps(promptOf(text)),
  'header of many calls': (text) => messageHeaderSteps(messageOf(callsOf(text))),
  'rows of many blocks': (text) => presentation.describeMessage(messageOf(mixedBlocksOf(text)), undefined, 'm', t),
  'arguments of a call': (text) => printedJson({ [text.slice(0, 1_000)]: text, lines: text.split('\n') }),
  'place of a quote': (text) => findQuote(text, text.slice(-900), 0),
  'find: texts of a message': (text) => findTexts([{ type: 'markdown', text }], t),
  'copy as plain text': (text) => plainTextOf(text),
  quote: (text) => quoteMarkdown(text),
  'output as text': (text) =>
    outputText({ type: 'tool_result', toolUseId: 'a', isError: false, content: [{ type: 'text', text }] }, t),
  'document of a conversation': (text) => embeddedMarkdown(text),
  'document of a message': (text) => standaloneMarkdown(text),
  'code in a document': (text) => fencedText(text),
  'links in a document': (text) => inertingMarkdown(text),
  'sections of a document': sectionsOf,
  'lines that an agent wrote': (text) => {
    const newText = `certain(first, second, third);\n${text}`;
    return markLines(newText, [{ source: '', createdAt: 0, oldText: '', newText }]);
  },
};

/** The functions that run in the page, without those that draw. */
export const pageFunctions: Readonly<Record<string, (text: string) => unknown>> = {
  sections: (text) => divide(text),
  'pieces of code': (text) => cutPlain(text),
  Markdown: (text) => {
    const shared = {};
    for (const { text: section, isFormatted, fence } of divide(text)) {
      if (isFormatted && !fence) parser.parse(section, shared);
    }
  },
  paths: (text) => [pathTokens(text, false), pathTokens(`a.b:${text}`, true)],
  'path in a link': (text) => [fileTarget(text), meantPaths(readWrittenPlace(text))],
  links: (text) => [externalAddress(`https://${text}`), addressText(`https://${text}`)],
};

/** Functions of known cost, which show that work is counted. */
export const samples = {
  loop(text: string): number {
    let at = 0;
    while (at < text.length) at += 1;
    return at;
  },
  nestedLoops(text: string): number {
    let count = 0;
    for (const one of text) for (const other of text) count += one === other ? 1 : 0;
    return count;
  },
  expression: (text: string): boolean => /a+b/.test(text),
  searches(text: string): number {
    let count = 0;
    for (const one of text) if (text.includes(`b${one}`)) count += 1;
    return count;
  },
} as const;

import { parseJson } from '../../shared/json.ts';
import { keysOf } from '../../shared/keysOf.ts';

/**
 * The names that agents give each argument: in order of preference, in lowercase, without separators. docs/tools.md
 * lists the agents and their public sources.
 */
const aliases = {
  path: [
    ...['filepath', 'path', 'filename', 'targetfile', 'absolutepath', 'file', 'notebookpath', 'targetnotebook'],
    ...['relativeworkspacepath', 'relativepath'],
  ],
  paths: ['paths', 'filepaths', 'files', 'include', 'file'],
  folder: [
    'directorypath',
    'dirpath',
    'directory',
    'targetdirectory',
    'folder',
    'dir',
    'path',
    'relativeworkspacepath',
  ],
  source: ['sourcepath', 'source', 'oldpath', 'from'],
  destination: ['destinationpath', 'destination', 'newpath', 'to'],
  oldText: ['oldstring', 'oldstr', 'oldtext', 'oldcontent', 'search'],
  search: ['search'],
  replace: ['replace'],
  occurrences: [
    ...['replaceall', 'changeall', 'alloccurrences', 'replaceallmatches', 'allowmultiple', 'global'],
    ...['allowmultipleoccurrences', 'expectedreplacements', 'expectedoccurrences'],
  ],
  newText: ['newstring', 'newstr', 'newtext', 'newcontent', 'replace', 'replacement'],
  edits: ['edits', 'changes', 'replacements'],
  content: ['content', 'contents', 'filetext', 'filecontent', 'filecontents'],
  insertion: ['inserttext', 'newstr', 'newtext', 'content', 'text'],
  line: ['insertline', 'line', 'startline'],
  range: ['viewrange', 'readrange', 'startline', 'startlineoneindexed', 'offset', 'limit'],
  sketch: ['codeedit', 'code', 'changes', 'newsource', 'newcode'],
  patch: ['patch', 'patchtext', 'input', 'diff'],
  mode: ['mode', 'editmode', 'operation'],
  command: ['command', 'cmd', 'commandline', 'script'],
  commands: ['commands'],
  commandArguments: ['args', 'arguments'],
  workingFolder: [
    ...['workdir', 'cwd', 'workingdirectory', 'workingdir', 'currentworkingdirectory'],
    ...['dirpath', 'directory'],
  ],
  query: [
    ...[
      'query',
      'pattern',
      'regex',
      'searchterm',
      'globpattern',
      'filepattern',
      'patterns',
      'searchqueries',
      'queries',
    ],
    ...['objective', 'glob'],
  ],
  filter: ['path', 'dirpath', 'include', 'includepattern', 'glob', 'outputmode', 'isregexp', 'casesensitive'],
  address: ['url', 'urls'],
  requests: ['requests'],
  items: ['todos', 'todolist', 'plan', 'tasklist', 'items', 'tasks', 'taskprogress', 'content'],
  itemText: ['content', 'step', 'title', 'text', 'description', 'task', 'subject', 'name'],
  itemState: ['status', 'state', 'completed', 'done'],
  questions: ['questions', 'question', 'questionnaire'],
  proposal: ['plan', 'response', 'plancontent', 'summary', 'title'],
  prompt: ['prompt', 'message', 'task', 'objective', 'request', 'instructions', 'context'],
  options: ['options', 'choices', 'followup'],
  optionText: ['label', 'text', 'title', 'option', 'name', 'value'],
  optionDetail: ['description', 'detail', 'details', 'explanation'],
  heading: ['header', 'topic'],
  isMultiple: ['multiselect', 'multiple', 'allowmultiple', 'ismultiselect', 'ismultiple'],
  summary: ['description', 'title'],
  skill: ['skill', 'skillname', 'name', 'command'],
  handles: [
    ...['sessionid', 'bashid', 'shellid', 'terminalid', 'processid', 'agentid', 'taskid', 'cellid'],
    ...['targets', 'target', 'ids', 'id'],
  ],
  typed: ['chars', 'input', 'message', 'text', 'keys', 'data'],
  taskId: ['taskid', 'id'],
  subject: ['subject', 'title'],
  agentType: ['subagenttype', 'agenttype', 'agentname', 'subagent'],
  isPartial: ['merge', 'needsmoreexploration'],
  isDryRun: ['dryrun'],
} as const satisfies Record<string, readonly string[]>;

type ArgumentName = keyof typeof aliases;
/** The arguments of a call by the names that {@link aliases} defines. An absent argument is undefined. */
export type Arguments = Readonly<Partial<Record<ArgumentName, unknown>>>;

interface RankedName {
  readonly name: ArgumentName;
  readonly rank: number;
}

const namesByAlias = new Map<string, RankedName[]>();
for (const name of keysOf(aliases)) {
  for (const [rank, alias] of aliases[name].entries()) {
    namesByAlias.set(alias, [...(namesByAlias.get(alias) ?? []), { name, rank }]);
  }
}

/** The names of arguments by the keys of calls. Agents use few keys, and reducing one to its alias takes longer. */
const namesByKey = new Map<string, readonly RankedName[]>();
const maxKnownKeys = 1_000;

function namesOf(key: string): readonly RankedName[] {
  const known = namesByKey.get(key);
  if (known) return known;
  const names = namesByAlias.get(key.toLowerCase().replace(/[^a-z0-9]/g, '')) ?? [];
  if (namesByKey.size < maxKnownKeys) namesByKey.set(key, names);
  return names;
}

/** Keys that some agents wrap the arguments in. */
const wrappers = ['arguments', 'args', 'parameters', 'params', 'input', 'action'];
const maxWrappers = 3;
/**
 * Arguments that can be next to a wrapper, or have the same name as one. An object with any other argument isn't
 * unwrapped.
 */
const outside = new Set<ArgumentName>([
  ...([
    'patch',
    'itemText',
    'itemState',
    'commandArguments',
    'workingFolder',
    'skill',
    'handles',
    'typed',
    'taskId',
    'subject',
    'optionText',
    'optionDetail',
    'heading',
    'isMultiple',
  ] as const),
]);
/** The maximum numbers of arguments, and of characters in their names. Others are ignored; calls have few arguments. */
const maxArguments = 100;
const maxNameLength = 200;
/** The maximum length in UTF-16 code units of arguments in JSON text. Longer ones are read as plain text. */
const maxJsonLength = 250_000;

/** A tool call whose arguments have the names that {@link aliases} defines. */
export class NamedCall {
  /** The words of the tool's name in lowercase: `read file` for `mcp__files__readFile`. */
  readonly words: string;
  readonly fields: Arguments;
  /** The input, if it is text and not arguments. */
  readonly text: string | undefined;

  constructor(name: string, input: unknown) {
    this.words = wordsOf(name);
    const unwrapped = unwrap(input);
    this.fields = isRecord(unwrapped) ? argumentsOf(unwrapped) : {};
    this.text = typeof unwrapped === 'string' ? unwrapped : undefined;
  }

  /** Whether a pattern matches the words of the tool's name. */
  isNamed(pattern: RegExp): boolean {
    return pattern.test(this.words);
  }
}

/** Reads the arguments in a value. Empty if it isn't an object. */
export function argumentsOf(value: unknown): Arguments {
  if (!isRecord(value)) return {};
  const found: Partial<Record<ArgumentName, unknown>> = {};
  const ranks = new Map<ArgumentName, number>();
  for (const key of Object.keys(value).slice(0, maxArguments)) {
    if (key.length > maxNameLength || value[key] === undefined || value[key] === null) continue;
    for (const { name, rank } of namesOf(key)) {
      if (rank >= (ranks.get(name) ?? Infinity)) continue;
      ranks.set(name, rank);
      found[name] = value[key];
    }
  }
  return found;
}

function unwrap(input: unknown): unknown {
  const texts = new JsonTexts();
  let value = texts.parsed(input);
  for (let depth = 0; depth < maxWrappers && isRecord(value); depth += 1) {
    const record = value;
    if (keysOf(argumentsOf(record)).some((name) => !outside.has(name))) return value;
    const wrapped = wrappers.map((key) => (Object.hasOwn(record, key) ? texts.parsed(record[key]) : undefined));
    const inner = wrapped.find(isRecord);
    if (inner === undefined) return value;
    value = inner;
  }
  return value;
}

/** Parses the texts in the arguments of one call, up to {@link maxJsonLength} in total. */
class JsonTexts {
  #lengthLeft = maxJsonLength;

  /** Like {@link parsedObject}. */
  parsed(value: unknown): unknown {
    if (typeof value !== 'string') return value;
    if (value.length > this.#lengthLeft) return value;
    this.#lengthLeft -= value.length;
    return parsedObject(value);
  }
}

/** Parses arguments that are the text of a JSON object, up to 250,000 characters. Returns everything else unchanged. */
export function parsedObject(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > maxJsonLength || !/^\s{0,9}\{/.test(value)) return value;
  return parseJson(value) ?? value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wordsOf(name: string): string {
  const last =
    name
      .slice(-maxNameLength)
      .split(/__|[.:/]/)
      .findLast((part) => part !== '') ?? '';
  return last
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
}

import { once } from '../../shared/lazy.ts';

/** Recognizes a whole line or statement. */
type Line = Pick<RegExp, 'test'>;

/** A part of a diagram whose lines have a syntax of their own, for example the members of a class. */
interface Block {
  readonly opening: Line;
  readonly statement: Line;
  readonly end: Line;
}

/**
 * The part of the syntax of a kind of Mermaid diagram that consists of nothing but names, arrows, numbers, and text.
 */
interface DiagramSyntax {
  readonly header: Line;
  isStatement(statement: string): boolean;
  readonly blocks?: readonly Block[];
}

// No unbounded quantifier below contains another quantifier, and white space is a single space, so the work is
// proportional to the length of a line.
const id = String.raw`(?:[\p{L}\p{N}_]|[-.](?=[\p{L}\p{N}_]))+`;
const quoted = '"[^"]*"';
/** Text up to the end of the statement. */
const text = '[^;]*';
const label = String.raw`(?:${quoted}|[^"()[\]{}|;]*)`;
const direction = String.raw`direction\s+(?:TB|TD|BT|RL|LR)`;
const annotation = String.raw`<<[\p{L}\p{N}_-]+>>`;

function whole(...alternatives: readonly string[]): Line {
  const expression = once(() => new RegExp(`^(?:${alternatives.join('|')})$`, 'iu'));
  return { test: (line) => expression().test(line) };
}

const described = String.raw`(?:acc(?:Title|Descr)\s*:|title:?\s)${text}`;

function statements(...alternatives: readonly string[]): Pick<DiagramSyntax, 'isStatement'> {
  const known = whole(described, ...alternatives);
  return { isStatement: (statement) => known.test(statement) };
}

/** At the start of a statement with free text: excludes statements that run, link, or style something. */
const inaction = String.raw`(?!(?:click|call|callback|href|links?|style|class|classDef|cssClass|todayMarker)\s)`;

const flowchartLine = whole(
  described,
  direction,
  String.raw`subgraph(?:\s+(?:${quoted}|[^"()[\]{}|<>;]*)(?:\[${label}\])?)?`,
);
const flowchartNode = once(
  () => new RegExp(String.raw`\s*${id}(?:(?:[[({]{1,3}\/?|>)${label}\/?[\])}]{1,3})?\s*`, 'uy'),
);
const linkText = String.raw`(?:\s*${quoted}\s*|[^"()[\]{}|;]+?)`;
const linkEnd = String.raw`(?:-{2,9}|={2,9})[-=>xo]`;
const flowchartLink = once(
  () =>
    new RegExp(
      String.raw`&\s|[<xo]?(?:${linkEnd}|-\.{1,9}-[>xo]?|~{3,9}|(?:--|==|-\.)${linkText}(?:${linkEnd}|\.{1,9}-[>xo]?))(?:\s*\|[^|;]*\|)?`,
      'uy',
    ),
);

/** Whether a line of a flowchart consists of nodes and of links between them. */
function isChain(line: string): boolean {
  let at = 0;
  const take = (part: RegExp): boolean => {
    part.lastIndex = at;
    const [taken] = part.exec(line) ?? [];
    at += taken?.length ?? 0;
    return taken !== undefined;
  };
  do if (!take(flowchartNode())) return false;
  while (take(flowchartLink()));
  return at === line.length;
}

const flowchart: DiagramSyntax = {
  header: whole(String.raw`(?:graph|flowchart)(?:\s+(?:TB|TD|BT|RL|LR))?`),
  isStatement: (statement) => flowchartLine.test(statement) || isChain(statement),
};

const participant = String.raw`(?:[^-:;<>()"+]|-(?=[\p{L}\p{N}])(?!x))+`;
const sequence: DiagramSyntax = {
  header: whole('sequenceDiagram'),
  ...statements(
    String.raw`autonumber(?:\s+\d+){0,2}|autonumber\s+off|end`,
    String.raw`(?:create\s+)?(?:participant|actor)\s+${text}`,
    String.raw`(?:destroy|activate|deactivate)\s+[^:;<>]+`,
    String.raw`${participant}(?:<<)?-{1,2}(?:>{1,2}|[x)])\s*[-+]?[^-:;<>()"+][^:;<>()"]*:${text}`,
    String.raw`note\s+(?:over|left\s+of|right\s+of)\s+[^:;<>]+:${text}`,
    String.raw`(?:loop|alt|else|opt|par|par_over|and|critical|option|break|box)(?:\s${text})?`,
    String.raw`rect\s+(?:[a-z]+|rgba?\([\d\s,.%]*\))`,
  ),
};

const className = String.raw`${id}(?:~[\p{L}\p{N}_~,. ?[\]]*~)?`;
const classEnd = String.raw`(?:<\||\|>|[<>*o]|\(\))?`;
const classOpening = String.raw`class\s+${className}(?:\s*\[${quoted}\])?(?:\s*${annotation})?`;
const classDiagram: DiagramSyntax = {
  header: whole('classDiagram(?:-v2)?'),
  ...statements(
    direction,
    String.raw`${classOpening}(?:\s*\{\s*\})?`,
    String.raw`namespace\s+${id}\s*\{|\}`,
    String.raw`${annotation}\s+${className}`,
    String.raw`${className}\s*:[^;{}]*`,
    String.raw`${className}\s*(?:${quoted}\s*)?${classEnd}(?:--|\.\.)${classEnd}\s*(?:${quoted}\s*)?${className}(?:\s*:${text})?`,
    String.raw`note(?:\s+for\s+${className})?\s+${quoted}`,
  ),
  blocks: [
    {
      opening: whole(String.raw`${classOpening}\s*\{`),
      statement: whole(`${inaction}[^;{}]*`),
      end: whole(String.raw`\}`),
    },
  ],
};

const state = String.raw`(?:${id}|\[\*\])`;
const stateDiagram: DiagramSyntax = {
  header: whole('stateDiagram(?:-v2)?'),
  ...statements(
    direction,
    String.raw`${state}(?:\s*-->\s*${state})?(?:\s*:${text})?`,
    String.raw`state\s+(?:${quoted}\s+as\s+)?${id}(?:\s*(?:${annotation}|\{|:${text}))?`,
    String.raw`\}|--|hide\s+empty\s+description`,
    String.raw`note\s+(?:left|right)\s+of\s+${id}\s*:${text}`,
  ),
  blocks: [
    {
      opening: whole(String.raw`note\s+(?:left|right)\s+of\s+${id}`),
      statement: whole(inaction + text),
      end: whole(String.raw`end\s+note`),
    },
  ],
};

const entity = String.raw`(?:${id}|${quoted})(?:\s*\[(?:${id}|${quoted})\])?`;
const key = '[PFU]K';
const erDiagram: DiagramSyntax = {
  header: whole('erDiagram'),
  ...statements(
    direction,
    String.raw`${entity}(?:\s*\{\s*\})?`,
    String.raw`${entity}\s*[|}o{]{2}(?:--|\.\.)[|}o{]{2}\s*${entity}(?:\s*:\s*(?:${quoted}|[^"{}<>;]*))?`,
  ),
  blocks: [
    {
      opening: whole(String.raw`${entity}\s*\{`),
      statement: whole(
        String.raw`[\p{L}\p{N}_()[\],.-]+\s+\*?${id}(?:\s+${key}(?:\s*,\s*${key}){0,2})?(?:\s+${quoted})?`,
      ),
      end: whole(String.raw`\}`),
    },
  ],
};

const gantt: DiagramSyntax = {
  header: whole('gantt'),
  ...statements(
    String.raw`(?:dateFormat|axisFormat|excludes|includes|weekday|weekend)\s+[\w\s%:,./-]+`,
    String.raw`tickInterval\s+\d{1,4}\s*[a-z]+|todayMarker\s+off|inclusiveEndDates|topAxis`,
    String.raw`section\s${text}`,
    `${inaction}[^:;]+:${text}`,
  ),
};

const number = String.raw`[-+]?[\d.]+`;
const pie: DiagramSyntax = {
  header: whole(String.raw`pie(?:\s+showData)?(?:\s+title\s${text})?`),
  ...statements('showData', String.raw`${quoted}\s*:\s*${number}`),
};

const mindmap: DiagramSyntax = {
  header: whole('mindmap'),
  ...statements(String.raw`[^"()[\]{};]*(?:[([{)]{1,3}(?:${quoted}|[^"()[\]{};]*)[)\]}(]{1,3})?`),
};

const timeline: DiagramSyntax = { header: whole(String.raw`timeline(?:\s+(?:LR|TD))?`), ...statements(text) };

const journey: DiagramSyntax = {
  header: whole('journey'),
  ...statements(String.raw`section\s${text}`, String.raw`[^:;]+:\s*\d+\s*(?::${text})?`),
};

const gitGraph: DiagramSyntax = {
  header: whole(String.raw`gitGraph(?:\s+(?:LR|TB|BT))?\s*:?`),
  ...statements(
    String.raw`(?:commit|merge\s+[\w./-]+|cherry-pick)(?:\s+(?:(?:id|tag|msg|parent)\s*:\s*)?${quoted}|\s+type\s*:\s*\w+){0,5}`,
    String.raw`branch\s+(?:${quoted}|[\w./-]+)(?:\s+order\s*:\s*\d+)?|(?:checkout|switch)\s+(?:${quoted}|[\w./-]+)`,
  ),
};

const quadrantChart: DiagramSyntax = {
  header: whole('quadrantChart'),
  ...statements(
    String.raw`(?:[xy]-axis|quadrant-[1-4])\s${text}`,
    String.raw`(?:${quoted}|[^":;[\]]+)\s*:\s*\[\s*${number}\s*,\s*${number}\s*\]`,
  ),
};

const xyChart: DiagramSyntax = {
  header: whole(String.raw`xychart(?:-beta)?(?:\s+(?:horizontal|vertical))?`),
  ...statements(
    String.raw`[xy]-axis(?:\s+(?:${quoted}|${id}))?(?:\s*\[[^\]]*\]|\s+${number}\s*-->\s*${number})?`,
    String.raw`(?:bar|line)(?:\s+(?:${quoted}|${id}))?\s*\[[-+\d\s,.]*\]`,
  ),
};

const syntaxes: readonly DiagramSyntax[] = [
  ...[flowchart, sequence, classDiagram, stateDiagram, erDiagram, gantt, pie],
  ...[mindmap, timeline, journey, gitGraph, quadrantChart, xyChart],
];

/**
 * Whether a Mermaid diagram is of a known kind and has only known statements. None of these statements runs, links, or
 * styles something. The caller must check what the text in the statements contains.
 */
export function hasKnownSyntax(diagram: string): boolean {
  const [header = '', ...rest] = knownLines(diagram);
  const [kind = '', ...afterKind] = header.split(';');
  const syntax = syntaxes.find((known) => known.header.test(kind.trim()));
  if (!syntax) return false;
  const { blocks = [] } = syntax;
  let block: Block | undefined;
  const isKnown = (statement: string): boolean => {
    if (statement === '') return true;
    const opened = block ? undefined : blocks.find(({ opening }) => opening.test(statement));
    const isEnd = block?.end.test(statement) === true;
    if (opened || isEnd) block = opened;
    else return block ? block.statement.test(statement) : syntax.isStatement(statement);
    return true;
  };
  // A semicolon in quotes doesn't end a statement.
  const isKnownLine = (line: string) => isKnown(line) || line.split(';').every((part) => isKnown(part.trim()));
  return afterKind.every((part) => isKnown(part.trim())) && rest.every(isKnownLine);
}

/** The lines of a diagram with single spaces, without empty lines and comments. */
function knownLines(diagram: string): string[] {
  return diagram
    .split('\n')
    .map((line) => withoutComment(line.replace(/\s+/g, ' ').trim()))
    .filter((line) => line !== '');
}

function withoutComment(line: string): string {
  const start = line.startsWith('%%') ? 0 : line.indexOf(' %%');
  // Some kinds of diagrams don't allow comments after a statement. In these, a semicolon in the text of such a comment
  // begins a statement.
  return start < 0 || (start > 0 && line.includes(';', start)) ? line : line.slice(0, start);
}

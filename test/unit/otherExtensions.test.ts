import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { nodesOf, root, sourceFiles } from '../../tools/l10n/sourceFiles.ts';

/** Identifiers by kind. VS Code keeps one registry per kind. */
interface ContributedIds {
  readonly viewsContainers: readonly string[];
  readonly views: readonly string[];
  readonly commands: readonly string[];
  readonly settings: readonly string[];
  readonly contextKeys: readonly string[];
  readonly schemes: readonly string[];
  readonly walkthroughs: readonly string[];
  readonly languageModelTools: readonly string[];
}

interface OtherExtension extends ContributedIds {
  /** `publisher.name` */
  readonly id: string;
}

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly activationEvents: readonly string[];
  readonly contributes: {
    readonly viewsContainers: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
    readonly walkthroughs: readonly { readonly id: string }[];
    readonly languageModelTools?: readonly { readonly name: string }[];
  };
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const fixture = join(root, 'test', 'fixtures', 'otherExtensions', 'ids.json');
const { extensions: others } = JSON.parse(readFileSync(fixture, 'utf8')) as {
  readonly extensions: readonly OtherExtension[];
};

const ours: ContributedIds = {
  viewsContainers: Object.values(manifest.contributes.viewsContainers).flatMap((group) => group.map(({ id }) => id)),
  views: [
    ...Object.values(manifest.contributes.views).flatMap((group) => group.map(({ id }) => id)),
    ...activationEventsOf('onWebviewPanel'),
  ],
  commands: manifest.contributes.commands.map(({ command }) => command),
  settings: manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties)),
  contextKeys: contextKeysInCode(),
  schemes: activationEventsOf('onFileSystem'),
  walkthroughs: manifest.contributes.walkthroughs.map(({ id }) => id),
  languageModelTools: (manifest.contributes.languageModelTools ?? []).map(({ name }) => name),
};
const kinds = Object.keys(ours) as (keyof ContributedIds)[];

function activationEventsOf(kind: string): string[] {
  const prefix = `${kind}:`;
  return manifest.activationEvents.flatMap((event) => (event.startsWith(prefix) ? [event.slice(prefix.length)] : []));
}

/** The members of the `ContextKeys` interface. The extension sets no other context keys. */
function contextKeysInCode(): string[] {
  return sourceFiles('src/host')
    .flatMap((file) => [...nodesOf(file)])
    .filter((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'ContextKeys')
    .flatMap((node) => (ts.isInterfaceDeclaration(node) ? [...node.members] : []))
    .flatMap(({ name }) => (name && ts.isStringLiteral(name) ? [name.text] : []));
}

/** Lists our identifiers that equal, extend, or are extended by an identifier of another extension. Ignores case. */
function clashes(own: ContributedIds, others: readonly OtherExtension[]): string[] {
  return kinds.flatMap((kind) =>
    others.flatMap((other) =>
      own[kind].flatMap((ownId) =>
        other[kind].filter((id) => overlaps(ownId, id)).map((id) => `${kind}: ${ownId} and ${id} of ${other.id}`),
      ),
    ),
  );
}

/** Whether the identifiers are equal or one extends the other. Two settings `a.b` and `a.b.c` can't both be read. */
function overlaps(left: string, right: string): boolean {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

describe('identifiers that other extensions contribute', () => {
  it('come from at least eight extensions, and our own identifiers are found', () => {
    expect(new Set(others.map(({ id }) => id)).size).toBeGreaterThanOrEqual(8);
    const empty = kinds.filter((kind) => kind !== 'languageModelTools' && ours[kind].length === 0);
    expect(empty).toEqual([]);
  });

  it('do not clash with ours', () => {
    expect(clashes(ours, others)).toEqual([]);
  });

  it('do not start with our prefix, and no extension has our ID', () => {
    const taken = others.flatMap((other) => kinds.flatMap((kind) => other[kind]));
    expect(taken.filter((id) => /^lineside\b/i.test(id))).toEqual([]);
    const ownId = `${manifest.publisher}.${manifest.name}`;
    expect(others.map(({ id }) => id.toLowerCase())).not.toContain(ownId);
  });

  it.each([
    ['viewsContainers', 'sessionDeck'],
    ['views', 'sessionDeck.sessions'],
    ['commands', 'sessionDeck.clearFilter'],
    ['settings', 'sessionDeck.notifications.whenFinished'],
    ['contextKeys', 'sessionDeck.filterActive'],
    ['schemes', 'sessiondeck'],
    ['walkthroughs', 'copilotWelcome'],
    ['languageModelTools', 'copilot_findFiles'],
  ] as const)('are reported if ours clash with them: %s "%s"', (kind, id) => {
    const nothing = Object.fromEntries(kinds.map((each) => [each, []])) as unknown as ContributedIds;
    expect(clashes({ ...nothing, [kind]: [id] }, others)).toHaveLength(1);
  });
});

import * as vscode from 'vscode';
import { extensionId } from '../../host/editors/git.ts';
import { sessionLink, type SessionReference } from '../../state/sessions/sessionLinks.ts';
import { mentionedSessions } from '../../state/sessions/terminalReferences.ts';
import { serviceOf } from '../../state/store/connection.ts';
import type { CommandContext } from '../context.ts';
import type { LinkFollower } from './linkCommands.ts';

/** A session in the output of a terminal, as a link. */
interface SessionTerminalLink extends vscode.TerminalLink {
  readonly reference: SessionReference;
}

/**
 * Provides links for the sessions that the output of a terminal mentions: the IDs of sessions in the list, and the URLs
 * of sessions on the user's services. The output is as untrusted as any link, so {@link LinkFollower} opens the
 * sessions, and asks before it adds one to the list.
 */
export class SessionTerminalLinks implements vscode.TerminalLinkProvider<SessionTerminalLink> {
  readonly #context: Pick<CommandContext, 'store' | 'connections' | 't'>;
  readonly #links: Pick<LinkFollower, 'follow'>;

  constructor(context: Pick<CommandContext, 'store' | 'connections' | 't'>, links: Pick<LinkFollower, 'follow'>) {
    this.#context = context;
    this.#links = links;
  }

  provideTerminalLinks({ line }: Pick<vscode.TerminalLinkContext, 'line'>): SessionTerminalLink[] {
    const origins = this.#origins;
    const isListed = (sessionId: string) => this.#listedOn(origins, sessionId) !== undefined;
    return mentionedSessions(line, isListed).flatMap(({ reference, startIndex, length }) => {
      const origin = reference.origin ?? this.#listedOn(origins, reference.sessionId);
      if (origin === undefined || !origins.includes(origin)) return [];
      const tooltip = this.#context.t('Open in Lineside');
      return [{ startIndex, length, tooltip, reference: { ...reference, origin } }];
    });
  }

  async handleTerminalLink({ reference }: SessionTerminalLink): Promise<void> {
    const link = sessionLink(vscode.env.uriScheme, extensionId, reference);
    await this.#links.follow(vscode.Uri.parse(link, true));
  }

  /** The origins of the user's services, the current one first. */
  get #origins(): readonly string[] {
    const { store, connections } = this.#context;
    const current = serviceOf(store.connection)?.origin;
    const known = connections.known.services.map(({ origin }) => origin);
    return current === undefined ? known : [current, ...known.filter((origin) => origin !== current)];
  }

  /** The origin of the first service that has a session with this ID in the list; undefined if none has. */
  #listedOn(origins: readonly string[], sessionId: string): string | undefined {
    const { store } = this.#context;
    return origins.find((origin) => {
      const record = store.record({ origin, sessionId });
      return record !== undefined && !record.listEntry.isTransient;
    });
  }
}

import type { Announcer } from '../dom/announcer.ts';
import type { HostChannel } from '../hostChannel.ts';
import type { Words } from '../strings.ts';
import type { IdleQueue } from './idleQueue.ts';
import type { Formatters } from './lazyFormatters.ts';
import type { PathLinks } from './paths.ts';

/** Everything except the message itself that is needed to draw a message. One instance per conversation view. */
export interface RenderContext extends Formatters {
  readonly words: Words;
  readonly channel: HostChannel;
  readonly announcer: Announcer;
  readonly idle: IdleQueue;
  readonly paths: PathLinks;
  /** Whether the user expanded or collapsed a part, by the name of the part; other parts have their default state. */
  readonly folds: Map<string, boolean>;
}

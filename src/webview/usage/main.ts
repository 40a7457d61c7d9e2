import './usage.css';
import type { UsageHostMessage, UsagePageMessage } from '../../shared/protocol/usageMessages.ts';
import { reportFailures } from '../dom/errorReporting.ts';
import { openHostChannel } from '../hostChannel.ts';
import { UsageView } from './usageView.ts';

const channel = openHostChannel<UsagePageMessage, UsageHostMessage>();
reportFailures((reason) => channel.post({ type: 'failed', reason }));
const view = new UsageView(document.body, () => channel.post({ type: 'exportCsv' }));
channel.listen(({ usage }) => {
  channel.writeState({ origin: usage.origin, sessionId: usage.sessionId });
  view.show(usage);
});
channel.post({ type: 'ready' });

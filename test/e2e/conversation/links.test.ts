import { describe, it } from 'vitest';
import { useJourney } from '../journey/journey.ts';
import { MessageLinks } from '../journey/messageLinks.ts';
import { useService } from '../journey/recordedService.ts';
import { connect } from '../journey/sessionSteps.ts';

/** VS Code 1.139, which opens addresses with different code, does so in hostileInterface.test.ts. */
describe('a link in a message, in VS Code 1.110', () => {
  const service = useService();
  const journey = useJourney({ version: '1.110', builtInExtensions: 'all' });
  let links: MessageLinks;

  it('opens exactly the address that its tooltip shows, after VS Code asks, and mail addresses unchanged', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    links = await MessageLinks.open(workbench, service);
    await links.expectShownAddresses();
    await links.expectMailAddress();
  });

  it('never runs a command or opens anything else', () => links.expectNothingElse());
});

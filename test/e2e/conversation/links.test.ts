import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';

const written = [
  'https://agents.example/a%2Fb?u=x%26y&redirect_uri=https%3A%2F%2Fb.example%2F%3Fc%3Dd#e%23f',
  'https://agents.example/100%/\u202egnp.exe',
  'https://\u0430gents.example/%D0%B0',
];
const shown = [written[0], 'https://agents.example/100%/%E2%80%AEgnp.exe', 'https://xn--gents-3ve.example/%D0%B0'];
const mail = 'mailto:a@agents.example?subject=x%26bcc=b%40agents.example';

// VS Code 1.110 and 1.139 open addresses with different code.
describe.each(['1.110', '1.139'] as const)('a link in a message, in VS Code %s', (version) => {
  const service = useService();
  const journey = useJourney({ version, builtInExtensions: version === '1.110' ? 'all' : 'few' });
  const view = () => conversationOf(journey.workbench);

  it('opens exactly the address that its tooltip shows, after VS Code asks', async () => {
    const { workbench } = journey;
    await workbench.page
      .context()
      .route(/^https:\/\/[^/]+\.example\//, (route) => route.fulfill({ body: 'Elsewhere' }));
    await connect(workbench, service);
    await service.post(
      service.sessionIdByName.tests,
      `Links: ${[...written, mail].map((address, index) => `[link ${index}](<${address}>)`).join(' ')}`,
    );
    await addSessions(workbench, service.sessionIdByName.tests);
    for (const [index, address] of shown.entries()) {
      const link = view()
        .article('Links:')
        .getByRole('link', { name: `link ${index}` });
      expect(await link.getAttribute('title')).toBe(address);
      const opening = workbench.page.context().waitForEvent('page');
      await click(link);
      await click(
        workbench.dialog
          .filter({ hasText: 'open the external website' })
          .getByRole('button', { name: 'Open', exact: true }),
      );
      const opened = await opening;
      await opened.waitForURL(/^https:/);
      expect(opened.url()).toBe(address);
      await opened.close();
    }
  });

  it('opens mail addresses unchanged too', async () => {
    const { page } = journey.workbench;
    const browser = await page.context().newCDPSession(page);
    await browser.send('Page.enable');
    const asked = new Promise<string>((resolve) => {
      browser.on('Page.frameRequestedNavigation', ({ url }) => resolve(url));
    });
    const link = view().article('Links:').getByRole('link', { name: 'link 3' });
    expect(await link.getAttribute('title')).toBe(mail);
    await click(link);
    expect(await asked).toBe(mail);
    await browser.detach();
  });

  it('never runs a command or opens anything else', async () => {
    const { workbench } = journey;
    const link = view().article('Links:').getByRole('link', { name: 'link 0' });
    const pages = workbench.page.context().pages().length;
    // In one step, because the page may draw the message again at any time.
    const clickWith = (address: string) =>
      link.evaluate((node, href) => {
        node.setAttribute('href', href);
        (node as HTMLElement).click();
      }, address);
    for (const address of ['command:workbench.action.toggleZenMode', 'vscode://lineside.lineside/open?session=x']) {
      await expect(workbench.execute('vscode.open', address)).rejects.toThrow();
      await clickWith(address);
    }
    // An address that may be opened, after the others, shows that those were handled. Its host is another one, because
    // VS Code's dialog shows the first address of a host again.
    await clickWith('https://last.example/x');
    await workbench.dialog.filter({ hasText: 'https://last.example/x' }).waitFor();
    expect(await workbench.dialog.count()).toBe(1);
    await click(workbench.dialog.getByRole('button', { name: 'Cancel' }));
    expect(workbench.page.context().pages()).toHaveLength(pages);
    expect(await workbench.page.locator('.monaco-workbench.zenmode').count()).toBe(0);
  });
});

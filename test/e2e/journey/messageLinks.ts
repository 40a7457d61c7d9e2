import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import type { Workbench } from '../../../tools/editor/drive/workbench.ts';
import type { RecordedService } from './recordedService.ts';
import { addSessions, conversationOf } from './sessionSteps.ts';

const written = [
  'https://agents.example/a%2Fb?u=x%26y&redirect_uri=https%3A%2F%2Fb.example%2F%3Fc%3Dd#e%23f',
  'https://agents.example/100%/\u202egnp.exe',
  'https://\u0430gents.example/%D0%B0',
];
const shown = [written[0], 'https://agents.example/100%/%E2%80%AEgnp.exe', 'https://xn--gents-3ve.example/%D0%B0'];
const mail = 'mailto:a@agents.example?subject=x%26bcc=b%40agents.example';

/** A message with links to web pages and a mail address, in the conversation of a window. */
export class MessageLinks {
  readonly #workbench: Workbench;

  private constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Adds the message to a session, and opens the session. The window must be connected to the service. */
  static async open(workbench: Workbench, service: RecordedService): Promise<MessageLinks> {
    const { tests } = service.sessionIdByName;
    await workbench.page
      .context()
      .route(/^https:\/\/[^/]+\.example\//, (route) => route.fulfill({ body: 'Elsewhere' }));
    await service.post(
      tests,
      `Links: ${[...written, mail].map((address, index) => `[link ${index}](<${address}>)`).join(' ')}`,
    );
    await addSessions(workbench, tests);
    return new MessageLinks(workbench);
  }

  /**
   * Expects that VS Code asks before it opens a link, and then opens exactly the address that the link's tooltip shows.
   */
  async expectShownAddresses(): Promise<void> {
    const { page, dialog } = this.#workbench;
    for (const [index, address] of shown.entries()) {
      const link = this.#link(index);
      expect(await link.getAttribute('title')).toBe(address);
      const opening = page.context().waitForEvent('page');
      await click(link);
      await click(
        dialog.filter({ hasText: 'open the external website' }).getByRole('button', { name: 'Open', exact: true }),
      );
      const opened = await opening;
      await opened.waitForURL(/^https:/);
      expect(opened.url()).toBe(address);
      await opened.close();
    }
  }

  /** Expects that a link to a mail address opens exactly that address. */
  async expectMailAddress(): Promise<void> {
    const { page } = this.#workbench;
    const browser = await page.context().newCDPSession(page);
    await browser.send('Page.enable');
    const asked = new Promise<string>((resolve) => {
      // Any frame of the window can navigate in the meantime.
      browser.on('Page.frameRequestedNavigation', ({ url }) => {
        if (url.startsWith('mailto:')) resolve(url);
      });
    });
    const link = this.#link(shown.length);
    expect(await link.getAttribute('title')).toBe(mail);
    await click(link);
    expect(await asked).toBe(mail);
    await browser.detach();
  }

  /** Expects that a link neither runs a command nor opens an address of another scheme. */
  async expectNothingElse(): Promise<void> {
    const { page, dialog, execute } = this.#workbench;
    const link = this.#link(0);
    const pages = page.context().pages().length;
    // In one step, because the page may draw the message again at any time.
    const clickWith = (address: string) =>
      link.evaluate((node, href) => {
        node.setAttribute('href', href);
        (node as HTMLElement).click();
      }, address);
    for (const address of ['command:workbench.action.toggleZenMode', 'vscode://lineside.lineside/open?session=x']) {
      await expect(execute('vscode.open', address)).rejects.toThrow();
      await clickWith(address);
    }
    // The dialog for an address that may be opened shows that the clicks before it were handled. The address has
    // another host, because VS Code's dialog would show the first address of the same host again.
    await clickWith('https://last.example/x');
    await dialog.filter({ hasText: 'https://last.example/x' }).waitFor();
    expect(await dialog.count()).toBe(1);
    await click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(page.context().pages()).toHaveLength(pages);
    expect(await page.locator('.monaco-workbench.zenmode').count()).toBe(0);
  }

  #link(index: number): Locator {
    return conversationOf(this.#workbench)
      .article('Links:')
      .getByRole('link', { name: `link ${index}` });
  }
}

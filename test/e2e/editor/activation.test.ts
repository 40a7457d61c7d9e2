import { describe, expect, it } from 'vitest';
import { useJourney } from '../journey/journey.ts';
import { until } from '../journey/until.ts';

describe('VS Code with the packaged extension', () => {
  // High enough for all running extensions, because the list only renders those in view, and ours is one of the fastest.
  const journey = useJourney({
    builtInExtensions: 'all',
    viewport: { width: 1_440, height: 3_000 },
    settings: { 'workbench.editor.useModal': 'off' },
  });

  it('starts without errors or notifications from the extension', async () => {
    const { workbench } = journey;
    const running = workbench.page.locator('.runtime-extensions-editor .extension');
    const own = running.filter({ hasText: 'Lineside' });
    // The list of running extensions isn't updated while it is open, so reopen it.
    await until(
      () => own.getByText(/Activation:/).isVisible(),
      async () => {
        await workbench.execute('workbench.action.closeAllEditors');
        await workbench.execute('workbench.action.showRuntimeExtensions');
      },
    );
    expect(await own.locator('.codicon-bug, .codicon-warning').count()).toBe(0);
    expect(await workbench.page.locator('.notification-list-item').allInnerTexts()).toEqual([]);
    expect(workbench.consoleLines.filter((line) => /lineside.*(error|fail)/i.test(line))).toEqual([]);
  });
});

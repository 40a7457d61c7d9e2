import { afterEach, expect, it, vi } from 'vitest';
import { byDay } from '../../../../src/commands/conversation/dayItems.ts';
import { t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

afterEach(() => vi.useRealTimers());

it('lists entries below the names of the last two days, and below earlier dates', () => {
  const at = (day: number, hour: number) => new Date(2026, 2, day, hour).getTime();
  // Whatever the time zone is, one of these days may have 23 or 25 hours.
  for (const today of [8, 29, 30]) {
    vi.useFakeTimers({ now: at(today, 0) });
    const entries = [at(today - 3, 9), at(today - 1, 0), at(today - 1, 23), at(today, 0), at(today, 23)].map(
      (createdAt) => ({ createdAt }),
    );
    const labels = byDay(entries, t, ({ createdAt }) => ({ label: String(new Date(createdAt).getHours()) }));
    expect(labels.map(({ label }) => label)).toEqual([
      ...[t.formats.date(at(today - 3, 9), { dateStyle: 'medium' }), '9'],
      ...['Yesterday', '0', '23'],
      ...['Today', '0', '23'],
    ]);
  }
});

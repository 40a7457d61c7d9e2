import { describe, expect, it } from 'vitest';
import { describeHeader } from '../../../../src/state/presentation/describeConversation.ts';
import { describeSession, describeSessionTooltip } from '../../../../src/state/presentation/describeSession.ts';
import { describeCounts, describeStatusBar } from '../../../../src/state/presentation/describeStatusBar.ts';
import { describeTree, sectionLabel } from '../../../../src/state/presentation/describeTree.ts';
import { sectionsOf } from '../../../../src/state/sessions/sections.ts';
import type { Connection } from '../../../../src/state/store/connection.ts';
import { isWithoutSessions, serviceNames } from '../../../../src/state/store/connection.ts';
import { hostile, isDisguised, now, recordOf, sessionOf, t, unreadRecord } from '../samples.ts';

const service = (name: string) =>
  ({ origin: `https://${name.toLowerCase()}.test`, baseUrl: '', name, isAmongSeveral: true }) as const;
const [work, lab] = [service('Work'), service('Lab')];
const ready = (of: typeof work) => ({ kind: 'ready', service: of }) as const;
const failure = { kind: 'status', status: 401, at: now } as const;
const rejected: Connection = { kind: 'keyRejected', service: lab, failure };
const down = { kind: 'unreachable', at: now } as const;
const waiting = { messageId: 'm', rule: 'question', question: 'Which?' } as const;

const on = ({ origin }: typeof work, sessionId: string, part: Parameters<typeof recordOf>[0] = {}) =>
  recordOf({ listEntry: { key: { origin, sessionId }, addedAt: 1 }, ...part });
const running = { session: sessionOf({ status: 'running' }) };
const all = [on(work, 'a', running), on(work, 'b'), on(lab, 'c', { waiting }), on(lab, 'd', running)];

describe('the sessions of several services', () => {
  it('are counted together in the status bar, which names the service for new sessions', () => {
    const bar = describeStatusBar(ready(work), undefined, all, now, t, [ready(lab)]);
    expect(bar?.text).toBe('$(comment-discussion) 2 running · 1 needs you');
    expect(bar?.tooltip).toMatch(/\nCurrent service: Work$/);
  });

  it('are still counted if one service rejects its key, which a click replaces', () => {
    expect(describeStatusBar(ready(work), undefined, all, now, t, [rejected])).toEqual({
      text: '$(key) Key rejected · 2 running · 1 needs you',
      spoken: 'Lineside: Key rejected · 2 running · 1 needs you',
      tooltip:
        'Lab: Your API key was rejected.\nSelect to enter a new key\n2 sessions running\n1 may be waiting for you\nCurrent service: Work',
      severity: 'error',
      command: 'setApiKey',
      service: lab.origin,
    });
  });

  it('say which service they belong to, and are stale only if that service rejects its key', () => {
    const [ofWork, ofLab] = [all[1]!, all[2]!];
    expect(describeSession(ofWork, ready(work), now, t)).toMatchObject({ icon: 'comment-discussion' });
    expect(describeSession(ofWork, ready(work), now, t).description).toContain(' · Work');
    expect(describeSession(ofLab, rejected, now, t).description).toMatch(/^asks · Lab · .*Which\?/);
    const titled = (record: typeof ofWork) => ({
      ...record,
      listEntry: { ...record.listEntry, name: 'Reject all fruits' },
    });
    expect(describeSession(titled(ofLab), rejected, now, t, 18).label).toBe('Reject all…');
    expect(describeSession(titled(ofLab), rejected, now, t, 0).label).toBe('Reject all fruits');
    expect(describeSession(ofLab, rejected, now, t).iconColor).toBe('disabledForeground');
    expect(describeSessionTooltip(ofLab, rejected, now, t)).toMatch(/\nService: Lab$/);
    expect(describeHeader(ofLab, rejected, t).marks[0]).toEqual({ label: 'Lab', hint: `Service: ${lab.origin}` });
    const alone = { kind: 'ready', service: { origin: work.origin, baseUrl: '', name: 'Work' } } as const;
    expect(describeSession(ofWork, alone, now, t).description).not.toContain('Work');
    expect(describeSession(titled(ofWork), alone, now, t, 18).label).toBe('Reject all fruits');
    expect(describeHeader(ofWork, alone, t).marks).toEqual([]);
  });

  it('are grouped by service below those that need the user', () => {
    const names = serviceNames([ready(work), ready(lab)]);
    const sections = sectionsOf(all, 'service', 'name', now, names);
    const drawn = sections.map((section) => [
      sectionLabel(section, t),
      section.records.map(({ listEntry }) => listEntry.key.sessionId),
    ]);
    expect(drawn).toEqual([
      ['Needs You', ['c']],
      ['Lab', ['d']],
      ['Work', expect.arrayContaining(['a', 'b'])],
    ]);
    expect(new Set(sections.map(({ sectionId }) => sectionId)).size).toBe(3);
  });

  it('are counted for each service in the list of services', () => {
    expect(describeCounts([], t)).toBe('');
    expect(describeCounts(all.slice(0, 2), t)).toBe('2 sessions · 1 running');
    expect(describeCounts([all[2]!], t)).toBe('1 session · 1 needs you');
  });

  it('have a message above them for each service with a failure', () => {
    expect(describeTree(ready(work), all, t, [ready(lab)])).toBe('Current service: Work');
    expect(describeTree(ready(work), all, t, [rejected])).toBe(
      'Lab: Your API key was rejected. Showing the last known state. Current service: Work',
    );
    const offline = [...all.slice(0, 2), on(lab, 'c', { failure: down, asOf: 1 })];
    expect(describeTree(ready(work), offline, t, [ready(lab)])).toBe(
      "Lab: Can't reach the service. Showing the last known state. Current service: Work",
    );
  });

  it('give way to a welcome view only if no service ever loaded one', () => {
    const unread = (of: typeof work) => [
      unreadRecord({ listEntry: { key: { origin: of.origin, sessionId: 'x' }, addedAt: 1 }, failure: down }),
    ];
    const both = [ready(work), ready(lab)];
    const none = new Map<string, ReturnType<typeof unread>>([work, lab].map((of) => [of.origin, unread(of)]));
    expect(isWithoutSessions(both, (origin) => none.get(origin) ?? [])).toBe(true);
    expect(describeTree(ready(work), [...unread(work), ...unread(lab)], t, [ready(lab)])).toBe('');
    const one = new Map(none).set(work.origin, [all[0]!]);
    expect(isWithoutSessions(both, (origin) => one.get(origin) ?? [])).toBe(false);
    expect(isWithoutSessions([], () => [])).toBe(false);
  });

  it('show a hostile name of a service as one plain line everywhere', () => {
    const named = { ...work, name: hostile };
    const record = on(work, 'a', { waiting });
    const { description, spoken } = describeSession(record, ready(named), now, t);
    const [section] = sectionsOf([on(work, 'a')], 'service', 'name', now, serviceNames([ready(named)]));
    const bar = describeStatusBar({ ...rejected, service: named }, undefined, all, now, t, [ready(lab)]);
    const [mark] = describeHeader(record, ready(named), t).marks;
    const tooltip = describeSessionTooltip(record, ready(named), now, t);
    const lines = [
      description,
      spoken,
      sectionLabel(section!, t),
      describeTree({ ...rejected, service: named }, all, t, [ready(lab)]),
      mark?.label ?? '',
      ...(bar?.tooltip ?? '').split('\n'),
      ...tooltip.split('\n'),
    ];
    // A name without line breaks adds no lines.
    expect(tooltip.split('\n')).toHaveLength(describeSessionTooltip(record, ready(work), now, t).split('\n').length);
    expect(lines.filter(isDisguised)).toEqual([]);
    expect(bar?.text).not.toContain('alert');
  });
});

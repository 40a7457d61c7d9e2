import type { Translate } from '../../shared/text.ts';

/** How long something took, in its two largest units: "850 ms", "12 s", "4 min 12 s", "2 h 5 min". */
export function describeDuration(durationMs: number, t: Translate): string {
  const ms = Math.max(0, Math.round(durationMs));
  if (ms < 1_000) return t('{0} ms', ms);
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return t('{0} s', seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? t('{0} min', minutes) : t('{0} min {1} s', minutes, seconds % 60);
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? t('{0} h', hours) : t('{0} h {1} min', hours, minutes % 60);
}

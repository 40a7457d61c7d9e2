/**
 * Returns a pattern for names such as `__init__`. In a person's prompt, they keep their underscores: they are part of
 * pasted code, and people rarely write bold text in this way.
 */
export function dunderNamePattern(flags: 'uy' | 'gu'): RegExp {
  return new RegExp(/__[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)*__(?![\p{L}\p{N}_])/u, flags);
}

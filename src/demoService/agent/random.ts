/**
 * Creates a generator of pseudorandom numbers in [0, 1). The same seed and topic produce the same sequence
 * (mulberry32).
 */
export function seededRandom(seed: number, topic: string): () => number {
  let state = seed >>> 0;
  for (let index = 0; index < topic.length; index++) {
    state = Math.imul(state ^ topic.charCodeAt(index), 0x01000193) >>> 0;
  }
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks a random element of `choices`. */
export function pick<T>(choices: readonly [T, ...T[]], random: () => number): T {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}

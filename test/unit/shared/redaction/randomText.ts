import { seeded } from '../../../faults/tally.ts';

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();

/**
 * Generates the random parts of fake secrets, the same for the same seed. No secret is written in a file of this
 * repository.
 */
export class RandomText {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  /** `length` characters of an alphabet. */
  of(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet.charAt(Math.floor(this.#random() * alphabet.length))).join('');
  }

  digits(length: number): string {
    return this.of('123456789', 1) + this.of(digits, length - 1);
  }

  hex(length: number): string {
    return this.of(`${digits}abcdef`, length);
  }

  /** Letters and digits. */
  base62(length: number): string {
    return this.of(lower + upper + digits, length);
  }

  /** Lowercase letters and digits. */
  base36(length: number): string {
    return this.of(lower + digits, length);
  }

  /** Capital letters and the digits from 2 to 7. */
  base32(length: number): string {
    return this.of(`${upper}234567`, length);
  }

  /** Letters, digits, hyphens, and underscores. The last character is a letter. */
  base64Url(length: number): string {
    return this.of(`${lower}${upper}${digits}-_`, length - 1) + this.of(lower + upper, 1);
  }

  /** Standard base64 of `bytes` bytes, with padding. */
  base64(bytes: number): string {
    return Buffer.from(Array.from({ length: bytes }, () => Math.floor(this.#random() * 256))).toString('base64');
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join('-');
  }

  /** A password as a password manager generates it: letters, digits, and marks. */
  password(length = 16, marks = '!#$%*+-.=?^_~'): string {
    const text = this.base62(length - 3);
    return `${this.of(lower, 1)}${text.slice(0, 5)}${this.of(marks, 1)}${text.slice(5)}${this.of(digits, 1)}`;
  }
}

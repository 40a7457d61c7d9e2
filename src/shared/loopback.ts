/**
 * Whether a host is this machine: `localhost`, an address in 127.0.0.0/8, or `[::1]`. `hostname` must come from a URL
 * object, which normalizes every IPv4 notation to four decimal numbers.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

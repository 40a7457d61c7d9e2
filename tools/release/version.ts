/**
 * Whether a version is a pre-release: its minor number is odd. The stores don't accept versions like `1.2.0-beta`, so
 * VS Code's convention is even minor numbers for releases and odd ones for pre-releases.
 * @throws if `version` isn't three numbers with dots between them.
 */
export function isPreRelease(version: string): boolean {
  const [, minor] = /^\d+\.(\d+)\.\d+$/.exec(version) ?? [];
  if (minor === undefined) throw new Error(`${version} is not a version of three numbers.`);
  return Number(minor) % 2 === 1;
}

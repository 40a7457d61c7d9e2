import type { HostTests } from '../../../../tools/editor/drive/hostTests.ts';
import { tests as activation } from './activation.ts';
import { tests as companyNetwork } from './companyNetwork.ts';
import { tests as fetchUntouched } from './fetchUntouched.ts';
import { tests as keys } from './keys.ts';
import { tests as pickedFiles } from './pickedFiles.ts';
import { tests as sendingCommands } from './sendingCommands.ts';
import { tests as suggestedFiles } from './suggestedFiles.ts';

/**
 * Runs all suites in one window. `activation` runs first, because it needs a window in which the extension hasn't been
 * loaded. `companyNetwork` changes VS Code's proxy, so it runs after the suites that use the network. It needs the
 * certificate store of Linux. `pickedFiles` runs last, because `suggestedFiles` would find the files it writes.
 */
export const tests: HostTests = {
  ...activation,
  ...fetchUntouched,
  ...keys,
  ...sendingCommands,
  ...suggestedFiles,
  ...(process.env['TLS_FIXTURES'] === undefined ? {} : companyNetwork),
  ...pickedFiles,
};

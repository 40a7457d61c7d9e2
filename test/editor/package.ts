/**
 * `npm run package`: builds the VSIX, lists its content, and fails if the package is too large or has unwanted or
 * missing files.
 */
import { describeVsix, faultsOf, packageExtension } from './vsix.ts';

const vsix = await packageExtension();
for (const line of describeVsix(vsix)) console.log(line);
const faults = faultsOf(vsix);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

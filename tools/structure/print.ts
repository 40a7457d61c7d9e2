/**
 * `npm run structure`: prints metrics of the source structure. Fails if an import targets the same or a higher floor or
 * a later folder of its room, files or folders import each other in a cycle, a folder contains too many files, or an
 * export is unused. `--all` also lists the imports between rooms, names of files, bags, spreads, and unused exports.
 */
import { execFileSync } from 'node:child_process';
import { repositoryFolder } from '../editor/install/cache.ts';
import { faultsOf, measureStructure, readSourceFiles, type Structure } from './measure.ts';

const paths = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'src', 'test', 'tools'],
  {
    cwd: repositoryFolder,
    encoding: 'utf8',
  },
)
  .split('\0')
  .filter((path) => path !== '' && !path.startsWith('test/fixtures/'));

const structure = measureStructure(readSourceFiles(repositoryFolder, paths));
const rows: readonly (readonly [string, string | number])[] = [
  ['files', structure.files],
  ['lines', structure.lines],
  ['median lines of a file', structure.medianLines],
  ['longest file', structure.longestFile],
  ['largest folder of src', structure.largestFolder],
  ['rooms', structure.rooms],
  ['arrows between rooms', structure.arrows.length],
  ['arrows that run back up', structure.arrowsBackUp.length],
  ['circles', structure.circles.length],
  ['imports that run back up between folders of a room', structure.topicsBackUp.length],
  ['circles of folders of a room', structure.topicCircles.length],
  ['modules with one importer', structure.modulesWithOneImporter],
  ['base names that several files have', structure.repeatedNames.length],
  ['files with another name than their only class', structure.misnamedFiles.length],
  ['interfaces named *Parts, *Options, *Hooks, *Surroundings', structure.bags.length],
  ['function-typed properties', structure.functionProperties],
  ['spreads of whole bags', structure.bagSpreads.length],
  ['exports used nowhere', structure.unusedExports.length],
];
for (const [name, value] of rows) console.log(`${name.padEnd(58)}${value}`);
if (process.argv.includes('--all')) printPlaces(structure);
const faults = faultsOf(structure);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function printPlaces(structure: Structure): void {
  const { arrows, repeatedNames, misnamedFiles, bags, bagSpreads, unusedExports } = structure;
  const places = { arrows, repeatedNames, misnamedFiles, bags, bagSpreads, unusedExports };
  for (const [name, lines] of Object.entries(places)) console.log(`\n${name}\n  ${lines.join('\n  ')}`);
}

import { describe, expect, it } from 'vitest';
import { chosenRow } from '../../../../src/host/prompts/chosenRow.ts';

const [listed, other] = [{ label: 'listed' }, { label: 'other' }];
const typed = { label: 'typed', alwaysShow: true };
const typedBefore = { label: 'type', alwaysShow: true };

describe('Enter in a picker chooses', () => {
  it.each([
    { what: 'the active row', activeItems: [other], items: [listed, other, typed], expected: other },
    {
      what: 'the row of the whole text, not that of its beginning',
      activeItems: [typedBefore],
      items: [listed, typed],
    },
    { what: 'the row of the text before VS Code reports it as active', activeItems: [], items: [listed, typed] },
    { what: 'nothing if no row matches the text', activeItems: [], items: [listed, other], expected: undefined },
    { what: 'nothing if the active row was replaced', activeItems: [other], items: [listed], expected: undefined },
  ])('$what', (example) => {
    expect(chosenRow(example)).toBe('expected' in example ? example.expected : typed);
  });
});

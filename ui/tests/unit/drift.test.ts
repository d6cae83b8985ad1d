// @vitest-environment node
// The generated types are those of the committed document.
import { expect, it } from 'vitest';
// @ts-expect-error a script without types
import { committedText, schemaText } from '../../scripts/schema.js';

it('finds schema.ts as the document makes it', () => {
  expect(committedText()).toBe(schemaText());
});

// Writes src/api/schema.ts from docs/openapi.json: `npm run schema`, or `npm run schema -- --check` to
// fail when the file differs from what the document says. The types are the document's, word for word;
// src/api/types.ts are the client's own, and tests/unit/drift.ts holds the two against each other.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const DOCUMENT = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const SCHEMA = fileURLToPath(new URL('../src/api/schema.ts', import.meta.url));
const HEAD = '// Made from docs/openapi.json by `npm run schema`: do not edit.\n';

/** The text of schema.ts for the committed document. */
export function schemaText() {
  const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const types = Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`);
  return [HEAD, ...types].join('\n');
}

export function committedText() {
  return readFileSync(SCHEMA, 'utf8');
}

function typeOf(schema) {
  if (schema === true || Object.keys(schema).length === 0) return 'unknown';
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.oneOf ?? schema.anyOf) return [...new Set((schema.oneOf ?? schema.anyOf).map(typeOf))].join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${typeOf(one)})`).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectOf(schema);
    default:
      return 'unknown';
  }
}

function objectOf(schema) {
  const extra = schema.additionalProperties;
  if (!schema.properties) return extra && extra !== true ? `Record<string, ${typeOf(extra)}>` : 'Record<string, unknown>';
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(([name, field]) => `${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${typeOf(field)}`);
  return `{ ${fields.join('; ')} }`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = schemaText();
  if (!process.argv.includes('--check')) writeFileSync(SCHEMA, text);
  else if (text !== committedText()) {
    process.stderr.write('src/api/schema.ts differs from docs/openapi.json: run `npm run schema` and look at what changed\n');
    process.exit(1);
  }
}

// Writes the rules of compatibility to docs/schema-rules.md, or with --check fails where the committed one is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { formatOf, SCHEMA_TYPES, type SchemaType } from '../src/engines/schemas/index.ts'

const file = new URL('../docs/schema-rules.md', import.meta.url)

const TITLES: Readonly<Record<SchemaType, string>> = { avro: 'Avro', json: 'JSON Schema', protobuf: 'Protobuf' }

/** The rules as a document: a table for each format, in the order of what they are about. */
function render(): string {
  return `${[INTRODUCTION, ...SCHEMA_TYPES.map(section)].join('\n\n')}\n`
}

function section(type: SchemaType): string {
  const rows = formatOf(type).rules.map(
    ({ code, breaks, assumes, sentence }) =>
      `| \`${code}\` | ${breaks ? '**breaks**' : assumes === undefined ? 'keeps' : 'keeps, if'} | ${sentence} | ${assumes ?? ''} |`
  )
  return [`## ${TITLES[type]}\n`, '| Rule | Verdict | Message | If |', '|---|---|---|---|', ...rows].join('\n')
}

const INTRODUCTION = `# Rules of compatibility

<!-- Made by \`node scripts/schema-rules-doc.ts\` from the tables \`rules.ts\` in \`src/engines/schemas\`. -->

A rule is one kind of change between two schemas, one that data are written with and one that they are read with. Its code
never changes its meaning. A rule that breaks stands in the way of a version: where the old one is the writer and the new
one the reader it breaks \`BACKWARD\`, the other way round \`FORWARD\`, and either of them \`FULL\`. A rule that keeps is told by the comparison of two
versions only; what it relies on, if anything, is in \`assumes\` there. In a message the words in braces are names and values of the change.`

if (!process.argv.includes('--check')) {
  writeFileSync(file, render())
} else if (readFileSync(file, 'utf8') !== render()) {
  console.error('docs/schema-rules.md is out of date: run `node scripts/schema-rules-doc.ts` and commit the result')
  process.exitCode = 1
}

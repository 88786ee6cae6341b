// Writes the catalogue of errors to docs/errors.md, or with --check fails where the committed one is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import '../src/areas.ts'
import { ERRORS } from '../src/errors.ts'

const file = new URL('../docs/errors.md', import.meta.url)

/** The catalogue as a document: a table of all codes, then a section for each. */
function render(): string {
  const entries = Object.entries(ERRORS)
  const rows = entries.map(([code, { status, title }]) => `| [\`${code}\`](#${code}) | ${status} | ${title} |`)
  const sections = entries.map(
    ([code, { status, title, detail, about }]) =>
      `## ${code}\n\n**${title}** (HTTP ${status})\n\n${about}\n\nWhat to do: ${detail}`
  )
  return `${[INTRODUCTION, ['| Code | Status | Meaning |', '|---|---|---|', ...rows].join('\n'), ...sections].join('\n\n')}\n`
}

const INTRODUCTION = `# Errors

<!-- Made by \`node scripts/errors-doc.ts\` from \`src/errors.ts\`. -->

Every error is an RFC 9457 problem (\`application/problem+json\`) with a stable \`code\`. \`detail\` says what to do about
it, \`errors\` points at the fields at fault, and \`requestId\` finds the request in the log. A server shows the same
pages at \`/api/docs/errors\`.`

if (!process.argv.includes('--check')) {
  writeFileSync(file, render())
} else if (readFileSync(file, 'utf8') !== render()) {
  console.error('docs/errors.md is out of date: run `node scripts/errors-doc.ts` and commit the result')
  process.exitCode = 1
}

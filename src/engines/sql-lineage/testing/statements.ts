import { readFileSync } from 'node:fs'

/** The statements of a file, each with what is expected of it. */
export function statementsIn(file: string): { readonly sql: string; readonly expected: string }[] {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')
  const statements: { sql: string; expected: string }[] = []
  for (const [place, line] of lines.entries()) {
    const expected = lines[place + 1]
    if (expected?.startsWith('  =>')) statements.push({ sql: line, expected: expected.slice(4).trim() })
  }
  return statements
}

// Fails where two places in src share ten or more lines, and names them: what is written twice is mended once.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'

const RUN = 10

interface Place {
  readonly path: string
  readonly line: number
}

interface Line {
  readonly text: string
  readonly line: number
}

/** Imports are no code, and lines without a word say nothing. */
function linesOf(source: string): Line[] {
  const code = source.replace(/^(?:import|export)[^;'"]*?from '[^']*'$/gm, (found) => found.replace(/[^\n]/g, ''))
  return code
    .split('\n')
    .map((text, i) => ({ text: text.trim(), line: i + 1 }))
    .filter(({ text }) => text !== '')
}

const root = new URL('../', import.meta.url).pathname
const first = new Map<string, Place>()
const repeats: string[] = []
let files = 0

for await (const path of glob('src/**/*.{ts,js}', { cwd: root })) {
  files += 1
  const lines = linesOf(readFileSync(`${root}${path}`, 'utf8'))
  let told = 0
  for (let at = 0; at + RUN <= lines.length; at++) {
    const key = lines
      .slice(at, at + RUN)
      .map(({ text }) => text)
      .join('\n')
    const here = { path, line: (lines[at] as Line).line }
    const other = first.get(key)
    if (other === undefined) first.set(key, here)
    else if (at >= told) {
      repeats.push(`${other.path}:${other.line} and ${here.path}:${here.line}`)
      told = at + RUN
    }
  }
}

for (const repeat of repeats) console.log(`the same ${RUN} lines or more: ${repeat}`)
console.log(`${files} files looked at for lines that stand in two places`)
if (repeats.length > 0) process.exitCode = 1

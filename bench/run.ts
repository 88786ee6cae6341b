// `npm run bench -- <name> [<name> ...]`: measures beside a peer or a bare baseline in the same run, and fails below the floor.
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'

const names = globSync('*.bench.ts', { cwd: import.meta.dirname }).map((file) => basename(file, '.bench.ts'))
const asked = process.argv.slice(2)
if (asked.length === 0 || asked.some((name) => !names.includes(name))) {
  console.error(`Usage: npm run bench -- <name> [<name> ...]\nThere is: ${names.join(', ')}`)
  process.exit(2)
}
for (const name of asked) {
  const { run } = (await import(join(import.meta.dirname, `${name}.bench.ts`))) as { run(): Promise<boolean> }
  if (!(await run())) process.exitCode = 1
}

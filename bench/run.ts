// `npm run bench -- <name>`: measures beside a peer or a bare baseline in the same run, and fails below the floor.
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'

const names = globSync('*.bench.ts', { cwd: import.meta.dirname }).map((file) => basename(file, '.bench.ts'))
const [name] = process.argv.slice(2)
if (name === undefined || !names.includes(name)) {
  console.error(`Usage: npm run bench -- <name>\nThere is: ${names.join(', ')}`)
  process.exit(2)
}
const { run } = (await import(join(import.meta.dirname, `${name}.bench.ts`))) as { run(): Promise<boolean> }
process.exitCode = (await run()) ? 0 : 1

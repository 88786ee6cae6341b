// Fails where a room of the pipelines imports one that does not lie below it, and names the import. `--list` tells every
// arrow between rooms, with how many imports it stands for.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const AREA = 'src/areas/pipelines'

/** From top to bottom. A room knows what lies below it, and nothing beside it. */
const LEVELS: readonly (readonly string[])[] = [
  ['area.ts', 'body.ts', 'index.ts', 'migrations.ts'],
  ['data', 'dead-letters', 'health', 'logs', 'portable', 'versions'],
  ['lifecycle'],
  ['definition'],
  ['runs', 'upkeep'],
  ['rights'],
  ['supervisor'],
  ['store'],
  ['errors.ts', 'params.ts'],
  ['host'],
  ['lineage'],
  ['nodes'],
  ['nodes/streams'],
  [
    'nodes/files',
    'nodes/generate',
    'nodes/http',
    'nodes/messages',
    'nodes/objects',
    'nodes/series',
    'nodes/sql',
    'nodes/transforms'
  ],
  ['nodes/outside'],
  ['records'],
  ['protocol'],
  ['contract'],
  ['duckdb']
]

const levelOf = new Map(LEVELS.flatMap((rooms, level) => rooms.map((room) => [room, level] as const)))
const IMPORT = /(?:\bfrom |\bimport |\bimport\(|new URL\()'(\.[^']*\.[jt]s)'/g

/** The folder of a file; files that lie in none are rooms of their own, and share their level. */
function roomOf(path: string): string {
  const within = path.slice(AREA.length + 1)
  const folder = dirname(within)
  return folder === '.' ? within : folder
}

const root = new URL('../', import.meta.url).pathname
const counts = new Map<string, number>()
const wrong: string[] = []

for await (const path of glob(`${AREA}/**/*.ts`, { cwd: root })) {
  const from = roomOf(path)
  if (path.endsWith('.test.ts') || from === 'testing') continue
  const level = levelOf.get(from)
  if (level === undefined) wrong.push(`${path}: the room ${from} is not in the list of scripts/rooms.ts`)
  for (const [, told] of readFileSync(join(root, path), 'utf8').matchAll(IMPORT)) {
    const imported = join(dirname(path), told as string)
    if (!imported.startsWith(`${AREA}/`)) continue
    const to = roomOf(imported)
    if (to === from || (level === 0 && levelOf.get(to) === 0)) continue
    const arrow = `${from} → ${to}`
    counts.set(arrow, (counts.get(arrow) ?? 0) + 1)
    if ((levelOf.get(to) ?? -1) <= (level ?? -1))
      wrong.push(`${path} imports ${imported}: ${to} does not lie below ${from}`)
  }
}

if (process.argv.includes('--list')) {
  const place = ([arrow]: readonly [string, number]) => levelOf.get(arrow.split(' → ')[0] as string) ?? 0
  for (const [arrow, count] of [...counts].sort((a, b) => place(a) - place(b) || a[0].localeCompare(b[0]))) {
    console.log(`${String(count).padStart(4)}  ${arrow}`)
  }
}
for (const one of wrong) console.log(one)
console.log(`${counts.size} arrows between rooms of the pipelines, ${wrong.length} of them wrong`)
if (wrong.length > 0) process.exitCode = 1

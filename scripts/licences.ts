// Fails where a package of the lock file has a licence that the project may not use, and names it. What is shipped is
// held to a shorter list than what only builds and tests it.
import { existsSync, readFileSync } from 'node:fs'

interface Entry {
  readonly license?: unknown
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
}

const SHIPPED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib'
]
const DEVELOPMENT = [...SHIPPED, 'CC-BY-4.0', 'MPL-2.0']

/**
 * Of these scopes one more licence may be shipped. Both ask for something only where the files themselves are changed or
 * sold alone, and we ship them as they are: MPL-2.0 for the files of resvg, OFL-1.1 for those of fonts.
 */
const SHIPPED_UNCHANGED: Readonly<Record<string, string>> = {
  '@expo-google-fonts': 'OFL-1.1',
  '@resvg': 'MPL-2.0'
}

/** Packages that state none in package.json; what their LICENSE file says, read by a person. */
const BY_FILE: Record<string, string> = {
  '@kafkajs/confluent-schema-registry': 'MIT',
  buildcheck: 'MIT',
  'cpu-features': 'MIT',
  ssh2: 'MIT'
}

const root = new URL('../', import.meta.url)
const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as { packages: Record<string, Entry> }
const counts = { shipped: 0, development: 0, elsewhere: 0 }
const refused: string[] = []

for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === '') continue // the project itself
  const manifest = new URL(`${path}/package.json`, root)
  const licence =
    entry.license ??
    (existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).license : undefined) ??
    BY_FILE[path.replace(/^.*node_modules\//, '')]
  if (licence === undefined && entry.optional && !existsSync(manifest)) {
    counts.elsewhere++ // another platform's build, whose entry scripts/complete-lock.ts added by name only
    continue
  }
  const use = entry.dev || entry.devOptional ? 'development' : 'shipped'
  counts[use]++
  const name = path.replace(/^.*node_modules\//, '')
  const unchanged = SHIPPED_UNCHANGED[name.split('/', 1)[0] as string]
  const allowed = [...(use === 'shipped' ? SHIPPED : DEVELOPMENT), ...(unchanged === undefined ? [] : [unchanged])]
  if (!isAllowed(licence, allowed)) refused.push(`${name} (${use}): ${licence ?? 'no licence stated'}`)
}

console.log(`${counts.shipped} shipped and ${counts.development} development packages looked at`)
if (counts.elsewhere > 0) console.log(`${counts.elsewhere} builds for other platforms not looked at: they state none`)
for (const line of refused) console.error(line)
if (refused.length > 0) {
  console.error('\nUse another package, or add the licence to scripts/licences.ts with a reason for it')
  process.exitCode = 1
}

/** Reads `A`, `(A OR B)`, `(A AND B)`; anything more elaborate is not allowed, so that somebody looks at it. */
function isAllowed(licence: unknown, allowed: readonly string[]): boolean {
  if (typeof licence !== 'string') return false
  const choices = licence.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((name) => allowed.includes(name)))
}

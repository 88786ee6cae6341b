// A registry mirror may carry only some platforms' builds of a native package. npm then leaves the others out of the
// lock file and `npm ci` refuses it as incomplete. This adds the missing optional entries, by name and version only:
// npm skips them on every platform they are not for, so nothing is fetched that was not checked.
import { readFileSync, writeFileSync } from 'node:fs'

interface Entry {
  version: string
  optionalDependencies?: Record<string, string>
  [field: string]: unknown
}

const OS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'aix',
  'win32',
  'windows'
]
const CPU = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

const path = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Entry> }
let added = 0
for (const entry of Object.values(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key] !== undefined) continue
    const words = name.split('/').at(-1)?.split('-') ?? []
    const os = OS.find((candidate) => words.includes(candidate))
    const cpu = CPU.find((candidate) => words.includes(candidate))
    if (os === undefined && cpu === undefined) throw new Error(`${name}: can't tell its platform from its name`)
    const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : undefined
    lock.packages[key] = {
      version: range.replace(/^[^\d]*/, ''),
      ...(cpu && { cpu: [cpu] }),
      dev: true,
      ...(libc && { libc }),
      optional: true,
      ...(os && { os: [os === 'windows' ? 'win32' : os] })
    }
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} optional entries added`)

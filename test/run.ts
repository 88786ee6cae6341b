// `npm test`: the whole suite on SQLite, then the whole suite on PostgreSQL.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from './support/postgres.ts'

const root = join(import.meta.dirname, '..')
const wanted = process.argv.slice(2)
// The longest first, so that nothing is waited for at the end.
const all = globSync(['test/process/*.test.ts', 'test/*.test.ts', 'src/**/*.test.ts'], { cwd: root })
const files = wanted.length === 0 ? all : all.filter((file) => wanted.some((part) => file.includes(part)))

interface Counts {
  passed: number
  failed: number
  skipped: number
}

function run(name: string, env: NodeJS.ProcessEnv): Promise<Counts> {
  console.log(`\n── ${name}: ${files.length} files`)
  const args = [
    '--test',
    '--test-concurrency=3',
    '--test-timeout=180000',
    '--test-reporter=./test/support/reporter.ts',
    ...files
  ]
  const child = spawn(process.execPath, args, {
    cwd: root,
    // Each file is a process of its own; compiled code is shared between them.
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/millrace'), ...env },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let tail = ''
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    tail = (tail + chunk).slice(-500)
  })
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      const [, passed = 0, failed = 0, skipped = 0] = (/counted: (\d+) (\d+) (\d+)/.exec(tail) ?? []).map(Number)
      // A runner that died without counting has failed.
      resolve({ passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped })
    })
  })
}

const started = performance.now()
const results = [await run('SQLite', { TEST_POSTGRES_URL: undefined })]
const postgres = await startPostgres()
try {
  results.push(await run('PostgreSQL', { TEST_POSTGRES_URL: postgres.url }))
} finally {
  await postgres.stop()
}
const sum = (field: keyof Counts) => results.reduce((total, counts) => total + counts[field], 0)
console.log(`\n${Math.round((performance.now() - started) / 1000)} s`)
console.log(
  `${sum('passed')} passed, ${sum('failed')} failed${sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''}`
)
// In CI everything that a suite needs has been installed, so nothing may be skipped.
const skippedInCi = process.env.CI === 'true' && sum('skipped') > 0
process.exitCode = sum('failed') > 0 || skippedInCi ? 1 : 0

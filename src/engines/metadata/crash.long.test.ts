import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { insertThing, thingsMigration } from '../../../test/support/metadata-contract.ts'
import { openSqlite } from './sqlite.ts'

const ROUNDS = 10
const WRITERS = 40
const childFile = process.env.CRASH_TEST_FILE

// This file is also the child process that crashes: then it runs this line and has no tests.
if (childFile !== undefined) await writeForEver(childFile, Number(process.env.CRASH_TEST_FROM))
else test('what was committed outlives a process that is killed', { timeout: 60_000 }, crashTest)

/** Commits numbers, each in two rows, as fast as it can, and prints each one once its promise has resolved. */
async function writeForEver(file: string, from: number): Promise<void> {
  flushCompileCache() // a killed process would leave no compiled code for the next
  const metadata = openSqlite(file)
  await metadata.migrate([thingsMigration])
  let next = from
  const write = async () => {
    for (;;) {
      const n = next++
      await metadata.transaction(async (tx) => {
        await insertThing(tx, `left ${n}`, n)
        await insertThing(tx, `right ${n}`, n)
      })
      process.stdout.write(`${n}\n`)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

async function crashTest({ signal }: TestContext): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-crash-'))
  try {
    const file = join(folder, 'metadata.db')
    const promised = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      const printed = await runAndKill(file, round * 1_000_000, randomInt(1, 3000), signal)
      assert.ok(printed.length > 0)
      for (const n of printed) promised.add(n)
      checkFile(file, promised)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the child and kills it once it has printed `enough` numbers; answers the numbers. */
async function runAndKill(file: string, from: number, enough: number, timeUp: AbortSignal): Promise<number[]> {
  const child = spawn(process.execPath, [import.meta.filename], {
    env: { ...process.env, CRASH_TEST_FILE: file, CRASH_TEST_FROM: String(from) },
    stdio: ['ignore', 'pipe', 'inherit'],
    signal: timeUp,
    killSignal: 'SIGKILL'
  })
  let output = ''
  let lines = 0
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    lines += chunk.split('\n').length - 1
    if (lines >= enough) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (_code, signal) => resolve(signal))
  })
  assert.equal(signal, 'SIGKILL', 'the child ended by itself')
  // The kill may have cut the last line short.
  return output.slice(0, output.lastIndexOf('\n')).split('\n').map(Number)
}

function checkFile(file: string, promised: ReadonlySet<number>): void {
  const database = new DatabaseSync(file)
  try {
    assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    const rows = database.prepare('select n, count(*) as c from things group by n').all() as { n: number; c: number }[]
    const halves = rows.filter(({ c }) => c !== 2)
    assert.deepEqual(halves, [], 'a transaction is there in part')
    const missing = promised.difference(new Set(rows.map(({ n }) => n)))
    assert.deepEqual([...missing], [], 'a transaction is missing whose promise had resolved')
  } finally {
    database.close()
  }
}

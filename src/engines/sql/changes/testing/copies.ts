import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { makeFolder, removeFolder } from '../../../../../test/support/servers/service.ts'
import { between, pick, type Random, seeded } from '../../../seeded-random.ts'
import { readRows } from '../../testing/under-test.ts'
import { type ChangesGiven, freshReader } from './under-test.ts'

const CHANGES = 100_000
const KILLS = 20
/** Several chunks, so that some kills come in the middle of the rows that were there. */
const BEFORE = 25_000
const LAST = 999_999_999
const SEED = Number(process.env.PROPERTY_SEED ?? 1)

export function copiesContract({ server, database }: ChangesGiven): void {
  test(`${CHANGES} changes with a reader that is killed ${KILLS} times: the copy is the table`, async () => {
    const reader = freshReader()
    const folder = makeFolder('changes-copy')
    const file = join(folder, 'copy.db')
    const random = seeded(SEED)
    await server().execute(
      `create table ${reader} (a int, b varchar(20), v varchar(200), seq int, primary key (a, b))`,
      `create table ${reader}_other (n int, t varchar(200))`
    )
    const writer = new Writer(reader, random, (...statements) => server().execute(...statements))
    await writer.insert(BEFORE)
    const task = JSON.stringify({ settings: server().settings, reader, file, last: LAST })
    for (let kills = 1; kills <= KILLS; kills++) {
      const writing = writer.write((CHANGES * kills) / KILLS)
      const copier = start(task)
      // In the middle of a chunk, or between two, and no sooner than it has begun.
      await copier.after(1)
      await Promise.race([copier.after(between(random, 1, pick(random, [3, 10, 40]))), writing])
      copier.kill()
      assert.equal(await copier.ended, 'SIGKILL', copier.said())
      await writing
    }
    const copier = start(task)
    // It has a place in the log by then, and this row comes after it.
    await copier.after(2)
    await server().execute(`insert into ${reader} values (${LAST}, '', '', ${LAST})`)
    assert.equal(await copier.ended, 0, copier.said())
    const expected = await readRows(database(), { query: `select a, b, v, seq from ${reader} order by a, b` })
    const found = new DatabaseSync(file).prepare('SELECT row FROM rows').all() as { row: string }[]
    const rows = found.map(({ row }) => Object.values(JSON.parse(row)))
    assert.deepEqual(
      new Set(rows.map((row) => JSON.stringify(row))),
      new Set(expected.map((row) => JSON.stringify(row)))
    )
    assert.equal(rows.length, expected.length)
    assert.ok(writer.made >= CHANGES, `${writer.made}`)
    removeFolder(folder)
  })
}

/** Transactions of one to some thousands of changes, some of them of another table: rows that are new, changed, get other keys, are deleted and made again. */
class Writer {
  readonly #table: string
  readonly #random: Random
  readonly #execute: (...statements: string[]) => Promise<number>
  #next = 0
  #seq = 0
  /** Rows that were changed by what was committed. */
  made = 0

  constructor(table: string, random: Random, execute: (...statements: string[]) => Promise<number>) {
    this.#table = table
    this.#random = random
    this.#execute = execute
  }

  async insert(rows: number): Promise<void> {
    await this.#execute(this.#insert(rows))
  }

  async write(changes: number): Promise<void> {
    while (this.made < changes) {
      const isBig = this.#random() < 0.02
      const statements = Array.from({ length: isBig ? 1 : between(this.#random, 1, 20) }, () => {
        return this.#statement(isBig ? 4000 : between(this.#random, 1, 30))
      })
      const end = this.#random() < 0.1 ? 'rollback' : 'commit'
      const rows = await this.#execute(['begin', ...statements, end].join(';'))
      if (end === 'commit') this.made += rows
    }
  }

  #statement(rows: number): string {
    const table = this.#table
    const seq = ++this.#seq
    const from = between(this.#random, Math.max(0, this.#next - 20_000), this.#next - 1)
    if (this.#random() < 0.1) return `insert into ${table}_other values (${seq}, '${'x'.repeat(100)}')`
    const where = `where a between ${from} and ${from + rows - 1}`
    switch (pick(this.#random, ['insert', 'update', 'update', 'again', 'keys', 'delete'])) {
      case 'insert':
        return this.#insert(rows)
      case 'update':
        return `update ${table} set v = concat('v', a, '-${seq}'), seq = ${seq} ${where}`
      case 'keys':
        return `update ${table} set b = concat('b', ${seq}), seq = ${seq} ${where}`
      case 'again': {
        this.#seq += 1
        return `delete from ${table} ${where}; insert into ${table} values (${from}, 'again', 'x', ${this.#seq})`
      }
      default:
        return `delete from ${table} ${where}`
    }
  }

  #insert(rows: number): string {
    const seq = ++this.#seq
    const from = this.#next
    this.#next += rows
    const values = Array.from({ length: rows }, (_, i) => `(${from + i}, 'k${(from + i) % 5}', 'ü', ${seq})`)
    return `insert into ${this.#table} values ${values.join(', ')}`
  }
}

interface Copier {
  readonly ended: Promise<number | NodeJS.Signals | null>
  /** Resolves when so many lines were printed, or it has ended. */
  after(lines: number): Promise<void>
  kill(): void
  said(): string
}

function start(task: string): Copier {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'copier.ts'), task], {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let [lines, said] = [0, '']
  let wake: (() => void) | undefined
  child.stdout?.on('data', (bytes: Buffer) => {
    lines += bytes.toString().split('\n').length - 1
    wake?.()
  })
  child.stderr?.on('data', (bytes: Buffer) => {
    said += bytes
  })
  let isOver = false
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => {
      isOver = true
      wake?.()
      resolve(signal ?? code)
    })
  })
  return {
    ended,
    async after(wanted) {
      while (lines < wanted && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    kill: () => child.kill('SIGKILL'),
    said: () => said
  }
}

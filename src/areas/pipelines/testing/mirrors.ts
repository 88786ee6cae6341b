import assert from 'node:assert/strict'
import { it } from 'node:test'
import { between, pick, type Random, seeded } from '../../../engines/seeded-random.ts'
import { NodeFault } from '../contract/context.ts'
import type { NodeText, Ran, RunOptions, Workshop } from './workshop.ts'

export interface MirrorsGiven {
  workshop(): Workshop
  execute(...statements: string[]): Promise<void>
  rows(query: string): Promise<Record<string, unknown>[]>
  /** A node that reads changes of a table. */
  changesOf(table: string): NodeText
  /** How to write to the same database. */
  connection(): object
}

const SEED = Number(process.env.PROPERTY_SEED ?? 1)
const ROUNDS = 30
const LAST = 999_999

/** What `stream` with changes and `sql` with keys promise together. */
export function promisesOfMirrors({ workshop, execute, rows, changesOf, connection }: MirrorsGiven): void {
  const nodes = (table: string, more: object = {}): NodeText[] => {
    const config = {
      connection: connection(),
      table: `${table}_copy`,
      mode: 'upsert',
      keys: ['id'],
      create: true,
      ...more
    }
    return [changesOf(table), { id: 'out', type: 'sql', config, inputs: ['in'] }]
  }
  const has = async (table: string, id: number) =>
    (await rows(`select id from ${table}_copy where id = ${id}`)).length > 0
  const isMade = async (table: string) => {
    const query = `select table_name from information_schema.tables where table_name = '${table}_copy'`
    return (await rows(query)).length > 0
  }
  /** Runs until the copy has a row. */
  const runUntil = (id: number, table: string, texts: readonly NodeText[], options: RunOptions = {}) =>
    workshop().run(texts, {
      ...options,
      eager: true,
      pipelineId: `pl_${table}`,
      async onCommit(commit, run) {
        await options.onCommit?.(commit, run)
        if ((await isMade(table)) && (await has(table, id))) run.stop()
      }
    })

  it('a copy is the table, whatever becomes of its rows and however often the run crashes', async () => {
    const table = 'mirrored'
    await execute(`create table ${table} (id int primary key, n int, large text)`)
    const writer = new Writer(table, seeded(SEED))
    await execute(...writer.statements(20))
    let checkpoint: Ran['checkpoint'] = null
    let [commits, crashes, rounds] = [0, 0, 0]
    for (let isOver = false; !isOver; ) {
      try {
        await runUntil(LAST, table, nodes(table, { truncate: true }), {
          checkpoint,
          async onCommit(commit) {
            commits += 1
            if (rounds < ROUNDS) await execute(...writer.statements(10))
            if (rounds === ROUNDS) await execute(`insert into ${table} values (${LAST}, 0, '')`)
            rounds += 1
            if (commits % 3 === 0 && rounds <= ROUNDS) {
              crashes += 1
              throw new NodeFault('fatal', 'crash', 'on purpose')
            }
            checkpoint = commit.checkpoint
          }
        })
        isOver = true
      } catch (error) {
        if (!(error instanceof NodeFault) || error.code !== 'crash') throw error
      }
    }
    assert.ok(crashes >= ROUNDS / 4, `${crashes}`)
    const all = (name: string) => rows(`select id, n, md5(large) as large from ${name} order by id`)
    assert.deepEqual(await all(`${table}_copy`), await all(table))
    assert.deepEqual(writer.done, new Set(KINDS))
  })

  it('all rows stay where the node does not say that they may go, and the record says what to set', async () => {
    const table = 'kept'
    await execute(`create table ${table} (id int primary key)`, `insert into ${table} values (1)`)
    let isEmptied = false
    const ran = await runUntil(2, table, nodes(table), {
      async onCommit({ checkpoint }) {
        const { changes } = checkpoint.positions.in as { changes: string }
        if (isEmptied || 'snapshot' in JSON.parse(changes)) return
        isEmptied = true
        await execute(`truncate table ${table}`, `insert into ${table} values (2)`)
      }
    })
    assert.deepEqual(
      ran.deadLetters.map(({ code, reason }) => [code, /set "truncate": true at this node/.test(reason)]),
      [['truncate_refused', true]]
    )
    assert.equal(ran.imbalance, 0)
    assert.ok(await has(table, 1))
  })

  it('a column that the table gets is named with how to add it, and once it is there nothing is missing', async () => {
    const table = 'grown'
    await execute(`create table ${table} (id int primary key)`, `insert into ${table} values (1)`)
    const { checkpoint } = await runUntil(1, table, nodes(table))
    await execute(`alter table ${table} add column size double precision`, `insert into ${table} values (2, 0.5)`)
    let statement = ''
    await assert.rejects(runUntil(2, table, nodes(table), { checkpoint, runNumber: 2 }), (error: NodeFault) => {
      assert.deepEqual([error.kind, error.code], ['fatal', 'no_such_column'])
      statement = /has no column "size": add it \((.*);\)/.exec(error.message)?.[1] ?? ''
      return true
    })
    await execute(statement)
    await runUntil(2, table, nodes(table), { checkpoint, runNumber: 3 })
    assert.deepEqual(
      (await rows(`select id, size from ${table}_copy order by id`)).map((row) => ({ ...row })),
      [
        { id: 1, size: null },
        { id: 2, size: 0.5 }
      ]
    )
  })
}

const KINDS = ['insert', 'update', 'large', 'delete', 'key', 'again', 'truncate'] as const

/** Statements about few rows, so that many things happen to each. Large values can't be packed, so that PostgreSQL keeps them elsewhere. */
class Writer {
  readonly #table: string
  readonly #random: Random
  readonly done = new Set<string>()
  #count = 0

  constructor(table: string, random: Random) {
    this.#table = table
    this.#random = random
  }

  statements(count: number): string[] {
    return Array.from({ length: count }, () => this.#statement()).flat()
  }

  #statement(): string[] {
    const table = this.#table
    this.#count += 1
    const id = between(this.#random, 0, 40)
    const where = `where id = ${id}`
    const kind = this.#random() < 0.01 ? 'truncate' : pick(this.#random, KINDS.slice(0, -1))
    this.done.add(kind)
    switch (kind) {
      case 'insert':
        return [`delete from ${table} ${where}`, this.#insert(id)]
      case 'update':
        return [`update ${table} set n = ${this.#count} ${where}`]
      case 'large':
        return [`update ${table} set large = '${this.#large()}' ${where}`]
      case 'key':
        return [`delete from ${table} where id = ${id + 100}`, `update ${table} set id = ${id + 100} ${where}`]
      case 'again':
        return [`delete from ${table} where id in (${id}, ${id + 100})`, this.#insert(id), this.#insert(id + 100)]
      case 'delete':
        return [`delete from ${table} ${where}`]
      default:
        return [`truncate table ${table}`]
    }
  }

  #insert(id: number): string {
    return `insert into ${this.#table} values (${id}, ${this.#count}, '${this.#large()}')`
  }

  #large(): string {
    return Array.from({ length: 400 }, () => this.#random().toString(36).slice(2)).join('')
  }
}

import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import type { StatefulType } from '../../contract/node-type.ts'
import { type SavedTable, StateTable, tableName } from '../../contract/state-table.ts'
import type { Flow, Steps, StepsContext } from '../../contract/steps.ts'
import { crashing, rowsOf } from '../../testing/crashing.ts'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'
import { type JoinConfig, join } from './join.ts'

let workshop: Workshop
let database: DuckDBConnection
before(async () => {
  workshop = await openWorkshop()
  database = await workshop.instance.connect()
})
after(() => workshop.close())

interface Item {
  readonly id: number
  readonly key: number | null
  readonly seconds: number
}
/** What comes to one of the inputs in a step, and whether there is a crash after it. */
interface Move {
  readonly left: readonly Item[]
  readonly right: readonly Item[]
  readonly crash: boolean
}

const KINDS = ['inner', 'left', 'right', 'full'] as const
type Kind = (typeof KINDS)[number]

/** Drives a join step by step, so that what comes together is known; crashes go back to the last checkpoint. */
class DrivenJoin {
  readonly #config: JoinConfig
  #runs = 0
  #steps: Steps | undefined
  #tables = new Map<string, StateTable>()
  #saved: { memo: unknown; tables: Record<string, SavedTable> } | undefined

  constructor(config: JoinConfig) {
    this.#config = config
  }

  async open(): Promise<void> {
    opened += 1
    this.#runs += 1
    const schema = `join${opened}`
    await database.run(`ATTACH ':memory:' AS ${schema}`)
    this.#tables = new Map()
    const place = { gateway: workshop.gateway, folder: mkdtempSync(joinPath(workshop.folder, 'join-')) }
    const state = (name: string) => {
      const table = new StateTable(tableName(schema, `j:state:${name}`), database, place)
      this.#tables.set(name, table)
      return table
    }
    const context = {
      database,
      schema,
      nodeId: 'j',
      config: this.#config,
      memo: this.#saved?.memo,
      state,
      now: Date.now
    }
    this.#steps = await (join as unknown as StatefulType<JoinConfig>).open(
      context as unknown as StepsContext<JoinConfig>
    )
    for (const [name, table] of this.#tables) {
      const saved = this.#saved?.tables[name]
      if (saved !== undefined) await table.restore(saved)
    }
  }

  /** How many records of a side are remembered to have found others. */
  found(side: 'left' | 'right'): number {
    return this.#tables.get(`${side}-found`)?.rows ?? 0
  }

  async save(): Promise<void> {
    const tables: Record<string, SavedTable> = {}
    for (const [name, table] of this.#tables) tables[name] = await table.save()
    this.#saved = structuredClone({ memo: JSON.parse(JSON.stringify(this.#steps?.memo())), tables })
  }

  async step(left: readonly Item[], right: readonly Item[], ended: boolean[]) {
    const steps = this.#steps as Steps
    const inputs = [flowOf(left, 'l'), flowOf(right, 'r')]
    const stepped = await steps.step({ inputs, ended, signal: new AbortController().signal })
    const rows = stepped.output === undefined ? [] : (await database.runAndReadAll(stepped.output.sql)).getRowObjects()
    assert.equal(rows.length, stepped.given)
    assert.deepEqual(stepped.taken, [left.length, right.length])
    return { stepped, pairs: rows.map((row) => `${row.l ?? '-'} ${row.r ?? '-'}`) }
  }
}
let opened = 0

function flowOf(items: readonly Item[], id: 'l' | 'r'): Flow | undefined {
  if (items.length === 0) return undefined
  const values = items.map((item) => `(${item.id}, ${item.key}, make_timestamp(${item.seconds}000000))`).join(', ')
  const columns = [
    { name: id, type: 'INTEGER' },
    { name: 'k', type: 'INTEGER' },
    { name: 'at', type: 'TIMESTAMP' }
  ]
  const sql = `SELECT * FROM (VALUES ${values}) t(${id}, k, "at")`
  return { sql, numbered: sql, columns, rows: undefined }
}

/** Everything that comes out, and how many records were dropped. */
async function drive(config: JoinConfig, moves: readonly Move[]) {
  const driven = new DrivenJoin(config)
  await driven.open()
  await driven.save()
  const out: string[] = []
  let filtered = 0
  for (const [i, { left, right, crash }] of moves.entries()) {
    const ended = [
      moves.slice(i + 1).every((move) => move.left.length === 0),
      moves.slice(i + 1).every((move) => move.right.length === 0)
    ]
    if (crash) {
      await driven.step(left, right, ended)
      await driven.open()
    }
    const { stepped, pairs } = await driven.step(left, right, ended)
    out.push(...pairs)
    filtered += stepped.filtered
    if (i === moves.length - 1) assert.equal(stepped.held, 0)
    await driven.save()
  }
  return { out: out.toSorted(), filtered }
}

/** All pairs, and those that are in none. */
function model(kind: Kind, moves: readonly Move[], withinS: number | undefined) {
  const left = moves.flatMap((move) => move.left)
  const right = moves.flatMap((move) => move.right)
  const belong = (a: Item, b: Item) =>
    a.key !== null && a.key === b.key && (withinS === undefined || Math.abs(a.seconds - b.seconds) <= withinS)
  const pairs = left.flatMap((l) => right.filter((r) => belong(l, r)).map((r) => `${l.id} ${r.id}`))
  const lonelyLeft = left.filter((l) => !right.some((r) => belong(l, r))).map(({ id }) => `${id} -`)
  const lonelyRight = right.filter((r) => !left.some((l) => belong(l, r))).map(({ id }) => `- ${id}`)
  const out = [...pairs]
  if (kind === 'left' || kind === 'full') out.push(...lonelyLeft)
  if (kind === 'right' || kind === 'full') out.push(...lonelyRight)
  const all = pairs.length + lonelyLeft.length + lonelyRight.length
  return { out: out.toSorted(), filtered: all - out.length, pairs }
}

const items = fc.array(
  fc.record({ key: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 6 }), seconds: fc.integer({ min: 0, max: 40 }) }),
  { maxLength: 5 }
)
const moves = fc
  .array(fc.record({ left: items, right: items, crash: fc.boolean() }), { minLength: 1, maxLength: 6 })
  .map((list) => {
    let id = 0
    const numbered = (side: readonly Omit<Item, 'id'>[]) => side.map((item): Item => ({ ...item, id: id++ }))
    return list.map(({ left, right, crash }): Move => ({ left: numbered(left), right: numbered(right), crash }))
  })

/** The same, but each input in the order of time. */
const inOrder = moves.map((list) => {
  const sorted = (side: 'left' | 'right') => {
    const times = list.flatMap((move) => move[side].map(({ seconds }) => seconds)).toSorted((a, b) => a - b)
    return list.map((move) => move[side].map((item): Item => ({ ...item, seconds: times.shift() as number })))
  }
  const left = sorted('left')
  const right = sorted('right')
  return list.map((move, i): Move => ({ ...move, left: left[i] as Item[], right: right[i] as Item[] }))
})

describe('join', () => {
  const kinds = fc.constantFrom(...KINDS)

  test('every pair once, whatever batches they come in, also after crashes', async () => {
    const property = fc.asyncProperty(kinds, moves, async (kind, list) => {
      const { out, filtered } = model(kind, list, undefined)
      assert.deepEqual(await drive({ on: ['k'], kind }, list), { out, filtered })
    })
    await fc.assert(property, { numRuns: 14 })
  })

  test('with times, every pair that is near enough once', async () => {
    const property = fc.asyncProperty(kinds, inOrder, async (kind, list) => {
      const config: JoinConfig = { on: { k: 'k' }, kind, within: '5s', time: { left: 'at', right: 'at' } }
      const { out, filtered } = model(kind, list, 5)
      assert.deepEqual(await drive(config, list), { out, filtered })
    })
    await fc.assert(property, { numRuns: 14 })
  })

  test('with times, records are forgotten once both inputs are further on', async () => {
    const config: JoinConfig = { on: ['k'], kind: 'left', within: '5s', time: { left: 'at', right: 'at' } }
    const driven = new DrivenJoin(config)
    await driven.open()
    const at = (id: number, seconds: number): Item => ({ id, key: id, seconds })
    assert.equal((await driven.step([at(1, 0), at(2, 3)], [], [false, false])).stepped.held, 2)
    assert.equal((await driven.step([], [at(3, 0)], [false, false])).stepped.held, 3)
    assert.equal((await driven.step([at(4, 100)], [], [false, false])).stepped.held, 4)
    const { stepped, pairs } = await driven.step([], [at(5, 7)], [false, false])
    assert.deepEqual([stepped.held, stepped.filtered, pairs], [3, 1, ['1 -']])
    await driven.step([at(6, 200)], [at(6, 200)], [false, false])
    assert.equal(driven.found('left'), 1)
    await driven.step([at(7, 300)], [at(8, 300)], [false, false])
    assert.deepEqual([driven.found('left'), driven.found('right')], [0, 0])
  })

  test('records that come late miss others at most: no pair twice or wrong, and every record comes out', async () => {
    const config: JoinConfig = { on: ['k'], kind: 'full', within: '5s', time: { left: 'at', right: 'at' } }
    const property = fc.asyncProperty(moves, async (list) => {
      const { out, filtered } = await drive(config, list)
      const right = new Set(model('full', list, 5).pairs)
      assert.equal(filtered, 0)
      assert.equal(new Set(out).size, out.length)
      for (const pair of out.filter((one) => !one.includes('-'))) assert.ok(right.has(pair), pair)
      for (const { id } of list.flatMap((move) => move.left)) assertAloneOrNot(out, id)
      const lefts = new Set(out.map((one) => one.split(' ')[0]))
      const rights = new Set(out.map((one) => one.split(' ')[1]))
      for (const { id } of list.flatMap((move) => move.left)) assert.ok(lefts.has(String(id)))
      for (const { id } of list.flatMap((move) => move.right)) assert.ok(rights.has(String(id)))
    })
    await fc.assert(property, { numRuns: 8 })
  })
})

/** A record of the first input is alone, or it is in pairs, but not both. */
function assertAloneOrNot(out: readonly string[], id: number): void {
  const others = out.flatMap((one) => (one.startsWith(`${id} `) ? [one.split(' ')[1]] : []))
  assert.ok(others.length > 0)
  if (others.includes('-')) assert.deepEqual(others, ['-'])
}

describe('join in a pipeline', () => {
  const nodes = (config: object, prefix: string) => [
    { id: 'orders', type: 'generate', config: { fields: {} } },
    { id: 'people', type: 'generate', config: { fields: {} } },
    { id: 'j', type: 'join', config: { ...config }, inputs: ['orders', 'people'] },
    { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'ndjson' as const }, inputs: ['j'] }
  ]
  const batches = {
    orders: [
      [{ id: 1, by: 'a', sum: 5 }],
      [
        { id: 2, by: 'b', sum: 6 },
        { id: 3, by: 'a', sum: 7 }
      ],
      [{ id: 4, by: 'z', sum: 8 }]
    ],
    people: [
      [{ id: 'a', name: 'Ann' }],
      [
        { id: 'b', name: 'Bob' },
        { id: 'c', name: 'Cy' }
      ]
    ]
  }

  test('puts columns side by side, and the books balance, also after crashes', async () => {
    for (const seed of [0, 1, 2]) {
      const prefix = `joined${seed}/`
      const ran = await crashing(workshop, nodes({ on: { by: 'id' }, kind: 'left' }, prefix), { batches }, seed)
      assert.equal(ran.imbalance, 0)
      assert.equal(ran.ledger.recordsFiltered, 1)
      const rows = await rowsOf(workshop, prefix)
      assert.deepEqual(
        rows.toSorted((a, b) => Number(a.id) - Number(b.id)),
        [
          { id: 1, by: 'a', sum: 5, id_right: 'a', name: 'Ann' },
          { id: 2, by: 'b', sum: 6, id_right: 'b', name: 'Bob' },
          { id: 3, by: 'a', sum: 7, id_right: 'a', name: 'Ann' },
          { id: 4, by: 'z', sum: 8, id_right: null, name: null }
        ]
      )
    }
  })

  test('a record whose time can not be read is a dead letter, and the others are joined once', async () => {
    const at = '2026-01-01T00:00:00Z'
    const timed = {
      orders: [
        [
          { k: 1, at },
          { k: 2, at: 'soon' }
        ]
      ],
      people: [[{ k: 1, at, name: 'Ann' }]]
    }
    const config = { on: ['k'], kind: 'full', within: '1m', time: { left: 'at', right: 'at' } }
    const ran = await workshop.run(nodes(config, 'late/'), { batches: timed })
    assert.equal(ran.imbalance, 0)
    assert.deepEqual([ran.ledger.recordsWritten, ran.deadLetters.map(({ nodeId }) => nodeId)], [1, ['j']])
  })

  test('a configuration that can not be meant is refused', () => {
    const check = (config: object) => join.check?.(config as never).map(({ pointer }) => pointer)
    assert.deepEqual(check({ on: ['k'], kind: 'inner' }), [])
    assert.deepEqual(check({ on: ['k'], kind: 'inner', within: '5s' }), ['/time'])
    assert.deepEqual(check({ on: ['k'], kind: 'inner', time: { left: 'a', right: 'b' } }), ['/within'])
    assert.deepEqual(check({ on: ['k'], kind: 'inner', within: '1y', time: { left: 'a', right: 'b' } }), ['/within'])
  })
})

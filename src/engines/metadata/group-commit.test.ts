import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { insertThing, readThings, things, thingsMigration } from '../../../test/support/metadata-contract.ts'
import type { Db } from './index.ts'
import { openSqlite } from './sqlite.ts'

interface Step {
  /** `insert` fails where the key exists, `put` replaces. */
  readonly what: 'insert' | 'put' | 'delete'
  readonly k: string
  readonly n: number
}

interface Plan {
  readonly steps: readonly Step[]
  readonly throws: boolean
  /** Whether all statements are sent at once rather than one after the other. */
  readonly together: boolean
  /** Whether to wait for this transaction before the next begins, so that some commits are shared and others not. */
  readonly awaited: boolean
}

const step = fc.record<Step>({
  what: fc.constantFrom('insert', 'put', 'put', 'delete'),
  k: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  n: fc.nat()
})
const plan = fc.record<Plan>({
  steps: fc.array(step, { maxLength: 6 }),
  throws: fc.boolean(),
  together: fc.boolean(),
  awaited: fc.boolean()
})

async function apply(tx: Db, { what, k, n }: Step): Promise<void> {
  if (what === 'insert') return insertThing(tx, k, n)
  await things(tx).deleteFrom('things').where('k', '=', k).execute()
  if (what === 'put') await insertThing(tx, k, n)
}

async function perform(tx: Db, { steps, throws, together }: Plan): Promise<[string, number][]> {
  // Steps on one key must stay in order; the others may overlap.
  const groups = together ? [...Map.groupBy(steps, ({ k }) => k).values()] : [steps]
  await Promise.all(
    groups.map(async (group) => {
      for (const each of group) await apply(tx, each)
    })
  )
  if (throws) throw new Error('as planned')
  return readThings(tx)
}

/** The expected result in the simplest way: a copy of everything, kept if nothing failed. */
function model(before: ReadonlyMap<string, number>, { steps, throws }: Plan): Map<string, number> | undefined {
  const after = new Map(before)
  for (const { what, k, n } of steps) {
    if (what === 'insert' && after.has(k)) return undefined
    if (what === 'delete') after.delete(k)
    else after.set(k, n)
  }
  return throws ? undefined : after
}

const sorted = (map: ReadonlyMap<string, number>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))

test('transactions that share commits do what they would do one by one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-group-'))
  const metadata = openSqlite(join(folder, 'metadata.db'))
  t.after(async () => {
    await metadata.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await metadata.migrate([thingsMigration])

  const property = fc.asyncProperty(fc.array(plan, { maxLength: 30 }), async (plans) => {
    await metadata.transaction((tx) => things(tx).deleteFrom('things').execute())
    const asked: Promise<unknown>[] = []
    for (const each of plans) {
      const outcome = metadata.transaction((tx) => perform(tx, each)).catch(() => 'failed')
      asked.push(outcome)
      if (each.awaited) await outcome
    }
    let state: ReadonlyMap<string, number> = new Map()
    const expected = plans.map((each) => {
      const after = model(state, each)
      state = after ?? state
      return after === undefined ? 'failed' : sorted(after)
    })
    assert.deepEqual(await Promise.all(asked), expected)
    assert.deepEqual(await readThings(metadata.db), sorted(state))
  })
  await fc.assert(property, { numRuns: 200 })
})

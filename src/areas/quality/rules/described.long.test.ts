// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { versionOf } from '../../../data/object-resolver.ts'
import { openTestPlane, type TestPlane } from '../../../data/testing/plane.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { RuleType } from '../words.ts'
import { requireAskable } from './check.ts'
import { DescribedColumns } from './described.ts'
import type { RuleConfig } from './schema.ts'

const DATASET = 'object://b/orders.csv'
const ADMIN = { id: 'usr_a', name: 'ada', role: 'admin', permissions: ['buckets:read'] } as unknown as Actor
const DEFINITION = { warnThreshold: null, failThreshold: null, on: [], anomalies: true }

describe('the columns of data that many rules are about', () => {
  let test: TestPlane
  const clock = new ManualClock()
  /** The data that were fetched and looked at. */
  const read: string[] = []
  let check: (type: RuleType, config: RuleConfig) => Promise<unknown>
  before(async () => {
    test = await openTestPlane()
    await test.put('orders.csv', 'id,customer,amount\n1,Ada,2.5\n')
    await test.put('known.csv', 'name\nAda\n')
    const { plane, store } = test
    const counted = {
      lineage: plane.lineage.bind(plane),
      describe: (...asked: Parameters<typeof plane.describe>) => {
        read.push(asked[0])
        return plane.describe(...asked)
      },
      query: (asked: Parameters<typeof plane.query>[0]) => {
        read.push(...Object.values(asked.relations))
        return plane.query(asked)
      }
    }
    const described = new DescribedColumns({
      plane: counted,
      clock,
      versionOf: (_, key) => versionOf({ store, backend: 'b' }, key)
    })
    const needs = {
      plane: counted,
      described,
      schemaOf: async () => ({}),
      baselineDataset: async () => undefined,
      guard: async () => ({ requireAll: async () => {}, maskOf: async () => undefined })
    }
    check = (type, config) => {
      const asking = { dataset: DATASET, type, definition: { ...DEFINITION, config } }
      return requireAskable(needs, ADMIN, asking, new AbortController().signal)
    }
  })
  after(() => test.close())

  const to = { dataset: 'object://b/known.csv', column: 'name' }
  const all = async () => {
    await check('notNull', { column: 'id' })
    await check('unique', { columns: ['id', 'customer'] })
    await check('range', { column: 'amount', min: 0, where: 'id > 1' })
    await check('sql', { query: 'SELECT * FROM dataset WHERE amount < id' })
    await check('referential', { column: 'customer', to })
    await check('referential', { column: 'customer', to, where: "customer <> 'Bo'" })
  }

  it('are looked at once, also where rules have conditions and SQL of their own', async () => {
    await all()
    await all()
    assert.deepEqual(read, [DATASET, to.dataset])
  })

  it('are looked at again when the object is another one, or a minute has passed', async () => {
    await assert.rejects(check('notNull', { column: 'city' }))
    await test.put('orders.csv', 'id,customer,city\n1,Ada,Berne\n')
    read.length = 0
    await check('notNull', { column: 'city' })
    assert.deepEqual(read, [DATASET])
    clock.advance(60_000)
    await check('notNull', { column: 'city' })
    assert.deepEqual(read, [DATASET, DATASET])
  })

  it('are not kept where they could not be had', async () => {
    await test.store.delete('b', ['orders.csv'])
    await check('notNull', { column: 'anything' })
    await test.put('orders.csv', 'id\n1\n')
    await assert.rejects(check('notNull', { column: 'anything' }))
  })

  it('are those of the data where a statement is refused, which say why', async () => {
    read.length = 0
    await assert.rejects(check('sql', { query: 'SELECT * FROM dataset WHERE amont > 1' }), (error: Error) => {
      assert.match(JSON.stringify(error), /amont/)
      return true
    })
    assert.equal(read.at(-1), DATASET)
  })
})

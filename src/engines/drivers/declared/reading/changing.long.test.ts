// Once: no database. The records of a service change while its pages are read, and everything else goes wrong, too.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FAULTS } from '../testing/simulator.ts'
import { pagings, streamOf, using } from '../testing/world.ts'
import type { JsonRecord } from './records.ts'

/** Between the ids that there are at first there is room for others. */
const GAP = 2 ** 20

const change = fc.record({
  /** After which answer. */
  after: fc.integer({ min: 1, max: 6 }),
  what: fc.constantFrom('delete', 'insert', 'update'),
  /** Where, as a share of all records. */
  where: fc.integer({ min: 0, max: 99 })
})

const cases = fc.record({
  count: fc.integer({ min: 0, max: 45 }),
  changes: fc.array(change, { maxLength: 6 }),
  faults: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 25 }), fc.constantFrom(...FAULTS)), {
    maxLength: 5,
    selector: ([number]) => number
  }),
  /** A token that is refused once, after it was good. */
  refusedAt: fc.integer({ min: 2, max: 30 }),
  skewMs: fc.constantFrom(0, -7_200_000, 86_400_000)
})
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

interface Outcome {
  readonly read: readonly number[]
  /** Records that were there from the beginning to the end. */
  readonly stayed: readonly number[]
  readonly everThere: ReadonlySet<number>
  readonly deleted: number
  readonly inserted: number
}

/** Reads while records change. */
async function outcomeOf(paging: (typeof pagings)[number], told: Case): Promise<Outcome> {
  const records: JsonRecord[] = Array.from({ length: told.count }, (_, at) => ({ id: (at + 1) * GAP, name: 'a' }))
  const stayed = new Set(records.map(({ id }) => Number(id)))
  const everThere = new Set(stayed)
  let [deleted, inserted, good] = [0, 0, 0]
  const answered = (number: number) => {
    good = number
    for (const { what, where } of told.changes.filter(({ after }) => after === number)) {
      const at = Math.floor((where * records.length) / 100)
      const record = records[at]
      if (what === 'insert') {
        const [before, after] = [Number(records[at - 1]?.id ?? 0), Number(record?.id ?? 100 * GAP)]
        const id = (before + after) / 2
        records.splice(at, 0, { id, name: 'new' })
        everThere.add(id)
        inserted += 1
      } else if (record !== undefined && what === 'update') records[at] = { ...record, name: 'b' }
      else if (record !== undefined) {
        records.splice(at, 1)
        stayed.delete(Number(record.id))
        deleted += 1
      }
    }
  }
  const faults = new Map(told.faults)
  let hasRefused = false
  const read = await using(
    { things: { stream: streamOf(paging), records } },
    {
      skewMs: told.skewMs,
      answered,
      faultOf: (_, number) => faults.get(number),
      instead() {
        if (hasRefused || good === 0 || good < told.refusedAt / 6) return undefined
        hasRefused = true
        return { status: 401, body: { message: 'expired' } }
      }
    },
    async ({ read }) => (await read('things')).values.map(({ id }) => Number(id))
  )
  return { read, stayed: [...stayed], everThere, deleted, inserted }
}

/** What is inserted brings the last page once more, which is no reason to think that the service does not count. */
const lastPageTwice: [(typeof pagings)[number], Case] = [
  { kind: 'offset', param: 'skip', in: 'query', start: 1 },
  {
    ...{ count: 32, faults: [], refusedAt: 30, skewMs: 0 },
    changes: [
      { after: 4, what: 'insert', where: 0 },
      { after: 1, what: 'delete', where: 0 }
    ]
  }
]

const isCounted = ({ kind }: (typeof pagings)[number]) => kind === 'page' || kind === 'offset'
const inQuery = pagings.filter((paging) => !('in' in paging) || paging.in === 'query')

describe('pages that change while they are read', () => {
  it('give all that stays once and in order, where a service says where to go on', async () => {
    const paging = fc.constantFrom(...inQuery.filter((one) => !isCounted(one)))
    await fc.assert(
      fc.asyncProperty(paging, cases, async (paging, told) => {
        const { read, stayed, everThere } = await outcomeOf(paging, told)
        assert.deepEqual(
          read,
          [...new Set(read)].toSorted((a, b) => a - b),
          'each once, in order'
        )
        assert.deepEqual(stayed.filter((id) => !read.includes(id)).join(), '', 'nothing is missing')
        assert.ok(read.every((id) => everThere.has(id)))
      }),
      { numRuns: 150 }
    )
  })

  it('are told apart by counts as far as counting can: one missing for each that goes, one twice for each that comes', async () => {
    const paging = fc.constantFrom(...inQuery.filter(isCounted))
    await fc.assert(
      fc.asyncProperty(paging, cases, async (paging, told) => {
        const { read, stayed, everThere, deleted, inserted } = await outcomeOf(paging, told)
        const once = new Set(read)
        assert.ok(stayed.filter((id) => !once.has(id)).length <= deleted)
        assert.ok(read.length - once.size <= inserted)
        assert.ok(read.every((id) => everThere.has(id)))
        if (deleted + inserted === 0) assert.deepEqual(read, stayed)
      }),
      { numRuns: 150, examples: [lastPageTwice] }
    )
  })
})

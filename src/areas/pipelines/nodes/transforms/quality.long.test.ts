import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { NodeFault } from '../../contract/context.ts'
import { rowsOf } from '../../testing/crashing.ts'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'

const numRuns = Number(process.env.PROPERTY_RUNS ?? 40)

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

interface Odd {
  readonly id: number
  readonly t: string | boolean | null
  readonly x: number | string | null
}

/** A rule, and whether a record fails it: as one would say it of that record alone. */
type Case = readonly [rule: object, fails: (record: Odd) => boolean]

/** A text is read as a number; one that is none is beyond. */
const isBeyond = (x: Odd['x'], min: number, max: number) =>
  x !== null && (x === '' || !(Number(x) >= min && Number(x) <= max))
const CASES: readonly Case[] = [
  [{ type: 'notNull', config: { column: 't' } }, ({ t }) => t === null],
  [{ type: 'notNull', config: { column: 'x', where: 'id > 3' } }, ({ id, x }) => id > 3 && x === null],
  [{ type: 'range', config: { column: 'x', min: -1, max: 1e300 } }, ({ x }) => isBeyond(x, -1, 1e300)],
  [
    { type: 'range', config: { column: 'x', max: 0, where: 'id % 2 = 0' } },
    ({ id, x }) => id % 2 === 0 && isBeyond(x, -Infinity, 0)
  ],
  [
    { type: 'allowedValues', config: { column: 't', values: ['a', 'é', ''] } },
    ({ t }) => t !== null && (typeof t === 'boolean' || !['a', 'é', ''].includes(t))
  ],
  [{ type: 'allowedValues', config: { column: 'x', values: [0, 1.5] } }, ({ x }) => x !== null && x !== 0 && x !== 1.5],
  [{ type: 'regex', config: { column: 't', pattern: '^.?$' } }, ({ t }) => t !== null && !/^.?$/u.test(String(t))],
  // Whether a text is above a number nobody can tell, whatever is written there.
  [{ type: 'sql', config: { condition: 'x > 0' } }, ({ x }) => x !== null && (typeof x === 'string' || x <= 0)],
  [{ type: 'sql', config: { condition: '100 // (id - 3) <> 50' } }, ({ id }) => id === 5]
]

const record = fc.record({
  t: fc.option(
    fc.oneof(fc.constantFrom('', 'a', 'é', 'e\u0301', "it's", '\n', '😀', 'x'.repeat(50_000)), fc.boolean())
  ),
  x: fc.option(fc.oneof(fc.constantFrom(0, -0, 1.5, -1, 5e-324, 1e308), fc.constantFrom('abc', '5', '-3', '')))
})

test('a record fails by itself, whatever comes with it', async () => {
  let runs = 0
  const property = fc.asyncProperty(
    fc.array(fc.array(record, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
    fc.subarray(CASES.slice(), { minLength: 1 }),
    fc.constantFrom('deadLetter', 'stop'),
    async (given, cases, onFailure) => {
      let id = 0
      // Records that wait are in one table, so that there columns have one kind of value.
      const fit = ({ t, x }: Omit<Odd, 'id'>) =>
        onFailure === 'stop' ? { t: typeof t === 'boolean' ? null : t, x: typeof x === 'string' ? null : x } : { t, x }
      const batches = given.map((batch) => batch.map((one): Odd => ({ id: id++, ...fit(one) })))
      const prefix = `p${++runs}/`
      const failing = batches.flat().filter((one) => cases.some(([, fails]) => fails(one)))
      const letters: number[] = []
      const nodes = [
        { id: 'in', type: 'generate', config: { fields: {} } },
        { id: 'q', type: 'quality', config: { rules: cases.map(([rule]) => rule), onFailure }, inputs: ['in'] },
        { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'ndjson' }, inputs: ['q'] }
      ]
      const isToStop = onFailure === 'stop' && failing.length > 0
      const ran = workshop.run(nodes, {
        batches: { in: batches as never },
        onCommit: ({ deadLetters }) => void letters.push(...deadLetters.map((letter) => JSON.parse(letter.record).id))
      })
      if (isToStop) {
        await assert.rejects(ran, (error) => error instanceof NodeFault && error.code === 'quality_failed')
        assert.deepEqual(await workshop.keys(prefix), [])
        return
      }
      assert.equal((await ran).imbalance, 0)
      const ids = failing.map((one) => one.id)
      assert.deepEqual(
        letters.sort((a, b) => a - b),
        ids
      )
      const written = (await rowsOf(workshop, prefix)).map((row) => Number(row.id)).sort((a, b) => a - b)
      assert.deepEqual(
        written,
        Array.from({ length: id }, (_, at) => at).filter((at) => !ids.includes(at))
      )
    }
  )
  await fc.assert(property, { numRuns })
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { JsonRecord } from '../../records/table.ts'
import { rowsOf } from '../../testing/crashing.ts'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

let outs = 0
async function run(config: object, records: JsonRecord[]) {
  outs += 1
  const prefix = `out${outs}/`
  const ran = await workshop.run(
    [
      { id: 'in', type: 'generate', config: { fields: {} } },
      { id: 'm', type: 'mask', config: { ...config }, inputs: ['in'] },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'parquet' }, inputs: ['m'] }
    ],
    { batches: { in: [records] } }
  )
  assert.equal(ran.imbalance, 0)
  return rowsOf(workshop, prefix)
}

const sha = (text: string) => createHash('sha256').update(text).digest('hex')
const model: Record<string, (text: string) => string | null> = {
  redact: () => '***',
  hash: (text) => sha(sha('pepper') + text),
  last4: (text) => ([...text].length > 4 ? `***${[...text].slice(-4).join('')}` : '***'),
  email: (text) => (/^[^@]+@[^@]+$/.test(text) ? `${[...text][0]}***@${text.split('@')[1]}` : '***'),
  null: () => null
}
const text = fc.oneof(
  fc.string({ unit: 'binary-ascii' }).map((one) => one.replaceAll('\0', '')),
  fc.emailAddress(),
  fc.constant(null)
)

describe('mask', () => {
  test('makes of every text what it says', async () => {
    const columns = Object.fromEntries(Object.keys(model).map((how) => [`as_${how}`, how]))
    const property = fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 200 }), async (texts) => {
      const records = texts.map((one, n) => ({
        n,
        ...Object.fromEntries(Object.keys(columns).map((name) => [name, one]))
      }))
      const rows = await run({ columns, salt: 'pepper' }, records)
      const expected = texts.map((one, n) => ({
        n,
        ...Object.fromEntries(Object.keys(model).map((how) => [`as_${how}`, one === null ? null : model[how]?.(one)]))
      }))
      assert.deepEqual(rows, expected)
    })
    await fc.assert(property, { numRuns: 8 })
  })

  test('masks numbers too, whatever the case of the name, and leaves the rest', async () => {
    const columns = { PIN: 'last4', amount: 'hash', flag: 'redact' }
    const rows = await run({ columns }, [{ pin: 123456, amount: 1.5, flag: true, other: 'x' }])
    assert.deepEqual(rows, [{ pin: '***56.0', amount: sha('1.5'), flag: '***', other: 'x' }])
  })

  test('a column that is not there ends the run, rather than letting another through', async () => {
    const nodes = [
      { id: 'in', type: 'generate', config: { count: 1, fields: { name: "'a'" } } },
      { id: 'm', type: 'mask', config: { columns: { nmae: 'redact' } }, inputs: ['in'] },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'no/', format: 'parquet' }, inputs: ['m'] }
    ]
    await assert.rejects(workshop.run(nodes), { code: 'no_such_column', nodeId: 'm' })
  })
})

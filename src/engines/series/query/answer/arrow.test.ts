import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tableFromIPC } from '@uwdata/flechette'
import type { Query } from '../plan.ts'
import type { TagRows } from '../rows.ts'
import { queryOf, rowsOf } from '../testing/rows.ts'
import { writeAnswer } from './index.ts'

async function pieces(query: Query, rows: Iterable<TagRows>): Promise<Uint8Array[]> {
  return Array.fromAsync(writeAnswer({ ...query, format: 'arrow' }, rows, 0))
}

async function table(query: Query, rows: Iterable<TagRows>) {
  const all = Buffer.concat(await pieces(query, rows))
  return tableFromIPC(new Uint8Array(all), { useTimestamp: false, useBigInt: true } as object)
}

describe('an answer in Arrow', () => {
  it('has points of all types in the same columns', async () => {
    const numbers = rowsOf([5, 6], [1.5, 2 ** 60], {
      subMsNs: Uint32Array.from([7, 0]),
      exact: [[undefined, 2n ** 60n + 1n]],
      quality: Uint8Array.from([0, 2])
    })
    const texts = rowsOf([8], [null], { tag: 'tür', type: 'string', exact: [['zu']] })
    const points = await table(queryOf({ bucket: undefined }), [numbers, texts])
    assert.deepEqual(points.names, ['tag', 'time', 'value', 'text', 'quality'])
    assert.deepEqual([...points.getChild('tag')], ['temperature', 'temperature', 'tür'])
    assert.deepEqual([...points.getChild('value')], [1.5, 2 ** 60, null])
    assert.deepEqual([...points.getChild('text')], [null, '1152921504606846977', 'zu'])
    assert.deepEqual([...points.getChild('quality')], ['good', 'bad', 'good'])
    const times = points.getChild('time').data.flatMap((batch) => [...(batch.values as BigInt64Array)])
    assert.deepEqual(times, [5_000_007n, 6_000_000n, 8_000_000n])
  })

  it('has buckets with their functions', async () => {
    const columns = [Float64Array.from([1]), Float64Array.from([2])]
    const rows = rowsOf([5], [], { columns, exact: [], counts: Float64Array.of(3), percentGood: Float64Array.of(50) })
    const buckets = await table(queryOf({ functions: ['max', 'last'] }), [rows])
    assert.deepEqual(buckets.names, ['tag', 'time', 'max', 'last', 'lastText', 'count', 'percentGood'])
    const [row] = buckets.toArray()
    assert.deepEqual(
      { ...row, time: 0 },
      { tag: 'temperature', time: 0, max: 1, last: 2, lastText: null, count: 3n, percentGood: 50 }
    )
  })

  it('comes in batches, across tags and however many rows there are', async () => {
    const many = rowsOf(
      Array.from({ length: 3000 }, (_, row) => row),
      Array.from({ length: 3000 }, (_, row) => row % 7 || null)
    )
    const query = queryOf({ bucket: undefined })
    assert.equal((await pieces(query, [many, many])).length, 3)
    const points = await table(query, [many, many])
    const expected = Array.from(many.columns[0] ?? [], (value) => (Number.isNaN(value) ? null : value))
    assert.deepEqual([...points.getChild('value')], [...expected, ...expected])
  })

  it('keeps batches small where texts are long', async () => {
    const texts = Array.from({ length: 40 }, (_, row) => String(row % 10).repeat(100_000))
    const rows = rowsOf(
      texts.map((_, row) => row),
      texts.map(() => null),
      { type: 'string', exact: [texts] }
    )
    const query = queryOf({ bucket: undefined })
    assert.ok((await pieces(query, [rows])).every((piece) => piece.length < 1_300_000))
    assert.deepEqual([...(await table(query, [rows])).getChild('text')], texts)
  })

  it('has its columns where there are no rows', async () => {
    const none = await table(queryOf(), [])
    assert.deepEqual([none.numRows, none.names], [0, ['tag', 'time', 'value', 'count', 'percentGood']])
  })
})

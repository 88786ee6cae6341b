import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TagRows } from '../../query/rows.ts'
import { isPlain, packRows, unpackRows } from './packed-rows.ts'

const rowsWith = (columnCount: number) =>
  fc.record({ tag: fc.string(), length: fc.nat(5), pointsRead: fc.nat() }).chain(({ tag, length, pointsRead }) => {
    const column = fc
      .array(fc.double(), { minLength: length, maxLength: length })
      .map((numbers) => Float64Array.from(numbers))
    return fc.tuple(column, fc.array(column, { minLength: columnCount, maxLength: columnCount }), column).map(
      ([ms, columns, counts]): TagRows => ({
        tag,
        type: 'float',
        length,
        ms,
        subMsNs: undefined,
        columns,
        exact: columns.map(() => undefined),
        counts,
        quality: undefined,
        percentGood: undefined,
        pointsRead
      })
    )
  })

test('rows come out of a piece of memory as they went into it', () => {
  fc.assert(
    fc.property(
      fc.nat(3).chain((columnCount) => fc.array(rowsWith(columnCount), { minLength: 1 })),
      (all) => {
        assert.ok(all.every(isPlain))
        assert.deepEqual(unpackRows(packRows(all)), all)
      }
    )
  )
})

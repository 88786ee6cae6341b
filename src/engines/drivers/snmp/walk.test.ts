// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import snmp, { type Varbind } from 'net-snmp'
import { compareOids } from './oids.ts'
import { type Row, walkRows } from './walk.ts'

const INTEGER = snmp.ObjectType.Integer as number
const END = snmp.ObjectType.EndOfMibView as number
const PREFIXES = ['1.3.1', '1.3.2', '1.3.10']

/** An agent that has these names, and answers so many at once. */
function agentOf(names: readonly string[], atOnce: number) {
  const sorted = names.toSorted(compareOids)
  return {
    next: async (oids: readonly string[]): Promise<Varbind[][]> =>
      oids.map((oid) => {
        const found = sorted.filter((name) => compareOids(name, oid) > 0).slice(0, atOnce)
        if (found.length === 0) return [{ oid, type: END, value: null }]
        return found.map((name) => ({ oid: name, type: INTEGER, value: 1 }))
      })
  }
}

async function rowsOf(agent: Parameters<typeof walkRows>[0], prefixes = PREFIXES): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of walkRows(agent, prefixes)) rows.push(row)
  return rows
}

const anyIndex = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))

describe('a walk', () => {
  it('puts the values of a row together, in order, whatever columns lack', async () => {
    const anyColumns = fc.tuple(...PREFIXES.map(() => fc.uniqueArray(anyIndex, { maxLength: 20 })))
    await fc.assert(
      fc.asyncProperty(anyColumns, fc.integer({ min: 1, max: 7 }), async (columns, atOnce) => {
        const names = columns.flatMap((indexes, at) => indexes.map((index) => `${PREFIXES[at]}.${index}`))
        const rows = await rowsOf(agentOf([...names, '1.3.3.1', '1.4'], atOnce))
        const expected = [...new Set(columns.flat())].sort(compareOids)
        assert.deepEqual(
          rows.map(({ index }) => index),
          expected
        )
        for (const { index, cells } of rows)
          assert.deepEqual(
            cells.map((cell) => cell !== undefined),
            columns.map((indexes) => indexes.includes(index))
          )
      })
    )
  })

  it('ends where an agent goes back, or answers nothing', async () => {
    const back = {
      next: async () => [
        [
          { oid: '1.3.1.5', type: INTEGER, value: 1 },
          { oid: '1.3.1.4', type: INTEGER, value: 1 }
        ]
      ]
    }
    await assert.rejects(rowsOf(back, ['1.3.1']), { code: 'unavailable' })
    await assert.rejects(rowsOf({ next: async () => [] }), { code: 'unavailable' })
  })

  it('holds little of a long table at a time', async () => {
    let asked = 0
    const endless = {
      next: async ([oid = '']: readonly string[]) => {
        asked += 1
        const at = Number(oid.split('.')[3] ?? 0)
        return [Array.from({ length: 50 }, (_, step) => ({ oid: `1.3.1.${at + step + 1}`, type: INTEGER, value: 1 }))]
      }
    }
    let rows = 0
    for await (const _ of walkRows(endless, ['1.3.1'])) {
      rows += 1
      assert.ok(asked * 50 <= rows + 50)
      if (rows === 200_000) break
    }
    assert.equal(rows, 200_000)
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Block } from './block.ts'
import { Runs } from './runs.ts'

const LOOKUP = new Float64Array([10, 11, 12])

/** Numbers of two bits: 2 five times, then 0 1 2 0 1 2 0 and the one given, packed. */
function runsWith(last: number): Runs {
  const bytes = Buffer.from([5 << 1, 2, (1 << 1) | 1, 0b00_10_01_00, 0b00_10_01 | (last << 6)])
  return new Runs(Block.of(bytes), 0, bytes.length, 2)
}

it('reads repeated and packed numbers from any row on', () => {
  const all = [12, 12, 12, 12, 12, 10, 11, 12, 10, 11, 12, 10, 11]
  const runs = runsWith(1)
  for (const row of [0, 12, 3, 5, 4]) {
    const out = new Float64Array(all.length - row)
    runs.fill(LOOKUP, out, 0, row, out.length)
    assert.deepEqual([...out], all.slice(row))
  }
  const visited: number[][] = []
  runs.visit(LOOKUP, 7, (value, count) => visited.push([value, count]))
  assert.deepEqual(visited, [
    [12, 5],
    [10, 1],
    [11, 1]
  ])
})

it('refuses an index that the dictionary lacks, and rows beyond the end', () => {
  const out = new Float64Array(20)
  assert.throws(() => runsWith(3).fill(LOOKUP, out, 0, 0, 13), /its dictionary of 3 lacks index 3/)
  assert.throws(() => runsWith(1).fill(LOOKUP.subarray(0, 2), out, 0, 0, 1), /its dictionary of 2 lacks index 2/)
  assert.throws(() => runsWith(1).fill(LOOKUP, out, 0, 0, 14), /it ends too early/)
  assert.throws(() => new Runs(Block.of(Buffer.alloc(9)), 0, 9, 26), /its indexes have 26 bits/)
})

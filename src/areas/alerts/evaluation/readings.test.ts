import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Found, join, keyOf, type LabelledReading } from './readings.ts'

const one = (labels: Record<string, string>, value: number | null, isMet = false): LabelledReading => ({
  labels,
  reading: value === null ? { kind: 'noData' } : { kind: 'value', value, isMet },
  threshold: 5
})
const found = (...readings: LabelledReading[]): Found => ({ readings, unmentioned: 'vanished' })

function joined(how: 'and' | 'or', ...all: Found[]): Record<string, boolean | 'noData' | string> {
  const result = join(all, how)
  if ('error' in result) return { error: result.error }
  return Object.fromEntries(
    result.readings.map(({ labels, reading }) => [
      Object.values(labels).join(' '),
      reading.kind === 'value' ? reading.isMet : 'noData'
    ])
  )
}

describe('joined conditions', () => {
  const temperature = found(
    one({ line: '1', tag: 't1' }, 90, true),
    one({ line: '2', tag: 't2' }, 90, true),
    one({ line: '3', tag: 't3' }, 90, true),
    one({ line: '4', tag: 't4' }, 1)
  )
  const pressure = found(
    one({ line: '1', tag: 'p1' }, 9, true),
    one({ line: '2', tag: 'p2' }, 1),
    one({ line: '3' }, null)
  )

  it('with and are met where those with the same labels are met, whatever tag they are of', () => {
    assert.deepEqual(joined('and', temperature, pressure), {
      '1 t1': true,
      '2 t2': false,
      '3 t3': 'noData',
      '4 t4': false
    })
  })

  it('with and fit everything where they share no labels', () => {
    assert.deepEqual(joined('and', found(one({ line: '1' }, 9, true)), found(one({ tag: 'switch' }, 1, true))), {
      1: true
    })
    assert.deepEqual(joined('and', found(one({ line: '1' }, 9, true)), found(one({ tag: 'switch' }, 0))), { 1: false })
  })

  it('with and are not met where the other has nothing of these labels', () => {
    assert.deepEqual(joined('and', found(one({ line: '9' }, 9, true)), pressure), { 9: false })
  })

  it('with or have the instances of all', () => {
    assert.deepEqual(joined('or', found(one({ a: '1' }, 1)), found(one({ a: '1' }, 9, true), one({ b: '2' }, null))), {
      1: true,
      2: 'noData'
    })
  })

  it('fail where one of them fails', () => {
    assert.deepEqual(joined('or', pressure, { error: 'away', cause: 'x' }), { error: 'away' })
  })

  it('are refused where there are too many', () => {
    const many = (from: number) =>
      found(...Array.from({ length: 600 }, (_, n): LabelledReading => one({ n: String(from + n) }, 1)))
    assert.match(String(joined('or', many(0), many(600)).error), /more than 1,000/)
  })

  it('know a label set in whatever order', () => {
    assert.equal(keyOf({ b: '1', a: '2' }), keyOf({ a: '2', b: '1' }))
    assert.notEqual(keyOf({ a: '1' }), keyOf({ a: '2' }))
  })
})

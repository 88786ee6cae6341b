// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { StreamCondition } from '../../index.ts'
import type { CursorEntry } from '../entry.ts'
import { boundOf, latest } from './bounds.ts'
import { markOf } from './marks.ts'

const condition = (is: StreamCondition['is'], ...values: StreamCondition['values']): StreamCondition => ({
  column: 'at',
  is,
  values
})
const streamOf = (cursor: Partial<CursorEntry> = {}) => ({ cursor: { field: 'at', since: { param: 's' }, ...cursor } })
const text = (value: string) => ({ text: value })

describe('where a condition lets reading begin', () => {
  it('is before every record for which it holds, whatever zone that names', () => {
    const zone = fc.constantFrom('Z', '+00:00', '+02:00', '-11:00', '+14:00', '')
    const time = fc
      .tuple(fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }), zone)
      .map(([date, behind]) => `${date.toISOString().slice(0, 19)}${behind}`)
    fc.assert(
      fc.property(time, time, fc.constantFrom('>', '>=', '='), (value, record, is) => {
        const holds = is === '=' ? record === value : is === '>' ? record > value : record >= value
        const bound = boundOf(streamOf(), condition(is, text(value)), 'text')
        const mark = markOf(record, { field: 'at' })
        assert.ok(bound !== undefined && mark !== undefined)
        assert.ok(!holds || mark.at >= bound.at, `${record} ${is} ${value}`)
      })
    )
  })

  it('is nowhere where that is not known for certain', () => {
    const day = text('2026-01-10')
    assert.equal(boundOf(streamOf(), condition('<', day), 'text'), undefined)
    assert.equal(boundOf(streamOf(), condition('in', day, day), 'text'), undefined)
    assert.equal(boundOf(streamOf(), condition('>=', text('soon')), 'text'), undefined)
    assert.equal(boundOf(streamOf(), condition('>=', day), 'json'), undefined)
    assert.equal(boundOf(streamOf({ format: '%d/%m/%Y' }), condition('>=', day), 'text'), undefined)
    assert.equal(boundOf(streamOf({ field: 'other' }), condition('>=', day), 'text'), undefined)
    assert.equal(boundOf({ cursor: { field: 'at' } }, condition('>=', day), 'text'), undefined)
    assert.equal(boundOf({}, condition('>=', day), 'text'), undefined)
  })

  it('is a number where the service counts', () => {
    const number = { number: '1767225600' }
    const bound = boundOf(streamOf({ format: '%s' }), condition('>', number), 'bigint')
    assert.deepEqual(bound, { at: Date.parse('2025-12-31T00:00:00Z'), isTime: true })
    assert.deepEqual(boundOf(streamOf(), condition('>=', { number: '100' }), 'bigint'), { at: 99, isTime: false })
    assert.deepEqual(latest([undefined, bound, { at: 0, isTime: true }, { at: 5, isTime: false }]), bound)
  })
})

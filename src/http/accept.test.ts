import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../errors.ts'
import { preferredType } from './accept.ts'

const OFFERED = ['application/json', 'text/csv', 'application/x-ndjson'] as const
const choose = (header: string | undefined) => preferredType(header, OFFERED)

function isRefused(header: string): boolean {
  try {
    choose(header)
    return false
  } catch (error) {
    assert.ok(error instanceof Problem)
    assert.equal(error.code, 'not_acceptable')
    assert.deepEqual(error.members, { supported: OFFERED })
    return true
  }
}

describe('preferredType', () => {
  it('takes the first where the caller does not mind', () => {
    for (const header of [undefined, '*/*', 'application/*', 'text/html, */*;q=0.1', 'text/csv, application/json']) {
      assert.equal(choose(header), 'application/json', String(header))
    }
  })

  it('takes what the caller likes best', () => {
    assert.equal(choose('text/csv'), 'text/csv')
    assert.equal(choose('TEXT/CSV; charset=utf-8'), 'text/csv')
    assert.equal(choose('text/*'), 'text/csv')
    assert.equal(choose('application/json;q=0.5, text/csv;q=0.9'), 'text/csv')
    assert.equal(choose('application/json;q=0.1, application/x-ndjson ; q=0.2'), 'application/x-ndjson')
  })

  it('lets the closest range decide', () => {
    assert.equal(choose('application/json;q=0, */*'), 'text/csv')
    assert.equal(choose('*/*, application/json;q=0.5'), 'text/csv')
    assert.equal(choose('application/*;q=0.2, application/x-ndjson, */*;q=0.5'), 'application/x-ndjson')
  })

  it('refuses where nothing fits', () => {
    for (const header of ['', 'nonsense', 'text/html', '*/*;q=0', 'text/csv;q=none', ',,;', 'json', 'text/csvx']) {
      assert.ok(isRefused(header), header)
    }
  })

  it('never answers with a type that was weighted zero or not asked for', () => {
    const range = fc.constantFrom(...OFFERED, 'text/*', 'application/*', '*/*', 'image/png')
    const wish = fc.tuple(range, fc.constantFrom(0, 0.1, 0.5, 1))
    fc.assert(
      fc.property(fc.uniqueArray(wish, { selector: ([range]) => range, minLength: 1 }), (wishes) => {
        const weights = new Map<string, number>(wishes)
        const weightOf = (type: string) =>
          weights.get(type) ?? weights.get(`${type.split('/')[0]}/*`) ?? weights.get('*/*') ?? 0
        const header = wishes.map(([range, q]) => `${range};q=${q}`).join(', ')
        const best = Math.max(...OFFERED.map(weightOf))
        if (best === 0) assert.ok(isRefused(header))
        else
          assert.equal(
            choose(header),
            OFFERED.find((type) => weightOf(type) === best)
          )
      })
    )
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Durations } from './durations.ts'

const BOUNDS_S = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]

/** The text format read back: name and labels → value. */
function parse(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    })
  )
}

describe('the durations', () => {
  it('count each request in every bucket up to whose bound it stayed', () => {
    const request = fc.tuple(
      fc.constantFrom('GET', 'POST'),
      fc.constantFrom('/api/users', '/api/users/:id'),
      fc.constantFrom(200, 404),
      fc.oneof(fc.constantFrom(...BOUNDS_S.map((bound) => bound * 1000)), fc.double({ min: 0, max: 1e5, noNaN: true }))
    )
    const property = fc.property(fc.array(request, { maxLength: 40 }), (requests) => {
      const durations = new Durations()
      for (const one of requests) durations.observe(...one)
      const values = parse(durations.render('d', 'Help'))
      const series = new Set(requests.map(([method, route, status]) => [method, route, status].join(' ')))
      assert.equal(values.size, series.size * (BOUNDS_S.length + 3))
      for (const [method, route, status] of requests) {
        const own = requests.filter((other) => other[0] === method && other[1] === route && other[2] === status)
        const labels = `method="${method}",route="${route}",status="${status}"`
        for (const bound of BOUNDS_S) {
          const within = own.filter(([, , , ms]) => ms / 1000 <= bound).length
          assert.equal(values.get(`d_bucket{${labels},le="${bound}"}`), within)
        }
        assert.equal(values.get(`d_bucket{${labels},le="+Inf"}`), own.length)
        assert.equal(values.get(`d_count{${labels}}`), own.length)
        const sumS = own.reduce((sum, [, , , ms]) => sum + ms / 1000, 0)
        assert.ok(Math.abs((values.get(`d_sum{${labels}}`) as number) - sumS) <= 1e-9 * Math.max(1, sumS))
      }
    })
    fc.assert(property)
  })

  it('say what they are', () => {
    assert.equal(new Durations().render('d', 'How long'), '# HELP d How long\n# TYPE d histogram\n')
  })

  it('escape what a label can’t hold', () => {
    const durations = new Durations()
    durations.observe('GET', '/a"b\\c', 200, 1)
    assert.match(durations.render('d', 'Help'), /route="\/a\\"b\\\\c"/)
  })
})

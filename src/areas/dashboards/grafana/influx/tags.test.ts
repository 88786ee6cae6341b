import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseTextPattern } from '../../../../data/glob.ts'
import { tagNameOf } from '../../../../engines/series/parse/tag-name.ts'
import { writtenQuery } from './influxql.ts'
import { pointsQuery } from './query.ts'
import { tagPatterns } from './tags.ts'

const word = fc.constantFrom('a', 'b', 'ab', 'host', 'a*', 'x[1]', 'k=', 'q?', 'line 2')
const labels = fc.dictionary(word, word, { maxKeys: 4 })

test('patterns match the series with these labels and no others', () => {
  fc.assert(
    fc.property(word, word, labels, labels, (measurement, field, wanted, had) => {
      const conditions = Object.entries(wanted).map(([key, value]) => ({ key, operator: '=', value, isOr: false }))
      const found = tagPatterns(measurement, field, conditions, new Map())
      if ('problem' in found) return assert.ok(conditions.length > 3)
      for (const each of [had, { ...had, ...wanted }]) {
        const isWanted = Object.entries(wanted).every(([key, value]) => Object.hasOwn(each, key) && each[key] === value)
        const name = tagNameOf(measurement, each, field)
        assert.equal(
          found.tags.some((pattern) => parseTextPattern(pattern).matches(name)),
          isWanted,
          name
        )
        assert.ok(!found.tags.some((pattern) => parseTextPattern(pattern).matches(tagNameOf('other', each, field))))
      }
    }),
    { numRuns: 1000 }
  )
})

test('conditions that can’t be listed are told', () => {
  const of = (operator: string, value: string) =>
    tagPatterns('m', 'f', [{ key: 'k', operator, value, isOr: false }], new Set(['v']))
  for (const [operator, value] of [
    ['!=', 'a'],
    ['=~', '/a/'],
    ['=~', '/^a.*$/'],
    ['=', '$gone'],
    ['=', 'a$v'],
    ['=~', '/^$gone$/']
  ] as const) {
    assert.ok('problem' in of(operator, value), value)
  }
  assert.deepEqual(of('=~', '/.*/'), { tags: ['m.f', 'm.f{*}'] })
  const [first] = (of('=~', `/^\${v:regex}$/`) as { tags: string[] }).tags
  assert.equal(first, 'm.f{k=$v}')
})

test('a written query is read as one that was put together', () => {
  const read = (text: string) => {
    const asked = writtenQuery(text)
    return 'problem' in asked ? asked : pointsQuery(asked, { sourceId: 's' }, new Map())
  }
  const found = read(
    'SELECT percentile("f", 99) AS "x" FROM "p"."m" WHERE $timeFilter GROUP BY time(10s), * fill(linear)'
  )
  assert.deepEqual(found, {
    query: { sourceId: 's', tags: ['m.f', 'm.f{*}'], function: 'p99', aggregation: '10s', fill: 'linear' },
    notes: []
  })
  for (const text of [
    '',
    'SELECT',
    'SELECT * FROM m',
    'SELECT mean(f) FROM /x/',
    'SELECT mean(f) * 2 FROM m',
    'SELECT mean(f) FROM m LIMIT 1',
    'DROP SERIES',
    'SELECT mean(f) FROM m WHERE time > now()'
  ]) {
    assert.ok('problem' in read(text), text)
  }
})

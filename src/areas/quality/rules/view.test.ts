import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rule, RuleConfig } from './schema.ts'
import { withoutQuotes } from './view.ts'

const HIDDEN = '********'
const shown = (config: RuleConfig, mask: 'all' | string[] | undefined) => withoutQuotes({ config } as Rule, mask).config

test('a rule shows what it may quote of data to those alone who may see them', () => {
  const values = { column: 'State', values: ['ill', 'well'] }
  assert.deepEqual(shown(values, undefined), values)
  assert.deepEqual(shown(values, ['email']), values)
  for (const mask of ['all', ['state']] as const) {
    assert.deepEqual(shown(values, mask as 'all'), { column: 'State', values: [HIDDEN] })
  }
  assert.deepEqual(shown({ column: 'a', min: 1, max: 9 }, ['a']), { column: 'a', min: HIDDEN, max: HIDDEN })
  assert.deepEqual(shown({ column: 'a', pattern: '^x' }, ['a']), { column: 'a', pattern: HIDDEN })
  assert.deepEqual(shown({ column: 'a', where: "b = 'x'", sample: 5 }, ['b']), {
    column: 'a',
    where: HIDDEN,
    sample: 5
  })
  assert.deepEqual(shown({ query: "FROM dataset WHERE b = 'x'" }, ['b']), { query: HIDDEN })
  assert.deepEqual(shown({ min: 5 }, 'all'), { min: 5 }, 'a number of rows is none of the values')
})

test('a rule about an age shows what was odd about it to those alone who may see the column', () => {
  const anomaly = {
    kind: 'value',
    since: '2026-01-01T00:00:00.000Z',
    measured: 8575,
    message: '8575 s where …'
  } as const
  const rule = { type: 'freshness', config: { column: 'born', maxAge: '1d' }, anomaly } as unknown as Rule
  assert.deepEqual(withoutQuotes(rule, ['ssn']).anomaly, anomaly)
  const hidden = withoutQuotes(rule, ['Born']).anomaly
  assert.deepEqual([hidden?.kind, hidden?.since, hidden?.measured], ['value', anomaly.since, null])
  assert.doesNotMatch(JSON.stringify(hidden), /8575/)
  assert.deepEqual(withoutQuotes({ ...rule, type: 'notNull' }, ['born']).anomaly, anomaly, 'a number of rows')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SqlValue } from '../../../../engines/sql/index.ts'
import { areChanges, Mirror, ownColumns } from './mirror.ts'
import { sqlSink } from './sink.ts'

const columns = ['id', 'name', 'large', '_op', '_position', '_at', '_before', '_unchanged'].map((name) => ({
  name,
  type: 'text' as const
}))
const row = (op: string, unchanged: SqlValue = null, id: SqlValue = '1') => [
  id,
  'a',
  null,
  op,
  '0',
  null,
  null,
  unchanged
]
const mirror = new Mirror(columns, { keys: ['id'], truncate: false })

test('records say what becomes of rows, and which columns stay as they are', () => {
  const values = ['1', 'a', null]
  assert.deepEqual(
    mirror.columns.map(({ name }) => name),
    ['id', 'name', 'large']
  )
  assert.deepEqual(mirror.changeOf(row('insert')), { op: 'put', values, unsent: [] })
  assert.deepEqual(mirror.changeOf(row('update', '["large"]')), { op: 'put', values, unsent: [2] })
  assert.deepEqual(mirror.changeOf(row('delete')), { op: 'delete', values })
  assert.deepEqual(new Mirror(columns, { keys: ['id'], truncate: true }).changeOf(row('truncate')), { op: 'empty' })
})

test('what can not be applied is refused with what to do', () => {
  const refused = (code: string, message: RegExp) => ({ kind: 'records', code, message })
  assert.throws(() => mirror.changeOf(row('truncate')), refused('truncate_refused', /set "truncate": true/))
  assert.throws(() => mirror.changeOf(row('delete', null, null)), refused('no_key', /keys of the stream/))
  assert.throws(() => mirror.changeOf(row('upsert')), refused('bad_value', /_op is "upsert"/))
  assert.throws(() => mirror.changeOf(row('update', 'large')), refused('bad_value', /_unchanged/))
})

test('records are changes by what they have, and only their own columns are written', () => {
  assert.ok(areChanges(columns))
  assert.ok(!areChanges(columns.filter(({ name }) => name !== '_unchanged')))
  assert.equal(ownColumns(columns).length, 3)
  const inputs = [{ id: 'in', columns: columns.map(({ name }) => ({ name, type: 'VARCHAR' })) }]
  const written = (config: object) => sqlSink.ways(config as never, inputs).columns.length
  assert.deepEqual([written({ mode: 'upsert' }), written({ mode: 'insert' })], [3, 8])
})

test('all rows may go only where rows are replaced by their keys', () => {
  const config = { connectorId: 'cn_1', table: 't', truncate: true }
  const faults = (more: object) => sqlSink.check?.({ ...config, ...more } as never)?.map(({ pointer }) => pointer)
  assert.deepEqual(faults({}), ['/truncate'])
  assert.deepEqual(faults({ mode: 'upsert', keys: ['id'] }), [])
})

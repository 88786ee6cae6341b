import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamSource } from './source.ts'

const config = { connectorId: 'cn_1', stream: 'public.orders', changes: true }

test('changes never end, and take neither a cursor nor an interval', () => {
  assert.equal(streamSource.isBounded(config as never), false)
  assert.deepEqual(streamSource.check?.(config as never), [])
  const faults = streamSource.check?.({ ...config, cursor: 'id', interval: '1m' } as never)
  assert.deepEqual(
    faults?.map(({ pointer }) => pointer),
    ['/cursor', '/interval']
  )
})

test('columns of changes count as made from all columns, because the row before is among them', () => {
  assert.equal(streamSource.makesColumns?.(config as never), true)
  assert.equal(streamSource.makesColumns?.({ ...config, changes: false } as never), false)
})

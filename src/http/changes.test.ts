import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryBus } from '../engines/bus/memory.ts'
import { type Change, tellChanges } from './changes.ts'

function eventOf(change: Change): object {
  const bus = createMemoryBus((error) => {
    throw error
  })
  const heard: object[] = []
  bus.subscribe('*', (event) => heard.push(event))
  tellChanges(bus, [change])
  return heard[0] ?? assert.fail('nothing was told')
}

test('a change is told by what was there before and after, with what its event says', () => {
  const level = { type: 'classification-level', id: 'lvl_1' } as const
  assert.deepEqual(eventOf({ ...level, after: {} }), { type: 'classification-level.created', id: 'lvl_1' })
  assert.deepEqual(eventOf({ ...level, before: {}, after: {} }), { type: 'classification-level.updated', id: 'lvl_1' })
  assert.deepEqual(eventOf({ ...level, before: {} }), { type: 'classification-level.deleted', id: 'lvl_1' })
  const tag = { type: 'catalog-tag', id: 's/t', before: {}, event: { sourceId: 's', name: 't' } } as const
  assert.deepEqual(eventOf(tag), { type: 'catalog-tag.deleted', id: 's/t', sourceId: 's', name: 't' })
})

test('a change whose event is not declared, or says something else, does not compile', () => {
  // @ts-expect-error nobody declares lamp.created
  const unknownNoun: Change = { type: 'lamp', id: 'lmp_1', after: {} }
  // @ts-expect-error a key is never changed
  const unknownVerb: Change = { type: 'api-key', id: 'key_1', before: {}, after: {} }
  // @ts-expect-error others rely on the name
  const silent: Change = { type: 'catalog-source', id: 'src_1', after: {} }
  // @ts-expect-error a change of the name says the former one too
  const half: Change = { type: 'catalog-source', id: 'src_1', before: {}, after: {}, event: { name: 'a' } }
  assert.equal([unknownNoun, unknownVerb, silent, half].length, 4)
})

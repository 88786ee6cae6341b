import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { takeSlot } from './slot.ts'

const parent = mkdtempSync(join(tmpdir(), 'millrace-slots-'))
after(() => rmSync(parent, { recursive: true, force: true }))

it('those who share a folder have different slots, and one that is given back is had again', () => {
  const folder = join(parent, 'shared')
  const [a, b, c] = [takeSlot(folder), takeSlot(folder), takeSlot(folder)]
  assert.deepEqual([a.name, b.name, c.name], ['1', '2', '3'])
  b.release()
  const again = takeSlot(folder)
  assert.deepEqual([again.name, again.id], [b.name, b.id])
  for (const slot of [a, again, c]) slot.release()
  assert.deepEqual(readdirSync(folder).sort(), ['1', '2', '3', 'id'], 'nothing else is left')
})

it('slots of different folders have different ids', () => {
  const [a, b] = ['a', 'b'].map((name) => takeSlot(join(parent, name)))
  assert.equal(a?.name, b?.name)
  assert.notEqual(a?.id, b?.id)
  a?.release()
  b?.release()
})

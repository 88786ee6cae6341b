import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { StreamChunk } from '../index.ts'
import { FlatMemory } from './flat-memory.ts'

const CHUNKS = 100
const ROWS = 500
const COLUMNS = [{ name: 'body', type: 'text' }] as const

/** Each text is its own, so that it takes room. */
const chunkOf = (n: number): StreamChunk => ({
  columns: COLUMNS,
  values: [Array.from({ length: ROWS }, (_, row) => Buffer.alloc(100, `${n} ${row} `).toString())],
  rows: ROWS,
  position: undefined
})

it('memory that stays flat passes', () => {
  const memory = new FlatMemory(CHUNKS * ROWS)
  for (let n = 0; n < CHUNKS; n++) memory.add(chunkOf(n))
  memory.assertFlat()
})

it('a stream that is held as it comes does not pass, nor one of which the first third is let go', () => {
  holdFrom(0)
  holdFrom(CHUNKS / 3)
})

function holdFrom(first: number): void {
  const held: StreamChunk[] = []
  const memory = new FlatMemory(CHUNKS * ROWS)
  for (let n = 0; n < CHUNKS; n++) {
    const chunk = chunkOf(n)
    if (n >= first) held.push(chunk)
    memory.add(chunk)
  }
  assert.throws(() => memory.assertFlat(), /more were held/, `from ${first} on`)
  assert.ok(held.length > 0)
}

it('a stream that is fetched before it is read does not pass', () => {
  const memory = new FlatMemory(CHUNKS * ROWS)
  const fetched = Array.from({ length: CHUNKS }, (_, n) => chunkOf(n))
  for (const chunk of fetched) memory.add(chunk)
  assert.throws(() => memory.assertFlat(), /more were held/)
})

it('a stream that ends early tells nothing', () => {
  const memory = new FlatMemory(CHUNKS * ROWS)
  memory.add(chunkOf(0))
  assert.throws(() => memory.assertFlat(), /too few/)
})

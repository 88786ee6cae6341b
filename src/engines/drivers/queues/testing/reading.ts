import assert from 'node:assert/strict'
import { tries } from '../../../../../test/support/thorough.ts'
import { createOutbound } from '../../../outbound/index.ts'
import {
  driverOf,
  findSource,
  type OpenSource,
  type SourceConfig,
  type SourceFacts,
  type StreamChunk,
  type StreamRead,
  type StreamValue
} from '../../index.ts'
import { FlatMemory } from '../../testing/flat-memory.ts'

/** A million records take the longest. */
const LIMIT_MS = tries(180_000, 600_000)
const MOST_PARTS = 20

/** Does a piece of work with a source that may call everything, unless another outbound is given. */
export async function withSource<T>(
  sourceId: string,
  config: SourceConfig,
  work: (opened: OpenSource) => Promise<T>,
  outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
): Promise<T> {
  const source = findSource(sourceId) as SourceFacts
  const opened = await (await driverOf(source)).open(config, source, { outbound, packagesFolder: '/nowhere' })
  try {
    return await work(opened)
  } finally {
    await opened.close()
    await outbound.close()
  }
}

export type StreamRecord = Readonly<Record<string, StreamValue>>

export const limitOfTest = () => AbortSignal.timeout(LIMIT_MS)

/** All that a read gives, as records. */
export async function recordsOf(
  opened: OpenSource,
  stream: string,
  request: Partial<StreamRead> = {}
): Promise<StreamRecord[]> {
  const records: StreamRecord[] = []
  for await (const chunk of opened.read({ stream, signal: limitOfTest(), ...request })) records.push(...rowsOf(chunk))
  return records
}

export function rowsOf({ columns, values, rows }: StreamChunk): StreamRecord[] {
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map(({ name }, column) => [name, values[column]?.[row] ?? null]))
  )
}

/** Reads a stream to its end while the memory stays flat, and answers how many records there were. */
export async function countFlat(opened: OpenSource, stream: string, expectedRows: number): Promise<number> {
  // What is loaded with the first read is no part of the stream.
  await recordsOf(opened, stream, { limit: 1 })
  const memory = new FlatMemory(expectedRows)
  let rows = 0
  for await (const chunk of opened.read({ stream, signal: limitOfTest() })) {
    rows += chunk.rows
    assert.ok(chunk.rows <= 10_000)
    memory.add(chunk)
  }
  memory.assertFlat()
  return rows
}

/** Reads by `id` in parts, with something done between the first chunk of each and the next; answers the ids. */
export async function idsInParts(
  opened: OpenSource,
  stream: string,
  between: (part: number) => Promise<void>
): Promise<StreamValue[]> {
  const ids: StreamValue[] = []
  let after: string | null = null
  for (let part = 0; ; part++) {
    const before = ids.length
    try {
      for await (const chunk of opened.read({ stream, cursor: { column: 'id', after }, signal: limitOfTest() })) {
        ids.push(...(chunk.values[0] ?? []))
        after = chunk.position ?? null
        await between(part)
      }
    } catch (error) {
      // Nobody is told less than that it may be tried again.
      assert.ok((error as { isTransient?: boolean }).isTransient && part < MOST_PARTS, String(error))
      continue
    }
    if (ids.length === before) return ids
  }
}

import assert from 'node:assert/strict'
import type { RunRow } from '../../../src/areas/scheduler/migrations.ts'
import { toIso } from '../../../src/engines/clock.ts'
import type { Receiver } from './receiver.ts'

const CUT_OFF = /An earlier attempt was cut off/

/** From the first due time to the end, which is not due itself, a second apart. */
export interface Expected {
  readonly id: string
  readonly firstMs: number
  readonly endMs: number
}

/** Every due time has one row, which has succeeded. */
export function checkRows(schedules: readonly Expected[], rows: readonly RunRow[]): void {
  const bySchedule = Map.groupBy(rows, ({ schedule_id }) => schedule_id)
  for (const { id, firstMs, endMs } of schedules) {
    const own = (bySchedule.get(id) ?? []).toSorted((a, b) => (a.due_at < b.due_at ? -1 : 1))
    const wanted: string[] = []
    for (let ms = firstMs; ms < endMs; ms += 1000) wanted.push(toIso(ms))
    assert.deepEqual(
      own.map(({ due_at, count }) => `${due_at} ${count}`),
      wanted.map((dueAt) => `${dueAt} 1`),
      `due times of ${id}`
    )
    const other = own.filter(({ state }) => state !== 'succeeded')
    assert.deepEqual(
      other.map(({ due_at, state, code, reason }) => ({ due_at, state, code, reason })),
      [],
      `runs of ${id}`
    )
  }
}

export interface CallFigures {
  readonly calls: number
  readonly repeated: number
  readonly cutOff: number
}

/** Every run was heard of, under one key for each due time, and more than once only where an attempt was cut off. */
export function checkCalls({ calls }: Receiver, rows: readonly RunRow[]): CallFigures {
  const runs = new Map(rows.map((row) => [row.id, row]))
  const heard = Map.groupBy(calls, ({ key }) => key)
  for (const [key, [call]] of heard) {
    const run = runs.get(key)
    assert.ok(run !== undefined && call !== undefined, `${key} was called and is no run`)
    assert.deepEqual([call.scheduleId, call.dueAt], [run.schedule_id, run.due_at])
  }
  const keys = Map.groupBy(calls, ({ scheduleId, dueAt }) => `${scheduleId} ${dueAt}`)
  for (const [due, some] of keys) assert.equal(new Set(some.map(({ key }) => key)).size, 1, `keys of ${due}`)
  for (const { id, due_at } of rows) assert.ok(heard.has(id), `${id} (${due_at}) has succeeded and nobody heard of it`)
  const repeated = [...heard].filter(([, some]) => some.length > 1).map(([key]) => runs.get(key) as RunRow)
  const cutOff = rows.filter(({ logs }) => CUT_OFF.test(logs ?? ''))
  assert.deepEqual(
    repeated.filter((run) => !cutOff.includes(run)).map(({ id, due_at, logs }) => ({ id, due_at, logs })),
    [],
    'called again though no attempt was cut off'
  )
  return { calls: calls.length, repeated: repeated.length, cutOff: cutOff.length }
}

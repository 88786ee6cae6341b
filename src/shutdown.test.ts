import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runPhases } from './shutdown.ts'

test('phases run in order, and one that hangs or fails does not keep the next from running', async () => {
  const done: string[] = []
  const reported: unknown[] = []
  const phase = (name: string, run: () => Promise<unknown>) => ({ name, limitMs: 20, run })
  await runPhases(
    [
      phase('first', async () => done.push('first')),
      phase('hangs', () => new Promise(() => {})),
      phase('fails', () => Promise.reject(new Error('no'))),
      phase('last', async () => done.push('last'))
    ],
    { error: (fields) => reported.push((fields as { phase: string }).phase) }
  )
  assert.deepEqual(done, ['first', 'last'])
  assert.deepEqual(reported, ['hangs', 'fails'])
})

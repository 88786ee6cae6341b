import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Connection, Connections } from './connections.ts'
import { MAX_CONNECTIONS, MAX_IDLE_CONNECTIONS } from './limits.ts'

class Fake implements Connection {
  isOpen = true
  ended = 0
  destroy(): void {
    this.isOpen = false
  }
  async endStatement(): Promise<void> {
    this.ended += 1
  }
}

function make(): { opened: Fake[]; connections: Connections<Fake> } {
  const opened: Fake[] = []
  const connections = new Connections(async () => {
    const connection = new Fake()
    opened.push(connection)
    return connection
  })
  return { opened, connections }
}

test('a connection is used again, unless it was lost or stopped', async () => {
  const { opened, connections } = make()
  const first = await connections.take()
  connections.giveBack(first)
  assert.equal(await connections.take(), first)
  connections.giveBack(first)
  first.isOpen = false
  const second = await connections.take()
  assert.notEqual(second, first)
  connections.stop(second)
  await connections.close()
  assert.deepEqual([second.ended, second.isOpen, opened.length], [1, false, 2])
})

test('there are only so many at a time, and few that wait', async () => {
  const { opened, connections } = make()
  const taken = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => connections.take()))
  await assert.rejects(connections.take(), { code: 'unavailable', isTransient: true })
  for (const connection of taken) connections.giveBack(connection)
  assert.equal(opened.filter(({ isOpen }) => isOpen).length, MAX_IDLE_CONNECTIONS)
  await connections.close()
  assert.equal(opened.filter(({ isOpen }) => isOpen).length, 0)
  await assert.rejects(connections.take(), { code: 'unavailable', isTransient: false })
})

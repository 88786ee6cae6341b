// Once: no database.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { Connection } from './connection.ts'
import { fromException } from './errors.ts'

const QUESTION = { table: 'holding', address: 0, count: 1 } as const
const signal = () => AbortSignal.timeout(10_000)

/** An answer with the value 7 to a question with this number. */
const answerTo = (transaction: number) => Buffer.from([0, transaction, 0, 0, 0, 5, 1, 3, 2, 0, 7])

describe('a connection to a device', () => {
  const servers: Server[] = []
  after(() => {
    for (const server of servers) server.close()
  })

  async function ask(answer: (socket: Socket) => void, by = signal()) {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => answer(socket))
    })
    servers.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as { port: number }
    const connection = await Connection.open('127.0.0.1', port, 1, signal())
    try {
      return await connection.ask(QUESTION, by)
    } finally {
      connection.close()
    }
  }

  it('takes an answer that comes in pieces, after a late one', async () => {
    const answer = await ask(async (socket) => {
      for (const byte of Buffer.concat([answerTo(9), answerTo(1)])) {
        socket.write(Uint8Array.of(byte))
        await new Promise(setImmediate)
      }
    })
    assert.deepEqual(answer, { bytes: Buffer.from([0, 7]) })
  })

  it('tells that something else speaks there, whatever it says', async () => {
    const others = [
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      '\0\u0001\0\0\0\u0005\u0001\u0003\u0004\0\u0007',
      'SSH-2.0-OpenSSH_9.2\r\n'
    ]
    for (const text of others)
      await assert.rejects(
        ask((socket) => socket.write(text)),
        { code: 'unavailable', pointer: '/port' },
        text
      )
  })

  it('tells what the device says instead of values', async () => {
    const refusal = Buffer.from([0, 1, 0, 0, 0, 3, 1, 0x83, 11])
    const answer = await ask((socket) => socket.write(refusal))
    assert.deepEqual(answer, { exception: 11 })
    const told = (exception: number) => fromException(exception, { ...QUESTION, registers: [] }).code
    assert.deepEqual([1, 2, 3, 4, 6, 10, 11].map(told), [
      'not_found',
      'not_found',
      'not_found',
      'unavailable',
      'rate_limited',
      'unreachable',
      'unreachable'
    ])
  })

  it('outlives a device that resets it while nothing is asked', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write(answerTo(1), () => socket.resetAndDestroy()))
    })
    servers.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as { port: number }
    const connection = await Connection.open('127.0.0.1', port, 1, signal())
    await connection.ask(QUESTION, signal()).catch(() => {})
    await new Promise((resolve) => server.close(resolve))
    await assert.rejects(connection.ask(QUESTION, signal()), { code: 'unavailable' })
  })

  it('tells that the device is gone, and ends with the signal', async () => {
    await assert.rejects(
      ask((socket) => socket.destroy()),
      { code: 'unavailable' }
    )
    const ending = new AbortController()
    const reason = new Error('enough')
    await assert.rejects(
      ask(() => ending.abort(reason), ending.signal),
      reason
    )
  })
})

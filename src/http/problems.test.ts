// Once: no database.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net'
import { it } from 'node:test'
import pg from 'pg'
import { toProblem } from './problems.ts'

it('a database that goes away in the middle of a statement is not the client’s fault', async () => {
  // Resets the connection as soon as it hears something, as a server that is killed does.
  const server = createSocketServer((socket) => socket.once('data', () => socket.resetAndDestroy())).listen(
    0,
    '127.0.0.1'
  )
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'x', database: 'x' })
  const error = await client.connect().then(
    () => assert.fail('connected'),
    (reason: unknown) => reason
  )
  server.close()
  assert.equal((error as NodeJS.ErrnoException).code, 'ECONNRESET')
  const { code, status } = toProblem(error)
  assert.deepEqual([code, status], ['dependency_unavailable', 503])
})

it('a client that goes away in the middle of its request is', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc')
  const [request] = await once(server, 'request')
  const failed = once(request, 'error')
  request.resume()
  socket.destroy()
  const [error] = await failed
  server.close()
  assert.equal(toProblem(error).code, 'malformed_request')
})

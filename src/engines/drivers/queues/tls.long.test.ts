// Once: no database.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { TLSSocket } from 'node:tls'
import { selfSigned } from '../../outbound/testing/certificate.ts'
import { QUEUES } from '../catalogue/queues.ts'
import { runSteps } from '../index.ts'
import { withSource } from './testing/reading.ts'

const PAST = '210101000000Z'
/** What a server says before encryption begins. */
const FIRST_WORDS: Readonly<Record<string, string>> = {
  nats: 'INFO {"server_id":"x","version":"2.9.10","proto":1,"max_payload":1024,"tls_required":true}\r\n'
}

function encrypt(socket: Socket, certificate: { key: string; cert: string }, firstWords = ''): void {
  socket.on('error', () => {})
  socket.write(firstWords)
  new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => {})
}

describe('encryption of queues', () => {
  for (const { id } of QUEUES) {
    it(`${id} says what is wrong with a certificate`, async () => {
      for (const [name, until, isTrusted, said] of [
        ['localhost', undefined, false, /nobody.*vouches/i],
        ['localhost', PAST, true, /expired/],
        ['elsewhere.example', undefined, true, /not for the host/]
      ] as const) {
        const certificate = selfSigned(name, until)
        const server = createServer((socket) => encrypt(socket, certificate, FIRST_WORDS[id]))
        await once(server.listen(0, 'localhost'), 'listening')
        const { port } = server.address() as AddressInfo
        const config = { host: 'localhost', port, tls: true, ...(isTrusted && { ca: certificate.cert }) }
        const { checks } = await withSource(id, config, ({ steps }) => runSteps(steps, 10_000))
        const failed = checks.find(({ ok }) => !ok)
        assert.deepEqual(
          [failed?.name, failed?.code, failed?.pointer],
          ['tls', 'tls_failed', '/tls'],
          String(failed?.message)
        )
        assert.match(String(failed?.message), said)
        await once(server.close(), 'close')
      }
    })
  }
})

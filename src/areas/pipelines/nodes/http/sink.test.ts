import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { openWorkshop, type RunOptions, type Workshop } from '../../testing/workshop.ts'

interface Received {
  readonly key: string
  readonly body: string
  readonly type: string | undefined
}

let workshop: Workshop
let server: Server
let url: string
let received: Received[] = []
/** The status for a request, or none where the connection is to break off. */
let statusOf: (request: Received) => number | undefined

before(async () => {
  workshop = await openWorkshop()
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const one = { key: String(request.headers['idempotency-key']), body, type: request.headers['content-type'] }
      received.push(one)
      const status = statusOf(one)
      if (status === undefined) request.socket.destroy()
      else response.writeHead(status).end('whatever')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await workshop.close()
})
beforeEach(() => {
  received = []
  statusOf = () => 204
})

const send = (count: number, config: object = {}, options: RunOptions = {}) =>
  workshop.run(
    [
      { id: 'gen', type: 'generate', config: { count, fields: { n: 'n', text: "'t\"' || n" } } },
      { id: 'out', type: 'http', config: { url, ...config }, inputs: ['gen'] }
    ],
    options
  )

const numbersIn = ({ body }: Received) => (JSON.parse(body) as { n: number }[]).map(({ n }) => n)
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

test('records go out in batches, in order, each with a key of its own', async () => {
  const ran = await send(2500)
  assert.equal(ran.imbalance, 0)
  assert.equal(ran.ledger.recordsWritten, 2500)
  assert.deepEqual(
    received.map((one) => numbersIn(one).length),
    [1000, 1000, 500]
  )
  assert.deepEqual(received.flatMap(numbersIn), upTo(2500))
  assert.match(received[0]?.key ?? '', /^run_\d+-out-1-0$/)
  assert.equal(new Set(received.map(({ key }) => key)).size, 3)
})

test('as lines, with headers as given', async () => {
  await send(3, { format: 'ndjson', headers: { 'Content-Type': 'text/plain' } })
  assert.deepEqual(received[0]?.body, '{"n":0,"text":"t\\"0"}\n{"n":1,"text":"t\\"1"}\n{"n":2,"text":"t\\"2"}\n')
})

test('records that the server does not want are found, and no other is sent twice', async () => {
  const bad = new Set([3, 50, 51])
  const accepted: number[] = []
  statusOf = (one) => {
    const numbers = numbersIn(one)
    if (numbers.some((n) => bad.has(n))) return 422
    accepted.push(...numbers)
    return 200
  }
  const ran = await send(100, { batchRows: 40 })
  assert.equal(ran.imbalance, 0)
  assert.deepEqual(
    ran.deadLetters.map(({ code, record }) => [code, (JSON.parse(record) as { n: number }).n]),
    [...bad].map((n) => ['status_422', n])
  )
  assert.deepEqual(
    accepted,
    upTo(100).filter((n) => !bad.has(n))
  )
})

test('a record that can not be computed is found before others are sent, so that none is sent twice', async () => {
  const ran = await workshop.run([
    { id: 'gen', type: 'generate', config: { count: 5000, fields: { n: 'n' } } },
    {
      id: 'bad',
      type: 'map',
      config: { select: { n: "CASE WHEN n = 4000 THEN 'x' ELSE n::VARCHAR END::INTEGER" } },
      inputs: ['gen']
    },
    { id: 'out', type: 'http', config: { url, batchRows: 500 }, inputs: ['bad'] }
  ])
  assert.equal(ran.imbalance, 0)
  assert.deepEqual(
    ran.deadLetters.map(({ nodeId, record }) => [nodeId, JSON.parse(record)]),
    [['bad', { n: 4000 }]]
  )
  assert.deepEqual(
    received.flatMap(numbersIn),
    upTo(5000).filter((n) => n !== 4000)
  )
})

test('after an outage it goes on where it was, and what may have arrived has the same key', async () => {
  let down = 0
  const byKey = new Map<string, string>()
  statusOf = ({ key, body }) => {
    assert.equal(byKey.get(key) ?? body, body, 'another body with the same key')
    byKey.set(key, body)
    down += 1
    if (down === 2) return undefined
    if (down === 3) return 503
    return 200
  }
  const ran = await send(400, { batchRows: 100 })
  assert.equal(ran.end, 'completed')
  assert.equal(ran.imbalance, 0)
  assert.equal(received.length, 6)
  assert.equal(byKey.size, 4)
  assert.deepEqual(
    [...byKey.values()].flatMap((body) => numbersIn({ body } as Received)),
    upTo(400)
  )
})

test('a run that crashed before its commit sends the same with the same keys again', async () => {
  const crashed = send(
    10,
    {},
    {
      onCommit() {
        throw new Error('crash')
      }
    }
  )
  await assert.rejects(crashed)
  const [first] = received
  await send(10)
  assert.equal(received.at(-1)?.body, first?.body)
  assert.equal(received.at(-1)?.key.replace(/^run_\d+/, ''), first?.key.replace(/^run_\d+/, ''))
})

test('what only a change can help ends the run', async () => {
  for (const status of [401, 403, 404, 308]) {
    statusOf = () => status
    await assert.rejects(send(1, { headers: { authorization: 's3cret' } }), (error: Error) => {
      assert.equal((error as Error & { code: string }).code, `status_${status}`)
      assert.doesNotMatch(error.message, /s3cret/)
      return true
    })
  }
})

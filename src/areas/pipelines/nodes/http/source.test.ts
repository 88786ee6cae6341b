import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createOutbound } from '../../../../engines/outbound/index.ts'
import { openWorkshop, type RunOptions, type Workshop } from '../../testing/workshop.ts'
import { httpSource } from './source.ts'

let workshop: Workshop
let server: Server
let origin: string
let answer: (request: IncomingMessage & { body: string }, response: ServerResponse) => void
let asked: string[] = []

before(async () => {
  workshop = await openWorkshop()
  server = createServer((request, response) => {
    asked.push(request.url as string)
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => answer(Object.assign(request, { body }), response))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await workshop.close()
})

const json = (response: ServerResponse, value: unknown, status = 200, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))

function run(prefix: string, config: object, options: RunOptions = {}) {
  asked = []
  return workshop.run(
    [
      { id: 'in', type: 'http', config: { url: `${origin}/data`, ...config } },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'ndjson' }, inputs: ['in'] }
    ],
    options
  )
}

const numbers = (prefix: string) =>
  workshop.rows('SELECT n FROM objects ORDER BY n', prefix).then((rows) => rows.map(({ n }) => n))

test('records are found by a pointer, with headers and a body as given', async () => {
  answer = (request, response) => {
    assert.equal(request.headers.authorization, 'Bearer s3cret')
    assert.equal(request.method, 'POST')
    assert.equal(request.body, '{"q":1}')
    json(response, { data: { 'a/b': [{ n: 1 }, { n: 2 }, 3] } })
  }
  const config = { method: 'POST', body: '{"q":1}', headers: { authorization: 'Bearer s3cret' }, records: '/data/a~1b' }
  const ran = await run('pointer/', config)
  assert.equal(ran.end, 'completed')
  assert.equal(ran.imbalance, 0)
  assert.deepEqual(await workshop.rows('SELECT n, value FROM objects ORDER BY n', 'pointer/'), [
    { n: 1, value: null },
    { n: 2, value: null },
    { n: null, value: 3 }
  ])
})

test('lines that are no JSON become dead letters, and CSV has texts', async () => {
  answer = (_, response) => response.end('{"n":1}\nwhat\n{"n":2}\n')
  const lines = await run('lines/', { format: 'ndjson' })
  assert.deepEqual(
    lines.deadLetters.map(({ code, record }) => [code, record]),
    [['not_json', 'what']]
  )
  assert.deepEqual(await numbers('lines/'), [1, 2])
  answer = (_, response) => response.end('name,note\r\n"a, ""b""",\r\nc,"two\nlines"\r\nd,e,f\r\n')
  const csv = await run('csv/', { format: 'csv' })
  assert.deepEqual(
    csv.deadLetters.map(({ code }) => code),
    ['too_many_fields']
  )
  assert.deepEqual(await workshop.rows('SELECT name, note FROM objects ORDER BY name', 'csv/'), [
    { name: 'a, "b"', note: null },
    { name: 'c', note: 'two\nlines' }
  ])
})

const ITEMS = Array.from({ length: 10 }, (_, i) => ({ n: i + 1 }))

/** Pages of two, newest first, of what is newer than `since`; those after `last` do not exist yet. */
function pages(last: () => number) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url as string, origin)
    const since = Number(url.searchParams.get('since') ?? 0)
    const from = Number(url.searchParams.get('from') ?? 0)
    const items = ITEMS.filter(({ n }) => n > since && n <= last()).reverse()
    const next =
      from + 2 < items.length ? `?${new URLSearchParams({ since: String(since), from: String(from + 2) })}` : null
    json(response, { items: items.slice(from, from + 2), links: { next } })
  }
}

const paged = { records: '/items', next: '/links/next', cursor: { parameter: 'since', field: 'n' } }

test('pages are followed, and the next run asks for what is newer', async () => {
  let last = 5
  answer = pages(() => last)
  const first = await run('paged/', paged)
  assert.deepEqual(asked, ['/data', '/data?since=0&from=2', '/data?since=0&from=4'])
  last = 7
  const second = await run('paged/', paged, { checkpoint: first.checkpoint, runNumber: 2 })
  assert.deepEqual(asked, ['/data?since=5'])
  assert.equal(second.ledger.recordsRead, 2)
  const third = await run('paged/', paged, { checkpoint: second.checkpoint, runNumber: 3 })
  assert.deepEqual(asked, ['/data?since=7'])
  assert.equal(third.ledger.recordsRead, 0)
  assert.deepEqual(await numbers('paged/'), [1, 2, 3, 4, 5, 6, 7])
})

test('a run that is broken off between pages goes on with the page after, once', async () => {
  let stop = () => {}
  answer = (request, response) => {
    if (request.url?.endsWith('from=6')) stop()
    pages(() => 10)(request, response)
  }
  const { checkpoint, end } = await run('broken-off/', paged, {
    with(run) {
      stop = () => run.stop()
    }
  })
  assert.equal(end, 'stopped')
  const position = checkpoint?.positions.in as { page: string } | undefined
  stop = () => {}
  await run('broken-off/', paged, { checkpoint, runNumber: 2 })
  assert.equal(origin + asked[0], position?.page)
  assert.deepEqual(await numbers('broken-off/'), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('where the page of an earlier run is gone, its poll begins again', async () => {
  let stop = () => {}
  let isGone = false
  answer = (request, response) => {
    if (request.url?.endsWith('from=6')) stop()
    if (isGone && request.url?.includes('from=')) json(response, {}, 410)
    else pages(() => 10)(request, response)
    if (isGone) isGone = !request.url?.includes('from=')
  }
  const { checkpoint } = await run('gone/', paged, {
    with(run) {
      stop = () => run.stop()
    }
  })
  stop = () => {}
  isGone = true
  await run('gone/', paged, { checkpoint, runNumber: 2 })
  assert.equal(asked[1], '/data')
  assert.deepEqual([...new Set(await numbers('gone/'))], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('a server that is away, busy or broken is asked again; Retry-After is waited for', async () => {
  const statuses = [503, 429]
  const times: number[] = []
  answer = (_, response) => {
    times.push(performance.now())
    const status = statuses.shift()
    if (status === undefined) json(response, [{ n: 1 }])
    else json(response, {}, status, status === 429 ? { 'retry-after': '1' } : {})
  }
  const ran = await run('away/', {})
  assert.equal(ran.end, 'completed')
  assert.equal(times.length, 3)
  assert.ok((times[2] as number) - (times[1] as number) >= 990, 'did not wait')
  assert.deepEqual(
    ran.log.map(({ message }) => /\((\w+)\)/.exec(message)?.[1]),
    ['status_503', 'status_429']
  )
})

test('what only a change can help ends the run and says why', async () => {
  const fails = async (config: object, code: string) => {
    await assert.rejects(run('fatal/', { headers: { authorization: 'Bearer s3cret' }, ...config }), (error: Error) => {
      assert.equal((error as Error & { code: string }).code, code)
      assert.doesNotMatch(error.message, /s3cret/)
      return true
    })
  }
  answer = (_, response) => json(response, {}, 401)
  await fails({}, 'status_401')
  answer = (_, response) => json(response, {}, 302, { location: 'http://127.0.0.1/' })
  await fails({}, 'status_302')
  answer = (_, response) => json(response, { items: [], next: 'http://other.example/page' })
  await fails({ records: '/items', next: '/next' }, 'foreign_page')
  answer = (_, response) => json(response, { items: [], next: '/data' })
  await fails({ records: '/items', next: '/next' }, 'too_many_pages')
  assert.equal(asked.length, 1000)
})

test('private addresses are refused where they are not allowed', async () => {
  const outbound = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
  const context = {
    config: { url: `${origin}/data` },
    outbound: async () => outbound,
    now: Date.now,
    elapsed: () => 0,
    expectedColumns: []
  }
  const source = await httpSource.open(context as never)
  await assert.rejects(source.next({ waitMs: 10, signal: new AbortController().signal }), {
    kind: 'fatal',
    code: 'refused_by_policy'
  })
  await outbound.close()
})

test('with an interval it goes on asking until it is stopped', async () => {
  let last = 1
  answer = (request, response) => {
    pages(() => last)(request, response)
    last = Math.min(last + 1, 4)
  }
  const ran = await run(
    'polled/',
    { ...paged, interval: '10ms' },
    {
      with(run) {
        const timer = setInterval(() => {
          if (asked.includes('/data?since=4')) {
            clearInterval(timer)
            run.stop()
          }
        }, 10)
      }
    }
  )
  assert.equal(ran.end, 'stopped')
  assert.deepEqual(await numbers('polled/'), [1, 2, 3, 4])
})

test('faults of the configuration are told by their place', () => {
  const faults = (config: object) =>
    httpSource.check?.({ url: 'http://a.example/', ...config } as never).map(({ pointer }) => pointer)
  assert.deepEqual(faults({}), [])
  assert.deepEqual(faults({ url: 'ftp://a.example/' }), ['/url'])
  assert.deepEqual(faults({ url: 'http://user:secret@a.example/' }), ['/url'])
  assert.deepEqual(faults({ interval: '1y' }), ['/interval'])
  assert.deepEqual(faults({ format: 'csv', records: '/a', next: '/b' }), ['/records', '/next'])
  assert.deepEqual(faults({ body: 'x' }), ['/body'])
})

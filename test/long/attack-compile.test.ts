// Once: it is about what is computed, which no database has to do with.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { openSite, type Site } from '../support/pipelines/site.ts'
import { type Pulse, startPulse } from '../support/pulse.ts'
import { assertMs } from '../support/yardstick.ts'

/** What nobody notices, and some times what a call takes on this machine without an attack, which may be busy with other things. */
const MAX_WAIT_MS = 1000
const TIMES_IDLE = 4
/** What else runs on the machine only ever makes it slower, so the best of so many counts. */
const ROUNDS = 3
const MAX_GROWTH_BYTES = 200 * 1024 * 1024
const ANSWER_LIMIT_MS = 45_000

const list = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n))
const named = (length: number, make: (n: number) => unknown, prefix = 'p') =>
  Object.fromEntries(list(length, (n) => [`${prefix}${n}`, make(n)]))
const nested = (depth: number, open: string, inner: string, close: string) =>
  open.repeat(depth) + inner + close.repeat(depth)

const wide = { type: 'object', properties: named(150, () => ({ type: 'string', minLength: 1 })) }

/** Short texts that stand for much. */
const SCHEMAS: Record<string, object> = {
  'many references to one wide object': {
    $defs: { wide },
    properties: named(300, () => ({ $ref: '#/$defs/wide' }))
  },
  'references in stairs': {
    $ref: '#/$defs/p0',
    $defs: named(60, (n) =>
      n === 59 ? { type: 'string' } : { allOf: [{ $ref: `#/$defs/p${n + 1}` }, { $ref: `#/$defs/p${n + 1}` }] }
    )
  },
  'references in a crowd': {
    properties: named(200, (n) => ({
      anyOf: list(5, (k) => ({ $ref: `#/properties/p${(n * 7 + k) % 200}` })),
      unevaluatedProperties: false
    }))
  },
  'alternatives without number': {
    anyOf: list(700, (n) => ({ required: [`r${n}`], properties: { [`r${n}`]: { const: n } } })),
    unevaluatedProperties: false
  },
  'much nesting': JSON.parse(nested(28, '{"properties":{"a":', '{"type":"string"}', '}}')),
  'patterns that never end': {
    type: 'object',
    properties: { a: { type: 'string', pattern: '^(a+)+$' }, b: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
    patternProperties: { '^(a+)+$': { type: 'integer' }, '(a|aa)+$': { type: 'string' } },
    additionalProperties: false
  },
  'patterns without number': { properties: named(600, (n) => ({ pattern: `^(a|b${n})*[^x-z]{2,9}$` })) },
  'a long list of values': { enum: list(9000, (n) => `v${n}`) }
}

const LONG_NAMES = { [`${'a'.repeat(40)}!`]: 1, a: `${'a'.repeat(60)}!`, b: 'a'.repeat(60) }

const avro = (depth: number): unknown =>
  depth === 0 ? 'int' : ['null', { type: 'record', name: `R${depth}`, fields: [{ name: 'a', type: avro(depth - 1) }] }]

const OTHER_SCHEMAS: Record<string, [type: string, schema: string]> = {
  'Avro within Avro': ['avro', JSON.stringify(avro(20))],
  'an Avro union of a thousand': [
    'avro',
    JSON.stringify(list(1000, (n) => ({ type: 'record', name: `A${n}`, fields: [{ name: 'a', type: 'int' }] })))
  ],
  'Protobuf of many messages': [
    'protobuf',
    `syntax = "proto3";${list(2000, (n) => `message M${n} { M${(n + 1) % 2000} a = 1; }`).join('')}`
  ],
  'Protobuf of one long text': ['protobuf', `syntax = "proto3"; option x = "${'a'.repeat(900_000)}`],
  'braces to the limit': ['json', nested(60, '{"items":', 'true', '}')],
  'ten megabytes': ['json', `{"description":"${'x'.repeat(10_000_000)}"}`]
}

const YAMLS: Record<string, string> = {
  'aliases of aliases': `${list(15, (n) => `a${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1},*a${n - 1}`}]`).join('\n')}\n`,
  'much indentation': list(2000, (n) => `${' '.repeat(n % 400)}- a`).join('\n'),
  'a megabyte of brackets': '['.repeat(1_000_000),
  'a megabyte of keys': list(60_000, (n) => `k${n}: "v"`).join('\n'),
  'a megabyte of JSON': JSON.stringify(list(200_000, () => ({}))),
  'ten megabytes': 'a: b\n'.repeat(2_000_000)
}

const SQL: Record<string, string> = {
  'a long expression': list(20_000, (n) => `n${n}`).join(' + '),
  parentheses: nested(5000, '(', '1', ')'),
  'a pattern that never ends': "regexp_matches(repeat('a', 60) || '!', '^(a+)+$')",
  'a large constant': "repeat('x', 2000000000)"
}

describe('what is computed of the texts of users', { timeout: 1_500_000 }, () => {
  let site: Site
  let pulse: Pulse
  let idleMs = 0
  let idleBytes = 0
  let schemaId = ''
  let pipelineId = ''

  before(async () => {
    site = await openSite({ PIPELINE_PROCESSES: '1' })
    pulse = startPulse(`${site.server.url}/api/health/live`)
    // What is loaded with the first question is there before anything is measured.
    schemaId = (await site.client.post('/schemas', { name: 'kept', type: 'json', schema: wide })).id
    pipelineId = await site.make('kept', nodesWith({ schema: wide }))
    for (const schema of Object.values(SCHEMAS).slice(4, 5))
      await send('POST', '/pipelines', { name: 'w', nodes: nodesWith({ schema }) })
    await send('POST', '/schemas', { name: 'large', type: 'json', schema: { $comment: 'x'.repeat(20_000) } })
    await pulse.longestMs()
    idleMs = await pulse.longestMs()
    idleBytes = residentBytes()
  })
  after(async () => {
    await pulse.stop()
    await site.close()
  })

  const nodesWith = (config: object, expression = 'a') => [
    { id: 'in', type: 'webhook', config: {} },
    { id: 'm', type: 'map', config: { select: { a: expression }, keep: true }, inputs: ['in'] },
    { id: 'v', type: 'validate', config, inputs: ['m'] },
    { id: 'out', type: 'http', config: { url: 'http://127.0.0.1:9/' }, inputs: ['v'] }
  ]

  const residentBytes = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${site.server.pid}/status`, 'utf8'))?.[1]) * 1024

  async function send(method: string, path: string, body: unknown, type = 'application/json'): Promise<number> {
    const response = await fetch(`${site.server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${site.token}`, 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS)
    }).catch((error) => {
      // A body that is too large may be answered before it is read, and the connection closed.
      if (error.name === 'TimeoutError') throw error
      return { status: 413, arrayBuffer: async () => undefined }
    })
    await response.arrayBuffer()
    return response.status
  }

  /** Sends texts at once, and answers that nobody else had to wait for them. */
  async function attack(name: string, calls: readonly (() => Promise<number>)[]): Promise<void> {
    const limitMs = MAX_WAIT_MS + idleMs * TIMES_IDLE
    let bestMs = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS && bestMs >= limitMs; round++) {
      await pulse.longestMs()
      const statuses = await Promise.all(calls.map((call) => call()))
      bestMs = Math.min(bestMs, await pulse.longestMs())
      assert.ok(
        statuses.every((status) => status < 500 || status === 503 || status === 504),
        `${name}: ${statuses}`
      )
    }
    assertMs(bestMs, limitMs)
    const grownBytes = residentBytes() - idleBytes
    assert.ok(grownBytes < MAX_GROWTH_BYTES, `${name}: the server grew by ${grownBytes} bytes`)
  }

  for (const [name, schema] of Object.entries(SCHEMAS)) {
    it(`holds nobody up: ${name}`, async () => {
      const nodes = nodesWith({ schema })
      const twice = { ...schema, description: name }
      const registered = { name, type: 'json', schema }
      await attack(name, [
        () => send('POST', '/pipelines', { name, nodes }),
        () => send('PUT', `/pipelines/${pipelineId}`, { nodes }),
        () => send('POST', '/pipelines/preview', { nodes, samples: { in: [LONG_NAMES] } }),
        () => send('POST', '/pipelines/import', { name: `${name} 2`, nodes }),
        () => send('POST', '/schemas', registered),
        () => send('POST', `/schemas/${schemaId}/compatibility`, { schema }),
        () => send('POST', '/schemas/infer', { records: list(20, () => schema), type: 'json' })
      ])
      const { schemas } = await site.client.get(`/schemas?limit=100`)
      const id = schemas?.find((one: { name: string }) => one.name === name)?.id
      if (id === undefined) return
      const nodesById = nodesWith({ schemaId: id })
      await attack(`${name}, registered`, [
        () => send('POST', `/schemas/${id}/versions`, { schema: twice }),
        () => send('POST', `/schemas/${id}/compatibility`, { schema: { ...twice, title: 'again' } }),
        () => send('POST', `/schemas/${id}/versions/1/validate`, { records: [LONG_NAMES] }),
        () => fetchStatus(`/schemas/${id}/versions/1/example?count=10`),
        () => fetchStatus(`/schemas/${id}/versions/1/convert?to=avro`),
        () => send('POST', '/pipelines', { name: `${name} 3`, nodes: nodesById }),
        () => send('POST', '/pipelines/preview', { nodes: nodesById, samples: { in: [LONG_NAMES] } })
      ])
    })
  }

  const fetchStatus = async (path: string) => {
    const response = await fetch(`${site.server.url}/api${path}`, {
      headers: { authorization: `Bearer ${site.token}` },
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS)
    })
    await response.arrayBuffer()
    return response.status
  }

  for (const [name, [type, schema]] of Object.entries(OTHER_SCHEMAS)) {
    it(`holds nobody up: ${name}`, () =>
      attack(name, [
        () => send('POST', '/schemas', { name, type, schema }),
        () => send('POST', `/schemas/${schemaId}/compatibility`, { type, schema }),
        () => send('POST', '/pipelines', { name, nodes: nodesWith({ schema }) })
      ]))
  }

  for (const [name, text] of Object.entries(YAMLS)) {
    it(`holds nobody up: YAML with ${name}`, () =>
      attack(name, [
        () => send('POST', '/pipelines/import', text, 'application/yaml'),
        () => send('POST', '/pipelines/import', text, 'application/json')
      ]))
  }

  for (const [name, text] of Object.entries(SQL)) {
    it(`holds nobody up: SQL with ${name}`, () =>
      attack(name, [
        () => send('POST', '/pipelines', { name, nodes: nodesWith({ schema: {} }, text) }),
        () =>
          send('POST', '/pipelines/preview', {
            nodes: nodesWith({ schema: {} }, text),
            samples: { in: [LONG_NAMES] }
          })
      ]))
  }

  it('holds nobody up with a body at the limit that is all names', async () => {
    const config = named(30_000, (n) => n)
    const nodes = [
      ...nodesWith({ schema: {} }),
      ...list(150, (n) => ({ id: `x${n}`, type: 'filter', config: named(100, (k) => k) }))
    ]
    await attack('many names', [
      () => send('POST', '/pipelines', { name: 'names', nodes: nodesWith(config) }),
      () => send('POST', '/pipelines', { name: 'faults', nodes }),
      () =>
        send('POST', '/pipelines/preview', {
          nodes: nodesWith({ schema: {} }),
          samples: { in: list(1000, () => LONG_NAMES) }
        }),
      () => send('POST', '/pipelines/preview', { nodes: nodesWith({ schema: {} }), samples: { in: [config] } })
    ])
  })
})

// Once: what is kept of a secret is decided before any database is asked.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createVault } from '../../../engines/vault/index.ts'
import { Problem } from '../../../errors.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { keepSecrets } from './keep-secrets.ts'
import { hideSecrets, MASK, revealSecrets } from './secrets.ts'

const vault = createVault(['a secret that is long enough for a vault'])
const ID = 'pl_1'

/** A spelling of a place, and what it is called here: the same for spellings that mean the same. */
type Spelt<T> = readonly [value: T, place: string]

const urls: readonly Spelt<string>[] = [
  ['https://plant.example/in', 'plant'],
  ['https://PLANT.example:443/out?x=1', 'plant'],
  ['https://plant.example.', 'plant'],
  ['http://plant.example/in', 'plant in the clear'],
  ['https://plant.example:8443/in', 'plant at 8443'],
  ['https://plant.example.thief.example/in', 'thief'],
  ['https://thief.example/https://plant.example/', 'other thief'],
  ['http://10.0.0.1/', 'ten'],
  ['http://0x0a000001:80/', 'ten']
]
const hosts: readonly Spelt<string>[] = [
  ['plant.example', 'plant'],
  ['Plant.Example.', 'plant'],
  ['thief.example', 'thief'],
  ['::1', 'self'],
  ['[0:0:0:0:0:0:0:1]', 'self']
]
const users: readonly Spelt<string | undefined>[] = [
  [undefined, 'nobody'],
  ['ada', 'ada'],
  ['Ada', 'Ada']
]
const flags: readonly Spelt<boolean | undefined>[] = [
  [undefined, 'clear'],
  [false, 'clear'],
  [true, 'encrypted']
]

const pick = <T>(spellings: readonly Spelt<T>[]) => fc.constantFrom(...spellings)

/** A configuration without its secret; where it goes, and all that it may go to. */
interface Drawn {
  readonly type: string
  readonly config: Record<string, unknown>
  readonly place: string
  readonly among: readonly string[]
}

const http: fc.Arbitrary<Drawn> = pick(urls).map(([url, place]) => {
  return { type: 'http', config: { url }, place: 'http', among: [place] }
})

const USUAL_PORTS = { postgres: 5432, mysql: 3306, clickhouse: 8123 } as const
const sql: fc.Arbitrary<Drawn> = fc
  .record({
    kind: fc.constantFrom('postgres', 'mysql', 'clickhouse'),
    host: pick(hosts),
    port: fc.constantFrom(undefined, 5432, 3306, 8123, 8443),
    user: pick(users),
    tls: pick(flags),
    database: fc.constantFrom('a', 'b')
  })
  .map(({ kind, host, port, user, tls, database }) => {
    const usual = kind === 'clickhouse' && tls[0] ? 8443 : USUAL_PORTS[kind]
    const connection = { kind, host: host[0], database, ...given({ port, user: user[0], tls: tls[0] }) }
    const place = ['sql', kind, port ?? usual, user[1], tls[1]].join()
    return { type: 'sql', config: { connection, table: 't' }, place, among: [host[1]] }
  })

const BROKER_PORTS = { mqtt: 1883, nats: 4222, kafka: 9092 } as const
const broker: fc.Arbitrary<Drawn> = fc
  .record({
    type: fc.constantFrom('mqtt', 'nats', 'kafka'),
    hosts: fc.array(fc.tuple(pick(hosts), fc.constantFrom(undefined, 1883, 4222, 8883)), {
      minLength: 1,
      maxLength: 3
    }),
    user: pick(users),
    tls: pick(flags),
    sasl: fc.constantFrom(undefined, 'plain', 'scram-sha-512')
  })
  .map(({ type, hosts: chosen, user, tls, sasl }) => {
    const usual = type === 'mqtt' && tls[0] ? 8883 : BROKER_PORTS[type]
    const texts = chosen.map(([[host], port]) => (port === undefined ? host : `${bracketed(host)}:${port}`))
    const how = type === 'kafka' ? sasl : undefined
    const connection = { hosts: texts, ...given({ user: user[0], tls: tls[0], sasl: how }) }
    const among = chosen.map(([[, place], port]) => `${place} ${port ?? usual}`)
    const place = [type, user[1], tls[1], how ?? 'plain'].join()
    return { type, config: { connection, topics: ['t'], topic: 't' }, place, among }
  })

const bracketed = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** A few configurations, so that edits often come back to one of them. */
const pools = fc.oneof(
  ...[http, sql, broker, fc.oneof(http, sql, broker)].map((one) => fc.array(one, { minLength: 1, maxLength: 3 }))
)

/** Changes of a pipeline of a source and a sink: which node is which, what they are, and what is sent anew. */
const histories = pools.chain((pool) =>
  fc.array(
    fc.record({
      ids: fc.constantFrom(['a', 'b'], ['a', 'b'], ['b', 'a'], ['a', 'c']),
      source: fc.constantFrom(...pool),
      sink: fc.constantFrom(...pool),
      anew: fc.tuple(fc.boolean(), fc.boolean()),
      header: fc.constantFrom('authorization', 'authorization', 'x-key')
    }),
    { minLength: 2, maxLength: 8 }
  )
)

/** What a secret says here: where it was given for. */
type Place = Pick<Drawn, 'place' | 'among'> & { readonly node: string }
type Side = Drawn & Place

function withSecret({ type, config }: Drawn, secret: string, header: string): Record<string, unknown> {
  if (type === 'http') return { ...config, headers: { [header]: secret } }
  return { ...config, connection: { ...(config.connection as object), password: secret } }
}

function secretIn({ config }: PipelineNode): string {
  const { headers, connection } = config as {
    headers?: Record<string, string>
    connection?: { password: string }
  }
  return connection?.password ?? (Object.values(headers ?? {})[0] as string)
}

describe('a secret of a pipeline', () => {
  it('is only ever used with a place that it was given with, whatever is edited, and stays where nothing changed', () => {
    let kept = 0
    fc.assert(
      fc.property(histories, (edits) => {
        let version: { nodes: string; secrets: string | null } = { nodes: '[]', secrets: null }
        let before: readonly Side[] = []
        for (const { ids, source, sink, anew, header } of edits) {
          const sides = [source, sink].map((side, i) => {
            const node = `${ids[i]} ${i} ${side.type === 'http' ? header : ''}`
            return { ...side, node, id: ids[i] as string }
          })
          const nodes = sides.map((side, i): PipelineNode => {
            const { place, among, node } = side
            const secret = anew[i] ? JSON.stringify({ place, among, node } satisfies Place) : MASK
            const config = withSecret(side, secret, header)
            return { id: side.id, type: side.type, config, inputs: i === 0 ? [] : [ids[0] as string] }
          })
          const mayStay = sides.map((side, i) => anew[i] || before.some((one) => isWithin(side, one)))
          let sent: PipelineNode[]
          try {
            sent = keepSecrets(vault, ID, nodes, version)
          } catch (error) {
            assert.ok(error instanceof Problem && ['secret_bound', 'invalid_request'].includes(error.code))
            assert.ok(mayStay.includes(false), `nothing changed: ${JSON.stringify(error.errors)}`)
            continue
          }
          sent.forEach((node, i) => {
            const givenFor = JSON.parse(secretIn(node)) as Place
            assert.ok(isWithin(sides[i] as Side, givenFor), JSON.stringify([node, sides[i]]))
            if (!anew[i]) kept += 1
          })
          const { nodes: hidden, sealed } = hideSecrets(vault, ID, sent)
          version = { nodes: JSON.stringify(hidden), secrets: sealed }
          assert.deepEqual(revealSecrets(vault, ID, version), sent)
          before = sides
        }
      }),
      { numRuns: 600 }
    )
    assert.ok(kept > 100, `only ${kept} were kept`)
  })
})

/** Whether a secret that was given for the one place, in that field of that node, may go to the other. */
function isWithin(asked: Place, givenFor: Place): boolean {
  const isSame = asked.place === givenFor.place && asked.node === givenFor.node
  return isSame && asked.among.every((one) => givenFor.among.includes(one))
}

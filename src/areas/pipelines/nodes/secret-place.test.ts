import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NodeType } from '../contract/node-type.ts'
import { NODE_TYPES } from './index.ts'

/** Fields of types with secrets that say nothing of where these go. Whoever adds a field decides which kind it is. */
const INDIFFERENT: Readonly<Record<string, readonly string[]>> = {
  http: [
    ...['method', 'body', 'format', 'records', 'next', 'cursor.parameter', 'cursor.field', 'interval', 'batchRows'],
    ...['columns', 'schemaId', 'version']
  ],
  sql: [
    'connection.database', // of the same server, as the same user
    ...['connectorId', 'query', 'table', 'cursor', 'interval', 'mode', 'keys', 'create', 'truncate']
  ],
  mqtt: ['topics', 'topic', 'qos', 'group', 'format', 'columns', 'schemaId', 'version', 'metadata'],
  nats: ['topics', 'topic', 'stream', 'from', 'group', 'format', 'columns', 'schemaId', 'version', 'metadata'],
  kafka: ['topics', 'topic', 'key', 'from', 'group', 'format', 'columns', 'schemaId', 'version', 'metadata'],
  mask: ['columns']
}

const SECRET_NAME = /password|secret|salt|token|credential|headers|passphrase|private/i

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Dotted paths of all that a configuration can say. */
function leaves({ properties }: Schema, path = ''): string[] {
  return Object.entries(properties ?? {}).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`
    return inner.properties === undefined ? [at] : leaves(inner, at)
  })
}

const withSecrets = NODE_TYPES.filter(({ secrets }) => secrets !== undefined)
const label = ({ role, type }: NodeType) => `${role} ${type}`

describe('where secrets of nodes go', () => {
  it('is said by each type that has one', () => {
    assert.ok(withSecrets.length >= 11, withSecrets.map(label).join())
    for (const type of withSecrets) {
      for (const [path, goesTo] of Object.entries(type.secrets ?? {})) {
        if (goesTo === 'nowhere') assert.equal(`${label(type)} ${path}`, 'transform mask salt')
        else assert.ok(Object.keys(goesTo).length > 0, `${label(type)}: where does ${path} go?`)
      }
    }
  })

  it('has been decided for every field beside a secret', () => {
    for (const type of withSecrets) {
      const paths = leaves(type.config as Schema)
      const secrets = Object.keys(type.secrets ?? {})
      const places = Object.values(type.secrets ?? {}).flatMap((goesTo) =>
        Object.keys(goesTo === 'nowhere' ? {} : goesTo)
      )
      for (const path of paths) {
        const isDecided = secrets.includes(path) || places.includes(path) || INDIFFERENT[type.type]?.includes(path)
        assert.ok(isDecided, `${label(type)}: does ${path} say where ${secrets} goes? Say so in secrets, or here`)
      }
      const isConnection = (path: string) => path !== 'connection.sasl' // only Kafka's
      for (const path of places.filter(isConnection)) assert.ok(paths.includes(path), `${label(type)} has no ${path}`)
    }
  })

  it('is asked of every field that sounds like a secret', () => {
    for (const type of NODE_TYPES) {
      const named = leaves(type.config as Schema).filter((path) => SECRET_NAME.test(path.split('.').at(-1) as string))
      for (const path of named) assert.ok(type.secrets?.[path] !== undefined, `${label(type)}: ${path} is no secret`)
    }
  })
})

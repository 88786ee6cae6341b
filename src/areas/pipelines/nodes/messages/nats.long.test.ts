import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { missingNats, startNats } from '../../../../../test/support/servers/nats.ts'
import { hasRead } from '../../testing/messages-promises.ts'
import { messagesSuite } from '../../testing/messages-suite.ts'
import { natsSource } from './nats-source.ts'

const streamOf = (topic: string) => `stream-of-${topic}`

messagesSuite(
  'JetStream',
  {
    kind: 'nats',
    missing: missingNats(),
    hasPositions: true,
    async start(folder) {
      const server = await startNats(folder)
      const { host, port } = server
      return { host, port, away: () => server.stop(), back: () => server.restart(), stop: () => server.stop() }
    },
    async prepare(hosts, topic) {
      const client = await connect({ servers: [...hosts] })
      const manager = await jetstreamManager(client)
      await manager.streams.add({ name: streamOf(topic), subjects: [topic] })
      await client.close()
    },
    source: (topic) => ({ stream: streamOf(topic), from: 'earliest' }),
    sink: (topic) => ({ stream: streamOf(topic) })
  },
  ({ newTopic, publish, receive, workshop }) => {
    test('without a stream, what is sent while it listens is received', async () => {
      const topic = await newTopic()
      const subject = `core.${topic}`
      await receive('core.*', 'core/', hasRead(2), {
        config: { stream: undefined, from: undefined, group: undefined, metadata: true },
        onOpen: () => publish(subject, ['{"n":1}', '[{"n":2}]'])
      })
      assert.deepEqual(await workshop().rows('SELECT n, _topic FROM objects ORDER BY n', 'core/'), [
        { n: 1, _topic: subject },
        { n: 2, _topic: subject }
      ])
    })

    test('a stream that is not there ends the run, which says so', async () => {
      const config = { stream: 'nobody' }
      await assert.rejects(
        receive('x', 'nobody/', () => true, { config }),
        { kind: 'fatal', code: 'not_found' }
      )
    })

    test('faults of the configuration are told by their place', () => {
      const faults = (config: object) => natsSource.check?.(config as never).map(({ pointer }) => pointer)
      assert.deepEqual(faults({}), [])
      assert.deepEqual(faults({ from: 'earliest' }), ['/from'])
      assert.deepEqual(faults({ format: 'csv' }), ['/columns'])
      assert.deepEqual(faults({ columns: ['a'] }), ['/columns'])
    })
  }
)

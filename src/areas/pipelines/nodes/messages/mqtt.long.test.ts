import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingMosquitto, startMosquitto } from '../../../../../test/support/servers/mosquitto.ts'
import { hasRead } from '../../testing/messages-promises.ts'
import { messagesSuite } from '../../testing/messages-suite.ts'

messagesSuite(
  'MQTT',
  {
    kind: 'mqtt',
    missing: missingMosquitto(),
    hasPositions: false,
    async start(folder) {
      const server = await startMosquitto(folder)
      const { host, port } = server
      return { host, port, away: () => server.stop(), back: () => server.restart(), stop: () => server.stop() }
    }
  },
  ({ newTopic, publish, receive, send, workshop }) => {
    test('CSV and text, with columns as given', async () => {
      const topic = await newTopic()
      const csv = await receive(topic, 'csv/', hasRead(3), {
        config: { format: 'csv', columns: ['a', 'b'] },
        onOpen: () => publish(topic, ['1,"x, y"\n2,', '3,4,5'])
      })
      assert.deepEqual(
        csv.deadLetters.map(({ code }) => code),
        ['too_many_fields']
      )
      assert.deepEqual(await workshop().rows('SELECT a::VARCHAR AS a, b FROM objects ORDER BY a', 'csv/'), [
        { a: '1', b: 'x, y' },
        { a: '2', b: null }
      ])
      await receive(topic, 'text/', hasRead(1), {
        config: { format: 'text', group: 'text' },
        onOpen: () => publish(topic, ['just { text'])
      })
      assert.deepEqual(await workshop().rows('SELECT value FROM objects', 'text/'), [{ value: 'just { text' }])
    })

    test('a record that is too large for the broker becomes a dead letter, and all others go', async () => {
      const topic = await newTopic()
      const fields = { n: 'n', text: "repeat('x', CASE WHEN n = 5 THEN 2000000 ELSE 1 END)" }
      const sent = await send(topic, { count: 10, fields })
      assert.equal(sent.imbalance, 0)
      assert.equal(sent.ledger.recordsWritten, 9)
      assert.deepEqual(
        sent.deadLetters.map(({ code }) => code),
        ['too_large']
      )
    })
  }
)

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type KafkaMock, missingKafkaMock, startKafkaMock } from '../../../../test/support/servers/kafka-mock.ts'
import { makeFolder, removeFolder, runProgram } from '../../../../test/support/servers/service.ts'
import { createOutbound } from '../../outbound/index.ts'
import { type Broker, type Message, openBroker } from '../index.ts'
import { receive, texts } from '../testing/receiving.ts'

describe('what librdkafka has written is read', { skip: missingKafkaMock() ?? false }, () => {
  const folder = makeFolder('compression')
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  let server: KafkaMock
  let broker: Broker
  before(async () => {
    server = await startKafkaMock(folder)
    broker = await openBroker({ kind: 'kafka', hosts: [`127.0.0.1:${server.port}`] }, { outbound })
  })
  after(async () => {
    await broker.close()
    await outbound.close()
    await server.stop()
    removeFolder(folder)
  })
  const written = async (name: string, content: string, ...settings: string[]) => {
    const relay = await server.relay({})
    const file = join(folder, name)
    writeFileSync(file, content)
    const args = ['-P', '-b', `127.0.0.1:${relay.port}`, '-t', name, '-l', ...settings, file]
    await runProgram({ command: 'kcat', args, folder })
    return relay.received
  }
  const readAll = async (topic: string, count: number) => {
    const consumer = await broker.consume({ topics: [topic], group: topic, from: 'earliest' })
    const messages = await receive(consumer, count)
    await consumer.acknowledge(messages.at(-1) as Message)
    await consumer.close()
    return messages
  }

  for (const codec of ['gzip', 'snappy', 'lz4', 'zstd']) {
    test(`compressed with ${codec}`, async () => {
      const lines = Array.from({ length: 3000 }, (_, i) => `${i} ${'grain of every mill '.repeat(1 + (i % 20))}`)
      const content = lines.join('\n')
      const settings = ['-X', `compression.codec=${codec}`, '-X', 'linger.ms=200', '-p', '1']
      const sent = await written(codec, content, ...settings)
      assert.ok(sent < content.length / 2, `${sent} bytes were sent for ${content.length}`)
      const messages = await readAll(codec, lines.length)
      assert.deepEqual(texts(messages), lines)
      assert.deepEqual(messages.at(-1)?.position, { of: `${codec}/1`, at: '3000' })
    })
  }

  test('with keys, headers, times and without a value', async () => {
    await written('parts', 'one:first\ntwo:\nthree:third', '-K', ':', '-Z', '-H', 'kind=grain', '-p', '2')
    const messages = await readAll('parts', 3)
    assert.deepEqual(
      messages.map(({ key }) => key),
      ['one', 'two', 'three']
    )
    assert.deepEqual(texts(messages), ['first', '', 'third'])
    for (const { timeMs } of messages) assert.ok(Math.abs(Date.now() - (timeMs ?? 0)) < 600_000)
  })

  test('from where there is something, if what was to come next is not there', async () => {
    await written('moved', 'one\ntwo', '-p', '0')
    const options = { topics: ['moved'], group: 'moved', from: 'earliest', positions: { 'moved/0': '1000' } } as const
    const consumer = await broker.consume(options)
    assert.deepEqual(texts(await receive(consumer, 2)), ['one', 'two'])
    await consumer.close()
  })
})

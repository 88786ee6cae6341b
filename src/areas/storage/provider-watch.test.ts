import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { createLog } from '../../engines/log.ts'
import { StoreError } from '../../engines/objects/index.ts'
import { ProviderWatch } from './provider-watch.ts'

const body = (name: string) => ({
  name,
  type: 'store-local',
  endpoint: '127.0.0.1',
  port: 1,
  useTls: false,
  credentials: { accessKey: 'a'.repeat(20), secretKey: 'b'.repeat(40) }
})

it('providers that do not do as they should are named by id, and logged when that begins and ends', async () => {
  const test = await startTestApp()
  try {
    const ids: string[] = []
    for (let number = 0; number < 5; number++) {
      const made = await test.call('POST', '/api/storage/providers', { as: 'admin', body: body(`far ${number}`) })
      assert.equal(made.status, 201, made.text)
      ids.push(made.body.id)
    }
    ids.sort()
    const [other, ...away] = ids
    const clock = new ManualClock()
    const lines: string[] = []
    let looks = 0
    const faults = new Map<string, Error>(away.map((id) => [id, new StoreError('connection_refused', 'at 10.0.0.7')]))
    faults.set(other as string, new StoreError('store_failed', 'it does not speak S3'))
    const watch = new ProviderWatch({
      metadata: test.platform.metadata,
      clock,
      log: createLog('info', { write: (line: string) => void lines.push(line) }),
      firstBucket: async () => 'some',
      look: async (id) => {
        looks++
        const fault = faults.get(id)
        if (fault !== undefined) throw fault
      }
    })
    // Whoever asks gets what is known, while the providers are looked at in the background.
    const look = async () => {
      const before = looks
      clock.advance(30_000)
      await watch.render()
      await eventually(() => assert.equal(looks, before + ids.length))
      await new Promise(setImmediate)
    }
    await assert.rejects(watch.check(), ({ message }: Error) => {
      assert.match(
        message,
        new RegExp(`^4 storage providers that can't be reached \\(${away.slice(0, 3).join(', ')} and others\\)`)
      )
      assert.match(
        message,
        new RegExp(`1 storage provider whose address answers, but with something else .*\\(${other}\\)`)
      )
      assert.doesNotMatch(message, /10\.0|far/)
      return true
    })
    const logged = () => lines.splice(0).map((line) => JSON.parse(line))
    assert.deepEqual(
      logged()
        .map(({ provider }) => provider)
        .sort(),
      ids
    )
    await look()
    assert.deepEqual(logged(), [])
    faults.clear()
    await look()
    await watch.check()
    const ended = logged()
    assert.deepEqual(ended.map(({ provider }) => provider).sort(), ids)
    assert.match(ended[0].msg, /as it should again/)
    assert.equal(ended[0].lastedMs, 60_000)
  } finally {
    await test.close()
  }
})

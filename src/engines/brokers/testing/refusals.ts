import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../../../test/support/free-port.ts'
import { createOutbound } from '../../outbound/index.ts'
import type { Given } from './contract.ts'
import { unlessLacking } from './lacking.ts'
import { numbers, receive, texts } from './receiving.ts'

export function promisesOfRefusals(given: Given): void {
  const { broker, open, newTopic, options, publish, lacks } = given

  unlessLacking(
    lacks.sizeLimit,
    'a message that is too large is refused, and nothing that came with it is sent',
    async () => {
      const topic = await newTopic()
      const consumer = await broker().consume(options(topic))
      await assert.rejects(publish(topic, ['small', 'x'.repeat(2 * 1024 * 1024)]), { code: 'too_large' })
      await publish(topic, numbers(1, 2))
      assert.deepEqual(texts(await receive(consumer, 2)), numbers(1, 2))
      await consumer.close()
    }
  )

  test('a topic that means something else to the protocol is refused', async () => {
    for (const topic of ['', 'a b/#\r\nPUB x', '\0']) {
      await assert.rejects(broker().publish([{ topic, payload: 'x' }]), { code: 'invalid' })
    }
    await assert.rejects(broker().consume({ topics: [] }), { code: 'invalid' })
  })

  test('a broker that is not there is said to be unreachable, and a consumer goes on trying', async () => {
    const port = await freePort()
    const nobody = await open({ hosts: [`127.0.0.1:${port}`] })
    await assert.rejects(nobody.check(), { code: 'unreachable', isTransient: true })
    await assert.rejects(nobody.publish([{ topic: 'any', payload: 'x' }]), { code: 'unreachable', isTransient: true })
    const consumer = await nobody.consume({ ...options('any') })
    assert.deepEqual(await consumer.take({ max: 1, maxBytes: 1, waitMs: 10 }), [])
    assert.equal(consumer.state.connected, false)
    assert.match(consumer.state.lastError ?? '', new RegExp(`127.0.0.1:${port}`))
    await consumer.close()
  })

  test('an address that must not be called is not called', async (t) => {
    const strict = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
    t.after(() => strict.close())
    const forbidden = await open({}, strict)
    await assert.rejects(forbidden.check(), { code: 'refused', isTransient: false })
    await assert.rejects(forbidden.publish([{ topic: 'any', payload: 'x' }]), { code: 'refused' })
    await assert.rejects(forbidden.consume(options('any')), { code: 'refused' })
  })

  unlessLacking(lacks.users, 'a wrong password is told from a broker that is away', async () => {
    const user = { user: 'miller', password: 'right-one' }
    const server = await given.startWithUser(user)
    const hosts = [`${server.host}:${server.port}`]
    const right = await open({ hosts, ...user })
    await right.check()
    const wrong = await open({ hosts, ...user, password: 'wrong-one' })
    const isFit = (error: Error & { code?: string }) => error.code === 'unauthorized' && !/-one/.test(error.message)
    await assert.rejects(wrong.check(), isFit)
    await assert.rejects(wrong.publish([{ topic: 'any', payload: 'x' }]), isFit)
    await assert.rejects(wrong.consume(options('any')), isFit)
  })

  test('a broker that was closed does nothing any more', async () => {
    const topic = await newTopic()
    const closed = await open()
    const consumer = await closed.consume(options(topic))
    await closed.close()
    await closed.close()
    await assert.rejects(closed.publish([{ topic, payload: 'x' }]), { code: 'closed' })
    await assert.rejects(closed.check(), { code: 'closed' })
    await assert.rejects(closed.consume(options(topic)), { code: 'closed' })
    await assert.rejects(consumer.take({ max: 1, maxBytes: 1, waitMs: 10 }), { code: 'closed' })
  })
}

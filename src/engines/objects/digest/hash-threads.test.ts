import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import diagnostics from 'node:diagnostics_channel'
import { after, before, describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { createUploadBody } from '../index.ts'
import { bodyOf, pattern } from '../testing/bodies.ts'
import { refused } from '../testing/refused.ts'

const CONTENT = pattern(3_000_000)

const isAlone = process.env.ALONE === 'yes'

// The threads belong to the process, and another suite may have started them before.
function testThreads(): void {
  const workers: Worker[] = []
  const see = (message: unknown) => void workers.push((message as { worker: Worker }).worker)
  before(() => diagnostics.subscribe('worker_threads', see))
  after(() => diagnostics.unsubscribe('worker_threads', see))

  async function sha256Of(body: ReturnType<typeof bodyOf>): Promise<string> {
    for await (const _ of body.passingBatches());
    return (await body.digests()).sha256
  }

  it('are replaced when one of them has ended: what is under way fails rather than wait for ever', async () => {
    assert.equal(await sha256Of(bodyOf(CONTENT)), hash('sha256', CONTENT))
    const first = [...workers]
    const rest = Promise.withResolvers<void>()
    async function* slowly() {
      yield CONTENT.subarray(0, 2_500_000)
      await rest.promise
      yield CONTENT.subarray(2_500_000)
    }
    const batches = createUploadBody(slowly()).passingBatches()[Symbol.asyncIterator]()
    await batches.next()
    await first[0]?.terminate()
    rest.resolve()
    const drain = async () => {
      while ((await batches.next()).done !== true);
    }
    await refused(drain(), 'store_failed')
    assert.equal(await sha256Of(bodyOf(CONTENT)), hash('sha256', CONTENT))
    assert.equal(workers.length, first.length * 2)
  })
}

if (isAlone) describe('threads that hash', testThreads)
else {
  it('threads that hash, in a process of their own', () => {
    execFileSync(process.execPath, [import.meta.filename], { env: { ...process.env, ALONE: 'yes' }, encoding: 'utf8' })
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { bodyOf, pattern } from '../testing/bodies.ts'
import { createUploadBody } from '../upload-body.ts'
import { blocksOf, putDivided, sendEach } from './blocks.ts'

const KIB = 1024
const BLOCK_BYTES = 600 * KIB

const blockBytes = () => BLOCK_BYTES
const unwanted = async () => assert.fail('not this way')

/** Takes a while. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await setImmediate()
}

test('the blocks are the content, all but the last of them full, and the last never missing', async () => {
  const sizes = fc.oneof(
    fc.constantFrom(0, 1, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 2 * BLOCK_BYTES + 5),
    fc.integer({ min: 0, max: 5 * BLOCK_BYTES })
  )
  const whole = pattern(5 * BLOCK_BYTES)
  await fc.assert(
    fc.asyncProperty(sizes, fc.boolean(), fc.nat({ max: 3 }), async (bytes, announced, growth) => {
      const content = whole.subarray(0, bytes)
      const limitOf = (number: number) => BLOCK_BYTES + growth * KIB * (number - 1)
      const blocks: Buffer[] = []
      for await (const block of blocksOf(bodyOf(content, { announced }), limitOf)) blocks.push(Buffer.from(block))
      assert.ok(Buffer.concat(blocks).equals(content))
      const last = blocks.pop()
      assert.ok(last !== undefined && (last.length > 0 || bytes === 0))
      for (const [index, block] of blocks.entries()) assert.equal(block.length, limitOf(index + 1))
    }),
    { numRuns: 40 }
  )
})

test('however long the content, there are two buffers', async () => {
  const buffers = new Set<ArrayBufferLike>()
  for await (const block of blocksOf(bodyOf(pattern(6 * BLOCK_BYTES)), blockBytes)) buffers.add(block.buffer)
  assert.equal(buffers.size, 2)
})

test('a content that fits into one block is put whole, and any other arrives in order', async () => {
  for (const bytes of [0, BLOCK_BYTES]) {
    const content = await putDivided(bodyOf(pattern(bytes)), blockBytes, async (whole) => whole, unwanted)
    assert.ok(content.equals(pattern(bytes)))
  }
  const sent: Buffer[] = []
  await putDivided(bodyOf(pattern(4 * BLOCK_BYTES + 1)), blockBytes, unwanted, (blocks) =>
    sendEach(blocks, async (block, index) => {
      // Sent later than the next block is asked for.
      await turns()
      sent[index] = Buffer.from(block)
    })
  )
  assert.ok(Buffer.concat(sent).equals(pattern(4 * BLOCK_BYTES + 1)))
})

test('a store that takes no more lets the sender go, and the sender’s own error is the one that is told', async () => {
  let released = false
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(BLOCK_BYTES)
    } finally {
      released = true
    }
  }
  const refuse = (blocks: AsyncIterable<Buffer>) => sendEach(blocks, () => Promise.reject(new Error('no more')))
  await assert.rejects(putDivided(createUploadBody(endless()), blockBytes, unwanted, refuse), /no more/)
  assert.ok(released)

  let underWay = 0
  let most = 0
  const slow = async () => {
    most = Math.max(most, ++underWay)
    await turns()
    underWay--
  }
  async function* broken() {
    for (let blocks = 0; blocks < 4; blocks++) yield Buffer.alloc(BLOCK_BYTES)
    throw new Error('the sender hung up')
  }
  const put = putDivided(createUploadBody(broken()), blockBytes, unwanted, (blocks) => sendEach(blocks, slow))
  await assert.rejects(put, /the sender hung up/)
  assert.deepEqual([underWay, most], [0, 1])
})

import assert from 'node:assert/strict'
import { request } from 'undici'

const MIB = 1024 * 1024
const BLOCK_BYTES = 4 * MIB
const WARM_BYTES = 64 * MIB
const SAMPLE_MS = 200

export interface HugeFigures {
  readonly uploadMibPerSecond: number
  readonly downloadMibPerSecond: number
  /** Resident memory of the server after a first object of 64 MiB, and the maximum from then on. */
  readonly warmMib: number
  readonly peakMib: number
}

/**
 * Sends an object of any size to a server and reads it back, without keeping it in memory, and watches the server's
 * memory.
 */
export async function upAndDown(url: string, token: string, sizeBytes: number): Promise<HugeFigures> {
  const authorization = `Bearer ${token}`
  const bucket = `${url}/api/buckets`
  const body = JSON.stringify({ name: 'huge' })
  await fetch(bucket, { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body })
  const object = `${bucket}/huge/objects/x`
  const both = async (bytes: number) => ({
    up: await upload(object, authorization, bytes),
    down: await download(object, authorization, bytes)
  })
  await both(WARM_BYTES)
  const warmMib = await residentMib(url, authorization)
  let peakMib = warmMib
  const watch = setInterval(async () => {
    peakMib = Math.max(peakMib, await residentMib(url, authorization).catch(() => 0))
  }, SAMPLE_MS)
  try {
    const { up, down } = await both(sizeBytes)
    return { uploadMibPerSecond: up, downloadMibPerSecond: down, warmMib, peakMib }
  } finally {
    clearInterval(watch)
    await fetch(object, { method: 'DELETE', headers: { authorization } })
  }
}

/** Every block is numbered, so that a lost or misplaced one is noticed. */
function* blocks(sizeBytes: number): Generator<Buffer> {
  for (let offset = 0; offset < sizeBytes; offset += BLOCK_BYTES) {
    const block = Buffer.alloc(Math.min(BLOCK_BYTES, sizeBytes - offset), offset / BLOCK_BYTES)
    block.writeDoubleBE(offset, 0)
    yield block
  }
}

async function upload(object: string, authorization: string, sizeBytes: number): Promise<number> {
  const startedMs = performance.now()
  const headers = { authorization, 'content-length': String(sizeBytes) }
  const source = (async function* () {
    yield* blocks(sizeBytes)
  })()
  const answer = await request(object, { method: 'PUT', headers, body: source as never, headersTimeout: 0 })
  const { size } = (await answer.body.json()) as { size: number }
  assert.deepEqual([answer.statusCode, size], [201, sizeBytes])
  return rate(sizeBytes, startedMs)
}

async function download(object: string, authorization: string, sizeBytes: number): Promise<number> {
  const startedMs = performance.now()
  const { statusCode, headers, body } = await request(object, { headers: { authorization } })
  assert.equal(statusCode, 200)
  assert.equal(headers['content-length'], String(sizeBytes))
  const sent = blocks(sizeBytes)
  let block = Buffer.alloc(0)
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; ) {
      if (block.length === 0) block = sent.next().value ?? assert.fail('more came back than was sent')
      const same = Math.min(block.length, chunk.length - at)
      const isSame = block.subarray(0, same).equals(chunk.subarray(at, at + same))
      assert.ok(isSame, `other bytes came back, ${bytes} bytes from the beginning or later`)
      block = block.subarray(same)
      at += same
      bytes += same
    }
  }
  assert.equal(bytes, sizeBytes)
  return rate(sizeBytes, startedMs)
}

function rate(sizeBytes: number, startedMs: number): number {
  return Math.round(sizeBytes / MIB / ((performance.now() - startedMs) / 1000))
}

async function residentMib(url: string, authorization: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization } })
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(await response.text()) ?? []
  return Math.round(Number(bytes) / MIB)
}

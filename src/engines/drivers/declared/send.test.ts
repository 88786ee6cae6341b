// Once: no database.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createOutbound } from '../../outbound/index.ts'
import { MAX_ANSWER_BYTES } from '../common/answers.ts'
import { send } from './send.ts'

const JSON_TEXT = JSON.stringify({ data: [{ id: 1, name: 'ä€𝄞'.repeat(50_000) }] })
const ANSWERS: Readonly<Record<string, { readonly content: Uint8Array; readonly encoding?: string }>> = {
  '/plain': { content: Buffer.from(JSON_TEXT) },
  '/marked': { content: Buffer.from(`\ufeff${JSON_TEXT}`) },
  '/packed': { content: gzipSync(JSON_TEXT), encoding: 'gzip' },
  '/bomb': { content: gzipSync(Buffer.alloc(MAX_ANSWER_BYTES + 1, ' ')), encoding: 'gzip' },
  '/empty': { content: Buffer.alloc(0) }
}

describe('an answer', () => {
  const server = createServer((request, response) => {
    const { content, encoding } = ANSWERS[request.url ?? ''] ?? { content: Buffer.from('no JSON') }
    if (encoding !== undefined) response.setHeader('content-encoding', encoding)
    response.end(content)
  })
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  after(async () => {
    await outbound.close()
    server.close()
  })
  const asked = (path: string) => {
    const url = new URL(path, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    return send(outbound, { method: 'GET', url, headers: {}, body: undefined }, AbortSignal.timeout(60_000))
  }

  it('is the same however it was packed', async () => {
    for (const path of ['/plain', '/marked', '/packed']) {
      assert.deepEqual((await asked(path)).body, JSON.parse(JSON_TEXT), path)
    }
    assert.equal((await asked('/empty')).body, undefined)
  })

  it('is refused where it is no JSON, or becomes too large', async () => {
    await assert.rejects(asked('/other'), { code: 'bad_request', message: /does not answer with JSON/ })
    await assert.rejects(asked('/bomb'), { code: 'bad_request', message: /larger than/ })
  })
})

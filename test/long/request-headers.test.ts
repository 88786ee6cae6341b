// Once: what requests say of themselves, not what they are about.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { addressOf } from '../../src/http/route.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

const DATE = 'Mon, 09 Mar 2026 13:00:00 GMT'
/** Of no body that is sent here. */
const WRONG_MD5 = Buffer.alloc(16).toString('base64')

describe('every route', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  /** With headers that `fetch` does not let through. */
  const codeOf = (method: string, path: string, headers: Record<string, string>, body: string) =>
    new Promise<string>((resolve, reject) => {
      const length = 'transfer-encoding' in headers ? {} : { 'content-length': String(body.length) }
      const sent = request(`${test.url}${path}`, { method, headers: { ...length, ...headers } }, async (answer) => {
        const { code, message, error_code: number } = JSON.parse((await answer.toArray()).join('') || '{}')
        resolve(`${answer.statusCode} ${code ?? number ?? message}`)
      })
      sent.on('error', reject).end(body)
    })

  it('refuses headers that would change what it does and that it does not understand', async () => {
    const authorization = `Bearer ${await test.token('root', 'admin')}`
    for (const route of (await test.app.load()).flatMap(({ routes }) => routes)) {
      const { method, operationId, refusal, stream, body, change, conditions = [] } = route
      const heeded: readonly string[] = change === undefined ? conditions : ['if-match']
      const code = (headers: Record<string, string>, sent = '') => {
        const type = stream === undefined ? { 'content-type': 'application/json' } : {}
        const path = addressOf(route).replace(/:\w+/g, '1')
        return codeOf(method, path, { ...(sent !== '' && type), authorization, ...headers }, sent)
      }
      const refused = refusal === undefined ? '400 header_not_supported' : `403 ${refusal}`
      const expected: string[] = []
      const answers: Promise<string>[] = []
      const expect = (answer: string, ...asked: Parameters<typeof code>) => {
        expected.push(`${JSON.stringify(asked[0])} ${answer}`)
        answers.push(code(...asked).then((found) => `${JSON.stringify(asked[0])} ${found}`))
      }
      expect(refused, { 'x-http-method-override': 'DELETE' })
      expect(refused, { 'x-http-method': 'PUT' })
      expect('417 expectation_failed', { expect: '200-ok' })
      if (method !== 'GET') {
        expect(refused, { 'content-range': 'bytes 0-4/10' })
        for (const header of ['if-unmodified-since', 'if-range']) expect(refused, { [header]: DATE })
        for (const header of ['if-match', 'if-none-match']) {
          if (!heeded.includes(header)) expect(refused, { [header]: '*' })
        }
        expect(refused, { 'content-digest': 'sha-512=:AAAA:' }, '{}')
        expect(refused, { trailer: 'Content-MD5', 'transfer-encoding': 'chunked' }, '{}')
        expect('400 checksum_mismatch', { 'content-md5': WRONG_MD5 })
        expect('415 unsupported_media_type', { 'content-encoding': 'br' }, '{}')
        if (stream === undefined) expect('415 unsupported_media_type', { 'content-encoding': 'gzip' }, '{}')
      }
      if (body !== undefined) expect('400 checksum_mismatch', { digest: `MD5=${WRONG_MD5}` }, '{}')
      const found = await Promise.all(answers)
      const isTheirs = route.foreign !== undefined
      const shown = (texts: string[]) => (isTheirs ? texts.map((text) => text.replace(/(} \d{3}) .*/, '$1')) : texts)
      assert.deepEqual(shown(found), shown(expected), operationId)
    }
  })
})

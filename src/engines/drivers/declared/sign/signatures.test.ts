// Once: no database. Signatures beside the examples of those who thought of them, and beside another way to work them out.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ManualClock } from '../../../../../test/support/manual-clock.ts'
import type { Authentication } from '../entry.ts'
import type { Outgoing, OutgoingBody } from '../outgoing.ts'
import { type Arrived, isAzureTableRight, isOAuth1Right, isSigV4Right } from '../testing/signatures.ts'
import { signerOf } from './index.ts'
import { withOAuth1 } from './oauth1.ts'
import { bodyText } from './request.ts'

const { signal } = new AbortController()
const send = () => assert.fail('nothing is to be sent')

async function signed(authentication: Authentication, scope: Record<string, string>, request: Outgoing, at?: string) {
  const signer = signerOf(authentication, scope, { clock: new ManualClock(at), send })
  assert.equal(signer.renew(), false)
  return signer.sign(request, signal)
}

const requestTo = (address: string, body?: OutgoingBody): Outgoing => ({
  method: body === undefined ? 'GET' : 'POST',
  url: new URL(address),
  headers: {},
  body
})

/** As it arrives at a service. */
const arrivedOf = ({ method, url, headers, body }: Outgoing): Arrived => ({
  method,
  target: url.pathname + url.search,
  headers: {
    host: url.host,
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  },
  body: bodyText(body)
})

/** Texts with what encoders disagree about. */
const odd = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'!\'()*~+ %&=/?#:@,;$[]"<>|\\^`{}é→😀aZ0-._'), maxLength: 12 })
)
const key = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019/+=&% é'), minLength: 1, maxLength: 40 })
  .filter((text) => text.trim() === text)
const name = fc.string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: 1, maxLength: 20 })
const body: fc.Arbitrary<OutgoingBody | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({ json: fc.jsonValue() }),
  fc.record({ form: fc.dictionary(odd, odd, { maxKeys: 4 }) })
)
const request = fc
  .record({ path: fc.array(odd, { maxLength: 4 }), query: fc.array(fc.tuple(odd, odd), { maxLength: 5 }), body })
  .map(({ path, query, body: sent }): Outgoing => {
    const url = new URL(`http://service.example:8080/${path.map(encodeURIComponent).join('/')}`)
    for (const [one, value] of query) url.searchParams.append(one, value)
    return requestTo(url.href, sent)
  })

describe('signatures', () => {
  it('of AWS are those of its published examples', async () => {
    const scope = { id: 'AKIDEXAMPLE', key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
    const aws = {
      kind: 'sigv4',
      service: 'service',
      region: 'us-east-1',
      accessKey: '{id}',
      secretKey: '{key}'
    } as const
    const host = 'https://example.amazonaws.com'
    const letters = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const form: Outgoing = requestTo(`${host}/`, { form: { Param1: 'value1' } })
    const post: Outgoing = { ...requestTo(`${host}/`), method: 'POST' }
    const examples: [Outgoing, string][] = [
      [requestTo(`${host}/`), '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
      [requestTo(`${host}/${letters}`), '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f'],
      [
        requestTo(`${host}/?Param2=value2&Param1=value1`),
        'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500'
      ],
      [requestTo(`${host}/?Param1=value1`), 'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb'],
      [post, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
      [form, 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a']
    ]
    for (const [example, signature] of examples) {
      const { headers } = await signed(aws, scope, example, '2015-08-30T12:36:00.000Z')
      assert.equal(headers.authorization?.split('Signature=')[1], signature, example.url.href)
    }
  })

  it('of OAuth 1 are that of the example of RFC 5849', () => {
    const example = requestTo('http://photos.example.net/photos?file=vacation.jpg&size=original')
    const { headers } = withOAuth1(
      example,
      {
        kind: 'oauth1',
        algorithm: 'sha1',
        realm: 'Photos',
        ...{ consumerKey: 'dpf43f3p2l4k3l03', consumerSecret: 'kd94hf93k423kf44' },
        ...{ token: 'nnch734d00sl2jdk', tokenSecret: 'pfkkdhi9sl3r4s00' }
      },
      {},
      { seconds: 137131202, nonce: 'chapoH' }
    )
    assert.match(
      headers.authorization ?? '',
      /^OAuth realm="Photos", .*oauth_signature="MdpQcU8iPSUjWoN%2FUDMsK2sui9I%3D"$/
    )
  })

  it('are right for whatever path, query, body and key', async () => {
    const aws = (service: string) =>
      ({ kind: 'sigv4', service, region: 'eu-1', accessKey: '{id}', secretKey: '{key}' }) as const
    const oauth1 = {
      kind: 'oauth1',
      consumerKey: '{id}',
      consumerSecret: '{key}',
      token: '{id}',
      tokenSecret: '{key}'
    } as const
    const azure = { kind: 'azure-shared-key', account: '{id}', key: '{key}' } as const
    await fc.assert(
      fc.asyncProperty(request, name, key, fc.constantFrom('s3', 'sqs'), async (sent, id, secret, service) => {
        const scope = { id, key: secret }
        assert.ok(isSigV4Right(arrivedOf(await signed(aws(service), scope, sent)), id, secret))
        const secrets = { consumerKey: id, consumerSecret: secret, token: id, tokenSecret: secret }
        const byOAuth1 = await signed(oauth1, scope, sent)
        const type = sent.body !== undefined &&
          'form' in sent.body && { 'content-type': 'application/x-www-form-urlencoded' }
        const arrived = arrivedOf(byOAuth1)
        assert.ok(isOAuth1Right({ ...arrived, headers: { ...arrived.headers, ...type } }, secrets))
        const base64 = Buffer.from(secret).toString('base64')
        assert.ok(isAzureTableRight(arrivedOf(await signed(azure, { id, key: base64 }, sent)), id, base64))
      }),
      { numRuns: 300 }
    )
  })

  it('of Azure cover what blobs and queues want covered', async () => {
    const azure = { kind: 'azure-shared-key', account: 'plant', key: '{key}' } as const
    const blobs = requestTo('https://plant.blob.core.windows.net/box?restype=container&comp=list&Prefix=b&prefix=a')
    const { headers } = await signed(azure, { key: 'c2VjcmV0' }, blobs)
    const text = [
      ...['GET', ...Array(11).fill(''), 'x-ms-date:Thu, 01 Jan 2026 00:00:00 GMT', 'x-ms-version:2021-12-02'],
      ...['/plant/box', 'comp:list', 'prefix:a,b', 'restype:container']
    ].join('\n')
    const { createHmac } = await import('node:crypto')
    const signature = createHmac('sha256', 'secret').update(text).digest('base64')
    assert.equal(headers.authorization, `SharedKey plant:${signature}`)
  })
})

import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { beginningOf, Parts } from './parts.ts'

const BEGINNINGS: [url: string, beginning: string][] = [
  ['/', '/'],
  ['/metrics', '/metrics'],
  ['/metrics?x=/y', '/metrics'],
  ['/write/a/b', '/write'],
  ['/api', '/api'],
  ['/api/', '/api/'],
  ['/api?x', '/api'],
  ['/api/catalog', '/api/catalog'],
  ['/api/catalog/', '/api/catalog'],
  ['/api/catalog?x=1', '/api/catalog'],
  ['/api/catalog#x', '/api/catalog'],
  ['/api/catalog/sources/x/tags', '/api/catalog'],
  ['/api/c%61talog/sources', '/api/catalog'],
  ['/%61pi/catalog/sources?y=%41', '/api/catalog'],
  ['/api/buckets/b/objects/%41', '/api/buckets'],
  ['/api/a%2Fb/c', '/api/a%2Fb'],
  ['/api/%E0%A4/c', '/api/%E0%A4'],
  ['http://elsewhere/api/catalog/sources', '/api/catalog'],
  ['*', '*'],
  ['', '']
]

describe('the beginning of an address', () => {
  for (const [url, beginning] of BEGINNINGS) {
    it(`of ${JSON.stringify(url)} is ${JSON.stringify(beginning)}`, () => assert.equal(beginningOf(url), beginning))
  }
})

describe('parts of the server', () => {
  const answerOf = (parts: Parts, url: string): Promise<string> =>
    new Promise((resolve) => {
      const answer = { answer: resolve } as unknown as ServerResponse
      parts.route({ url } as IncomingMessage, answer, () => resolve('otherwise'))
    })
  const saying = (text: string) => (_request: unknown, response: unknown) =>
    (response as { answer(text: string): void }).answer(text)

  it('are made by the first request, once, and get all that begins as they say', async () => {
    let made = 0
    const going = Promise.withResolvers<void>()
    const make = async () => {
      made += 1
      await going.promise
      return saying('things')
    }
    const parts = new Parts([{ paths: ['/api/things', '/thing'], make }], async () => saying('failed'))
    assert.equal(await answerOf(parts, '/api/others'), 'otherwise')
    assert.equal(made, 0)
    const first = [answerOf(parts, '/api/things'), answerOf(parts, '/api/things/1?x'), answerOf(parts, '/thing')]
    await eventually(() => made === 1)
    going.resolve()
    assert.deepEqual(await Promise.all(first), ['things', 'things', 'things'])
    assert.equal(await answerOf(parts, '/api/things/2'), 'things')
    assert.equal(made, 1)
  })

  it('that can’t be made are tried again by the next request', async () => {
    let fails = true
    const make = async () => {
      if (fails) throw new Error('not now')
      return saying('made')
    }
    const parts = new Parts([{ paths: ['/api/things'], make }], async (error) => saying((error as Error).message))
    assert.equal(await answerOf(parts, '/api/things'), 'not now')
    fails = false
    assert.equal(await answerOf(parts, '/api/things'), 'made')
  })

  it('do not share addresses', () => {
    const part = { paths: ['/api/things'], make: async () => saying('') }
    assert.throws(() => new Parts([part, part], async () => saying('')), /Two areas answer \/api\/things/)
  })
})

// Once: no database. A service gives another refresh token each time that one is used, and takes the old one no more.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { eventually } from '../../../../../test/support/eventually.ts'
import { SourceError } from '../../errors.ts'
import type { KeptSecrets } from '../../kept-secrets.ts'
import type { OAuth2 } from '../entry.ts'
import { HastyClock } from '../testing/hasty-clock.ts'
import { Signing } from '../testing/signing.ts'
import { TokenCache } from './token-cache.ts'

const signing = new Signing()
const { service, clock } = signing

const scope = { client_id: 'client', client_secret: 'secret', refresh_token: 'refresh-0' }
const oauth: OAuth2 = {
  kind: 'oauth2',
  grant: 'refresh_token',
  tokenUrl: '{origin}/token',
  clientId: '{client_id}',
  clientSecret: '{client_secret}',
  refreshToken: '{refresh_token}'
}

/** What several processes share: the configuration of a connector. */
class Shelf implements KeptSecrets {
  token = 'refresh-0'
  isBroken = false
  /** Where the data of the service was when something was put here. */
  readonly replaced: string[] = []

  async current(field: string): Promise<string | undefined> {
    return field === 'refresh_token' ? this.token : undefined
  }

  async replace(field: string, before: string, next: string): Promise<string | undefined> {
    if (this.isBroken) throw new Error('the disk is full')
    if (field !== 'refresh_token' || before !== this.token) return this.token
    this.replaced.push(next)
    this.token = next
    return next
  }
}

/** A process that has opened the connector with the refresh token that there was then. */
const processOf = (secrets: KeptSecrets, more: object = {}) =>
  signing.signer(oauth, { ...scope, ...more }, { cache: new TokenCache(), secrets, clock: new HastyClock() })

describe('refresh tokens that are exchanged for others', () => {
  let shelf: Shelf
  before(() => signing.start())
  after(() => signing.stop())
  beforeEach(() => {
    service.revoke()
    service.arrived.length = 0
    service.refreshToken = 'refresh-0'
    service.instead = undefined
    service.hold = undefined
    service.rules = { rotates: true, lifeSeconds: 600, judge: () => undefined }
    shelf = new Shelf()
  })

  it('are kept before a token that came with them is used', async () => {
    const replace = shelf.replace.bind(shelf)
    shelf.replace = async (...secret) => {
      assert.equal(service.arrived.filter(({ target }) => target === '/data').length, shelf.replaced.length)
      return replace(...secret)
    }
    const cache = new TokenCache()
    const signer = signing.signer(oauth, scope, { cache, secrets: shelf })
    for (let round = 0; round < 3; round += 1) {
      assert.equal(await signing.ask(signer), 200)
      clock.advance(600_000)
    }
    assert.deepEqual([shelf.replaced.length, shelf.token], [3, service.refreshToken])
    // Somebody who opened it with the first one, or opens it with the last, in the same process.
    for (const refresh_token of ['refresh-0', service.refreshToken]) {
      const other = signing.signer(oauth, { ...scope, refresh_token }, { cache, secrets: shelf })
      clock.advance(600_000)
      assert.equal(await signing.ask(other), 200)
      assert.equal(shelf.token, service.refreshToken)
    }
    // After a crash what was kept last is good.
    assert.equal(await signing.ask(signing.signer(oauth, { ...scope, refresh_token: shelf.token })), 200)
  })

  it('are not used while they can’t be kept, and are not lost', async () => {
    shelf.isBroken = true
    const signer = processOf(shelf)
    const refused = await signing.ask(signer).catch((error) => error)
    assert.ok(refused instanceof SourceError && refused.isTransient && /can’t be kept now/.test(refused.message))
    shelf.isBroken = false
    assert.equal(await signing.ask(signer), 200)
    assert.deepEqual([shelf.token, service.tokensAsked], [service.refreshToken, 1])
  })

  it('are taken from whoever was first, by processes that opened the connector before', async () => {
    const [first, second] = [processOf(shelf), processOf(shelf)]
    for (let round = 0; round < 3; round += 1) {
      for (const signer of [first, second]) {
        assert.equal(await signing.ask(signer), 200)
        signer.renew()
      }
    }
    // None of them was tried in vain.
    assert.deepEqual([service.tokensAsked, shelf.token], [6, service.refreshToken])
  })

  it('are not lost where two processes exchange the same one at once', async () => {
    const hold = Promise.withResolvers<void>()
    service.hold = hold.promise
    const both = [processOf(shelf), processOf(shelf)].map((signer) => signing.ask(signer))
    await eventually(() => assert.equal(service.tokensAsked, 2))
    hold.resolve()
    assert.deepEqual(await Promise.all(both), [200, 200])
    assert.equal(shelf.token, service.refreshToken)
    assert.equal(await signing.ask(processOf(shelf, { refresh_token: shelf.token })), 200)
  })

  it('that a person gave meanwhile are used, and not overwritten', async () => {
    const signer = processOf(shelf)
    assert.equal(await signing.ask(signer), 200)
    const hold = Promise.withResolvers<void>()
    service.hold = hold.promise
    signer.renew()
    const under = signing.ask(signer)
    await eventually(() => assert.equal(service.tokensAsked, 2))
    shelf.token = 'given-anew'
    hold.resolve()
    assert.equal(await under, 200)
    assert.equal(shelf.token, 'given-anew')
    service.refreshToken = 'given-anew'
    service.revoke()
    signer.renew()
    assert.equal(await signing.ask(signer), 200)
    assert.equal(shelf.token, service.refreshToken)
  })

  it('that were lost in a crash are told by what to do', async () => {
    // The service has given another one, and the process ended before it was kept.
    service.refreshToken = 'refresh-lost'
    const refused = await signing.ask(processOf(shelf)).catch((error) => error)
    assert.ok(refused instanceof SourceError)
    assert.deepEqual([refused.code, refused.pointer], ['wrong_credentials', '/refresh_token'])
    assert.match(refused.message, /gave another in its place that could not be kept.*have it permitted again/)
  })
})

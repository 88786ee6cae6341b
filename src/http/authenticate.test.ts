import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { Problem } from '../errors.ts'
import { bearerToken, createAuthenticator, missingToken, refusedToken } from './authenticate.ts'
import type { Actor } from './permissions.ts'

const actorOf = (token: string): Actor => ({
  id: token,
  name: token,
  role: 'viewer',
  scopes: undefined,
  apiKeyId: undefined
})

function setUp(resolve = async (token: string) => actorOf(token)) {
  const clock = new ManualClock()
  let asked = 0
  const authenticator = createAuthenticator((token) => {
    asked++
    return resolve(token)
  }, clock)
  return { clock, authenticator, asked: () => asked }
}

describe('the authenticator', () => {
  it('knows a caller for a second and then asks again', async () => {
    const { clock, authenticator } = setUp()
    assert.equal(authenticator.known('t'), undefined)
    await authenticator.authenticate('t')
    clock.advance(999)
    assert.deepEqual(authenticator.known('t'), actorOf('t'))
    clock.advance(1)
    assert.equal(authenticator.known('t'), undefined)
    await authenticator.authenticate('t')
    assert.deepEqual(authenticator.known('t'), actorOf('t'))
  })

  it('counts the second from before it asked, however long the answer took', async () => {
    let answer = (_actor: Actor) => {}
    const { clock, authenticator } = setUp(() => new Promise((resolve) => (answer = resolve)))
    const asking = authenticator.authenticate('t')
    clock.advance(1000)
    answer(actorOf('t'))
    assert.deepEqual(await asking, actorOf('t'))
    assert.equal(authenticator.known('t'), undefined)
  })

  it('asks once for requests that come at the same time, but not for one after a revocation', async () => {
    const answers: ((actor: Actor) => void)[] = []
    const { clock, authenticator, asked } = setUp(() => new Promise((resolve) => answers.push(resolve)))
    const together = [authenticator.authenticate('t'), authenticator.authenticate('t')]
    assert.equal(asked(), 1)
    authenticator.forget()
    const later = authenticator.authenticate('t')
    assert.equal(asked(), 2)
    // Nor for one that comes so late that the answer would be too old.
    clock.advance(1000)
    const last = authenticator.authenticate('t')
    assert.equal(asked(), 3)
    for (const answer of answers) answer(actorOf('t'))
    assert.deepEqual(await Promise.all([...together, later, last]), Array(4).fill(actorOf('t')))
  })

  it('forgets everybody when something is revoked', async () => {
    const { authenticator } = setUp()
    await authenticator.authenticate('a')
    await authenticator.authenticate('b')
    authenticator.forget()
    assert.deepEqual([authenticator.known('a'), authenticator.known('b')], [undefined, undefined])
    await authenticator.authenticate('a')
    assert.deepEqual(authenticator.known('a'), actorOf('a'))
  })

  describe('knows lately', () => {
    const keyOf = (token: string, expiresAt?: string): Actor => ({ ...actorOf(token), apiKeyId: 'key_1', expiresAt })

    it('who came with an API key within 15 minutes, counted from before it asked', async () => {
      const { clock, authenticator } = setUp(async (token) => keyOf(token))
      assert.equal(authenticator.lately('k'), undefined)
      await authenticator.authenticate('k')
      clock.advance(15 * 60_000 - 1)
      assert.deepEqual([authenticator.lately('k'), authenticator.known('k')], [keyOf('k'), undefined])
      clock.advance(1)
      assert.equal(authenticator.lately('k'), undefined)
    })

    it('nobody by another token, none whose key has expired, and none after something was revoked', async () => {
      const other = setUp()
      await other.authenticator.authenticate('t')
      assert.equal(other.authenticator.lately('t'), undefined)
      const { clock, authenticator } = setUp(async (token) => keyOf(token, new Date(clock.now() + 1000).toISOString()))
      await authenticator.authenticate('k')
      clock.advance(999)
      assert.notEqual(authenticator.lately('k'), undefined)
      clock.advance(1)
      assert.equal(authenticator.lately('k'), undefined)
      await authenticator.authenticate('k')
      authenticator.forget()
      assert.equal(authenticator.lately('k'), undefined)
    })

    it('none that was refused since, and all while nobody answers', async () => {
      let trouble: Error | undefined
      const { authenticator } = setUp(async (token) => {
        if (trouble !== undefined) throw trouble
        return keyOf(token)
      })
      await authenticator.authenticate('k')
      trouble = new Error('away')
      await assert.rejects(authenticator.authenticate('k'), trouble)
      assert.deepEqual(authenticator.lately('k'), keyOf('k'))
      trouble = refusedToken('key', 'revoked elsewhere')
      await assert.rejects(authenticator.authenticate('k'), trouble)
      assert.equal(authenticator.lately('k'), undefined)
    })
  })

  it('does not keep what it was told before something was revoked', async () => {
    let answer = (_actor: Actor) => {}
    const { authenticator } = setUp(() => new Promise((resolve) => (answer = resolve)))
    const asking = authenticator.authenticate('t')
    authenticator.forget()
    answer(actorOf('t'))
    assert.deepEqual(await asking, actorOf('t'))
    assert.equal(authenticator.known('t'), undefined)
  })

  it('keeps no refusal', async () => {
    const { authenticator, asked } = setUp(async () => {
      throw refusedToken('key', 'Unknown.')
    })
    for (let time = 1; time <= 2; time++) {
      await assert.rejects(authenticator.authenticate('t'), { code: 'invalid_token' })
      assert.equal(asked(), time)
    }
    assert.equal(authenticator.known('t'), undefined)
  })

  it('knows ten thousand at most, and the newest of them', async () => {
    const { authenticator } = setUp()
    const tokens = Array.from({ length: 10_500 }, (_, index) => `t${index}`)
    for (const token of tokens) await authenticator.authenticate(token)
    const known = tokens.filter((token) => authenticator.known(token) !== undefined)
    assert.deepEqual(known, tokens.slice(-10_000))
    // A caller that is known already does not push out another one.
    await authenticator.authenticate(known.at(-1) as string)
    assert.notEqual(authenticator.known(known[0] as string), undefined)
  })
})

describe('the Authorization header', () => {
  it('carries a token after "Bearer", in upper or lower case', () => {
    assert.equal(bearerToken('Bearer abc'), 'abc')
    assert.equal(bearerToken('bearer abc'), 'abc')
    assert.equal(bearerToken(undefined), undefined)
    assert.equal(bearerToken(''), undefined)
  })

  for (const header of ['Bearer', 'Bearer ', 'Bearer  abc', 'Bearer a b', 'Basic abc', 'abc', ' ']) {
    it(`is refused as '${header}'`, () => {
      assert.throws(() => bearerToken(header), { code: 'invalid_token', members: { check: 'format' } })
    })
  }
})

describe('a refusal', () => {
  it('challenges the caller', () => {
    assert.deepEqual(missingToken().headers, { 'www-authenticate': 'Bearer' })
    assert.equal(missingToken().status, 401)
  })

  it('names the check that failed, in a header that nothing can break out of', () => {
    const problem = refusedToken('issuer', 'From "evil"\r\nSet-Cookie: a=b \\ é')
    assert.ok(problem instanceof Problem)
    assert.deepEqual(problem.members, { check: 'issuer' })
    assert.equal(
      problem.headers?.['www-authenticate'],
      'Bearer error="invalid_token", error_description="From  evil   Set-Cookie: a=b    "'
    )
  })
})

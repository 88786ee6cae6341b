import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import './areas.ts'
import { allSettings } from './config.ts'
import { misspeltSettings } from './misspelt-settings.ts'

const names = allSettings().map(({ name }) => name)
const meantBy = (written: string) => /; (\S+) is one$/.exec(misspeltSettings({ [written]: 'x' })[0] ?? '')?.[1]

it('misspelt settings are named with the one that was meant', () => {
  for (const [written, meant] of [
    ['RATE_LIMITS', 'RATE_LIMIT'],
    ['MAX_BODYBYTES', 'MAX_BODY_BYTES'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATA_DRI', 'DATA_DIR'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['Port', 'PORT'],
    ['SECRET_KEYS', 'SECRET_KEY']
  ] as const) {
    assert.equal(meantBy(written), meant)
  }
})

it('what belongs to others is left alone, and so are settings and what is empty', () => {
  const others =
    'HOME HOSTNAME POST PATH PWD USER LANG TERM SHELL SHLVL NODE_ENV NODE_OPTIONS TZ SERVER_URL SERVICE_URL PROJECT_URL JDBC_URL ' +
    'HTTP_PROXY NO_PROXY PUBLIC_IP DATA LOG SECRET API_KEY KUBERNETES_PORT KUBERNETES_SERVICE_HOST NPM_CONFIG_CACHE'
  for (const written of others.split(' ')) assert.equal(meantBy(written), undefined, written)
  for (const name of names) assert.deepEqual(misspeltSettings({ [name]: 'x' }), [])
  assert.deepEqual(misspeltSettings({ RATE_LIMITS: '' }), [])
})

it('any one letter that is wrong in a long name is noticed', () => {
  const long = names.filter((name) => name.replaceAll('_', '').length >= 6)
  const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  fc.assert(
    fc.property(fc.constantFrom(...long), fc.nat(), letter, fc.nat({ max: 1 }), (name, at, put, taken) => {
      const place = at % name.length
      const written = name.slice(0, place) + put + name.slice(place + taken)
      assert.equal(meantBy(written) === undefined, (names as string[]).includes(written))
    })
  )
})

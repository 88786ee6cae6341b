import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readConfig } from './config.ts'
import { reasonOf } from './start-problems.ts'

const errno = (message: string, facts: object) => Object.assign(new Error(message), facts)
const embedded = readConfig({ DATA_DIR: '/data' })
const shared = readConfig({ DATA_DIR: '/data', DATABASE_URL: 'postgres://a:hush@db/m' })

it('what an operator can mend is one sentence that names the setting', () => {
  const closed = errno("EACCES: permission denied, open '/data/secret.key'", {
    code: 'EACCES',
    syscall: 'open',
    path: '/data/secret.key'
  })
  assert.match(String(reasonOf(closed, embedded)), /DATA_DIR can't be used: EACCES.*Give the files to the user/)
  const unopened = errno('unable to open database file', { code: 'ERR_SQLITE_ERROR', errcode: 14 })
  assert.match(String(reasonOf(unopened, embedded)), /metadata\.db in DATA_DIR \(\/data\) can't be opened/)
  for (const [code, message, says] of [
    ['28P01', 'password authentication failed for user "a"', /refuses.*the password in DATABASE_URL/],
    ['42501', 'permission denied for schema public', /refuses.*the right to make tables/],
    ['ECONNREFUSED', '', /does not answer: ECONNREFUSED\. Check DATABASE_URL/],
    [undefined, 'The server does not support SSL connections', /user, password, port and sslmode/]
  ] as const) {
    assert.match(String(reasonOf(errno(message, { code }), shared)), says)
  }
})

it('what nobody foresaw is told with all there is', () => {
  const error = new TypeError('x is not a function')
  for (const config of [undefined, embedded, shared]) assert.equal(reasonOf(error, config), error)
})

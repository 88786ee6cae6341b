// Once: what stores answer.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { missingAzurite, startAzurite } from '../../../../test/support/servers/azurite.ts'
import { missingGcsEmulator, startGcsEmulator } from '../../../../test/support/servers/gcs-emulator.ts'
import { startEmulatorFront } from '../../../engines/objects/gcs/testing/emulator-front.ts'
import { assertFailed, checkOf, testSettings } from './testing/results.ts'

describe('the test of a provider in a cloud', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp({ env: { ALLOW_PRIVATE_NETWORKS: 'true' } })
  })
  after(() => test.close())

  it('finds everything at Azure, and tells a wrong account from a wrong key', {
    skip: missingAzurite() ?? false
  }, async (t) => {
    const { host, port, account, key, stop } = await startAzurite()
    t.after(stop)
    const testWith = (credentials: object) =>
      testSettings(test, { type: 'store-cloud-b', endpoint: host, port, useTls: false, credentials })
    const right = await testWith({ accessKey: account, secretKey: key })
    assert.deepEqual([right.success, right.message], [true, 'Everything works.'])
    const stranger = await testWith({ accessKey: 'somebodyelse', secretKey: key })
    assertFailed(stranger, { authenticate: 'unknown_access_key' })
    const secretKey = Buffer.from('another key').toString('base64')
    const wrong = await testWith({ accessKey: account, secretKey })
    assertFailed(wrong, { authenticate: 'wrong_secret' })
    assert.ok(!JSON.stringify([right, stranger, wrong]).includes(key))
  })

  it('finds what the platform needs at Google, and says what the emulator lacks', {
    skip: missingGcsEmulator() ?? false
  }, async (t) => {
    const emulator = await startGcsEmulator()
    t.after(emulator.stop)
    const front = await startEmulatorFront(emulator.port)
    t.after(front.stop)
    const { port } = front
    const result = await testSettings(test, { type: 'store-cloud-c', endpoint: '127.0.0.1', port, useTls: false })
    assert.equal(result.success, true, JSON.stringify(result))
    assert.equal(checkOf(result, 'conditional-write').code, 'not_honoured')
    assert.equal(checkOf(result, 'presign').code, 'skipped')
    assert.match(result.message, /needs works; what does not, and is not needed: .*conditional-write/)
  })
})

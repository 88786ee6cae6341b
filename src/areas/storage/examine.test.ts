import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { checkProviders } from './examine.ts'

it('the doctor names the storage providers that do not answer, or answer with something else', async () => {
  const other = createServer((_, response) => response.end('<html>welcome</html>')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
  const { config, clock, vault, metadata } = test.platform
  const look = async () =>
    (await checkProviders({ config, clock, vault, metadata })).map(({ level, message }) => `${level} ${message}`)
  const make = async (name: string, port: number) => {
    const credentials = { accessKey: 'key', secretKey: 'hidden' }
    const body = { name, type: 'store-local', endpoint: '127.0.0.1', port, useTls: false, credentials }
    const made = await test.call('POST', '/api/storage/providers', { as: 'admin', body })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  try {
    assert.deepEqual(await look(), [])
    const away = await make('far away', await freePort())
    const strange = await make('a web site', (other.address() as AddressInfo).port)
    const found = (await look()).join('\n')
    assert.match(found, new RegExp(`warn ${away} "far away": .*; POST /api/storage/providers/${away}/test`))
    assert.match(found, new RegExp(`warn ${strange} "a web site": .*does not speak the S3 protocol`))
    assert.doesNotMatch(found, /hidden/)
  } finally {
    other.close()
    other.closeAllConnections()
    await test.close()
  }
})

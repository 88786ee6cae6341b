import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountUrl } from './endpoint.ts'
import { settingsFor } from './testing/stores.ts'

const urlOf = (endpoint: string | undefined, others = {}) =>
  accountUrl(settingsFor(0, { endpoint, port: undefined, useTls: true, accessKey: 'acme', ...others }))

test('the account is part of the host with the vendor, and of the path elsewhere', () => {
  assert.equal(urlOf(undefined), 'https://acme.blob.core.windows.net')
  assert.equal(urlOf(undefined, { useTls: false }), 'https://acme.blob.core.windows.net')
  assert.equal(urlOf('blob.core.chinacloudapi.cn'), 'https://acme.blob.core.chinacloudapi.cn')
  assert.equal(urlOf('acme.privatelink.blob.core.windows.net'), 'https://acme.privatelink.blob.core.windows.net')
  assert.equal(urlOf('acme.z01.blob.storage.azure.net'), 'https://acme.z01.blob.storage.azure.net')
  assert.equal(urlOf('azurite', { port: 10_000, useTls: false }), 'http://azurite:10000/acme')
  assert.equal(urlOf('10.1.2.3', { port: 443 }), 'https://10.1.2.3:443/acme')
  assert.equal(urlOf('::1', { port: 10_000 }), 'https://[::1]:10000/acme')
  assert.equal(urlOf('[::1]'), 'https://[::1]/acme')
})

test('what is no name of an account is refused before it gets into an address', () => {
  for (const accessKey of ['', 'ab', 'Acme', 'acme.example/', 'a b c', 'acme@example', 'a'.repeat(25)]) {
    assert.throws(() => urlOf(undefined, { accessKey }), { code: 'unknown_access_key' }, accessKey)
  }
})

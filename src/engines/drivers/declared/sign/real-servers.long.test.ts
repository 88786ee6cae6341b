// Once: no database. Signatures are judged by servers that were written by others.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Azurite, missingAzurite, startAzuriteTables } from '../../../../../test/support/servers/azurite.ts'
import { type Ceph, missingCeph, startCeph } from '../../../../../test/support/servers/ceph.ts'
import { systemClock } from '../../../clock.ts'
import { createOutbound } from '../../../outbound/index.ts'
import type { Authentication } from '../entry.ts'
import type { Outgoing, OutgoingBody } from '../outgoing.ts'
import type { Scope } from '../template/template.ts'
import { signerOf } from './index.ts'
import { bodyText } from './request.ts'

const { signal } = new AbortController()
const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
after(() => outbound.close())

async function statusOf(authentication: Authentication, scope: Scope, address: string, body?: OutgoingBody) {
  const send = () => assert.fail('nothing is to be asked for first')
  const signer = signerOf(authentication, scope, { clock: systemClock, send })
  const headers = { accept: 'application/json;odata=nometadata' }
  const request: Outgoing = { method: body === undefined ? 'GET' : 'POST', url: new URL(address), headers, body }
  const { method, url, headers: signed } = await signer.sign(request, signal)
  const sent = body === undefined ? {} : { body: bodyText(body) }
  const response = await outbound.request(url.href, { method, headers: signed, ...sent, signal })
  await response.discard()
  return response.status
}

describe('the signature of AWS', { skip: missingCeph() }, () => {
  let ceph: Ceph
  before(async () => {
    ceph = await startCeph()
  })
  after(() => ceph?.stop())

  const aws: Authentication = {
    kind: 'sigv4',
    service: 's3',
    ...{ region: 'us-east-1', accessKey: '{id}', secretKey: '{key}' }
  }

  it('is accepted by the S3 service of Ceph, whatever is in the address', async () => {
    const scope = { id: ceph.accessKey, key: ceph.secretKey }
    assert.equal(await statusOf(aws, scope, ceph.endpoint), 200)
    for (const path of ["nothing/a b/é'(x)!*~+,;=@:$&", 'nothing/?prefix=a%20b%2Bc&delimiter=%2F&max-keys=3']) {
      // There is no such bucket: that is only told to those whose signature is right.
      assert.equal(await statusOf(aws, scope, `${ceph.endpoint}/${path}`), 404, path)
      assert.equal(await statusOf(aws, { ...scope, key: 'x' }, `${ceph.endpoint}/${path}`), 403, path)
    }
  })
})

describe('the shared key of Azure', { skip: missingAzurite() }, () => {
  let azurite: Azurite
  before(async () => {
    azurite = await startAzuriteTables()
  })
  after(() => azurite?.stop())

  it('is accepted by the table service of Azurite', async () => {
    const shared: Authentication = { kind: 'azure-shared-key', account: '{account}', key: '{key}' }
    const scope = { account: azurite.account, key: azurite.key }
    const tables = `${azurite.endpoint}/Tables`
    assert.equal(await statusOf(shared, scope, tables, { json: { TableName: 'machines' } }), 201)
    assert.equal(await statusOf(shared, scope, tables), 200)
    assert.equal(await statusOf(shared, scope, `${azurite.endpoint}/machines()?$filter=a%20eq%20'b'&$top=5`), 200)
    const wrong = { ...scope, key: Buffer.from('another key').toString('base64') }
    assert.equal(await statusOf(shared, wrong, tables), 403)
  })
})

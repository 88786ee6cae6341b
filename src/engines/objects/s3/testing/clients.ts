import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Ceph } from '../../../../../test/support/servers/ceph.ts'
import { missingPrograms } from '../../../../../test/support/servers/installed.ts'
import { makeFolder, removeFolder, runProgram } from '../../../../../test/support/servers/service.ts'
import { supportsPresigning } from '../../index.ts'
import { bodyOf, pattern } from '../../testing/bodies.ts'
import { openFor, settingsFor } from './open.ts'

const KEY = 'ein ordner/größe +1%.bin'
const content = pattern(9_000_000)

/** Whether other clients can read our objects. */
export function clientsTests(server: () => Ceph): void {
  test('s3cmd reads what was put', { skip: missingPrograms('s3cmd') ?? false }, async (t) => {
    const { host, port, accessKey, secretKey } = server()
    const { folder, file } = await prepare(t, server(), 'read-by-s3cmd')
    const place = [`--host=${host}:${port}`, `--host-bucket=${host}:${port}`, '--no-ssl', '--config=/dev/null']
    const keys = [`--access_key=${accessKey}`, `--secret_key=${secretKey}`]
    const args = [...place, ...keys, 'get', `s3://read-by-s3cmd/${KEY}`, file]
    await runProgram({ command: 'env', args: ['LC_ALL=C.UTF-8', 's3cmd', ...args], folder })
    assert.ok(readFileSync(file).equals(content))
  })

  test('the AWS command line reads what was put', { skip: missingPrograms('aws') ?? false }, async (t) => {
    const { endpoint, accessKey, secretKey } = server()
    const { folder, file } = await prepare(t, server(), 'read-by-aws')
    const args = ['--endpoint-url', endpoint, '--region', 'us-east-1', 's3', 'cp', `s3://read-by-aws/${KEY}`, file]
    const env = ['LC_ALL=C.UTF-8', `AWS_ACCESS_KEY_ID=${accessKey}`, `AWS_SECRET_ACCESS_KEY=${secretKey}`]
    await runProgram({ command: 'env', args: [...env, 'aws', ...args], folder })
    assert.ok(readFileSync(file).equals(content))
  })

  test('curl follows a link, and saves it under the name it was made for', {
    skip: missingPrograms('curl') ?? false
  }, async (t) => {
    const { folder, file, store } = await prepare(t, server(), 'read-by-curl')
    assert.ok(supportsPresigning(store))
    const link = await store.presign('read-by-curl', KEY, { expiresInSeconds: 60, downloadAs: 'Größe.bin' })
    const args = ['--silent', '--fail', '--dump-header', join(folder, 'headers'), '--output', file, link]
    await runProgram({ command: 'curl', args, folder })
    assert.ok(readFileSync(file).equals(content))
    const headers = readFileSync(join(folder, 'headers'), 'utf8')
    assert.match(headers, /content-disposition: attachment; filename=".*"; filename\*=UTF-8''Gr%C3%B6%C3%9Fe\.bin/i)
  })
}

async function prepare(t: TestContext, ceph: Ceph, bucket: string) {
  const store = openFor(t, settingsFor(ceph))
  await store.createBucket(bucket)
  await store.put(bucket, KEY, bodyOf(content), { contentType: 'application/octet-stream' })
  const folder = makeFolder('s3-clients')
  t.after(() => removeFolder(folder))
  return { store, folder, file: join(folder, 'file') }
}

// Once: a file, and what it starts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readConfig } from '../src/areas.ts'
import { allSettings } from '../src/config.ts'
import { readCompose } from './support/compose.ts'

const SECRETS = {
  SECRET_KEY: 'f'.repeat(64),
  POSTGRES_PASSWORD: 'a'.repeat(32),
  CLICKHOUSE_PASSWORD: 'b'.repeat(32),
  S3_SECRET_KEY: 'c'.repeat(40)
}

describe('compose.yaml', () => {
  it('asks for every secret, and says how to make one', () => {
    for (const name of Object.keys(SECRETS)) {
      const hint = new RegExp(`${name}: set it to .* openssl rand -hex`)
      assert.throws(() => readCompose({ ...SECRETS, [name]: '' }), hint)
    }
    const text = readFileSync(join(import.meta.dirname, '../compose.yaml'), 'utf8')
    for (const name of Object.keys(SECRETS)) assert.match(text, new RegExp(`^#.*${name}=\\$\\(openssl rand`, 'm'))
  })

  it('gives the server settings that are valid, and all that several replicas need', () => {
    const { millrace } = readCompose(SECRETS).services
    const known = new Set<string>(allSettings().map(({ name }) => name))
    for (const name of Object.keys(millrace?.environment ?? {})) assert.ok(known.has(name), name)
    const config = readConfig({ ...millrace?.environment })
    assert.equal(config.databaseUrl, `postgres://millrace:${SECRETS.POSTGRES_PASSWORD}@postgres:5432/millrace`)
    assert.equal(config.seriesUrl, `clickhouse://millrace:${SECRETS.CLICKHOUSE_PASSWORD}@clickhouse:8123/millrace`)
    assert.equal(config.objectsUrl, `s3://millrace:${SECRETS.S3_SECRET_KEY}@s3:8333?tls=false`)
    assert.deepEqual(config.allowedHosts, ['s3'])
    const more = readCompose({ ...SECRETS, ALLOWED_HOSTS: 'mqtt,10.0.0.7' }).services.millrace?.environment
    assert.equal(more?.ALLOWED_HOSTS, 's3,mqtt,10.0.0.7')
  })

  it('waits for each of its servers, which keep their data in volumes and have the same credentials', () => {
    const { services, volumes, configs } = readCompose(SECRETS)
    const { postgres, clickhouse, s3, millrace, proxy } = services
    assert.deepEqual(Object.keys(millrace?.depends_on ?? {}), ['postgres', 'clickhouse', 's3'])
    for (const { condition } of Object.values(millrace?.depends_on ?? {})) assert.equal(condition, 'service_healthy')
    for (const service of [postgres, clickhouse, s3]) {
      assert.match(service?.image ?? '', /^[\w./-]+:\d/, 'a version, not the latest')
      assert.ok(service?.healthcheck?.test)
      const [volume = ''] = service?.volumes?.[0]?.split(':') ?? []
      assert.ok(Object.hasOwn(volumes, volume), volume)
    }
    assert.equal(postgres?.environment?.POSTGRES_PASSWORD, SECRETS.POSTGRES_PASSWORD)
    assert.equal(clickhouse?.environment?.CLICKHOUSE_PASSWORD, SECRETS.CLICKHOUSE_PASSWORD)
    const { identities } = JSON.parse(configs.s3?.content ?? '')
    assert.deepEqual(identities[0].credentials, [{ accessKey: 'millrace', secretKey: SECRETS.S3_SECRET_KEY }])
    assert.ok(proxy?.image)
  })

  it('runs the server with as few rights as it can do with', () => {
    const { millrace } = readCompose(SECRETS).services
    assert.deepEqual([millrace?.read_only, millrace?.cap_drop], [true, ['ALL']])
    assert.deepEqual(millrace?.security_opt, ['no-new-privileges:true'])
    assert.equal(millrace?.stop_grace_period, '35s')
  })
})

import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { AREAS, readConfig } from './areas.ts'
import { allSettings, type Config, ConfigError } from './config.ts'

const SECRET = 'x'.repeat(32)
const OIDC = { OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'millrace' }

/** The defaults of the settings that areas declare. */
const OF_AREAS = Object.fromEntries(
  AREAS.flatMap(({ settings = {} }) =>
    Object.entries(settings).map(([member, setting]) => [member, setting.read(setting.default)])
  )
)

const DEFAULTS: Config = {
  ...OF_AREAS,
  host: '127.0.0.1',
  port: 8080,
  publicUrl: undefined,
  dataDir: resolve('./data'),
  databaseUrl: undefined,
  objectsUrl: undefined,
  seriesUrl: undefined,
  classifyUploads: false,
  maxObjectBytes: 5 * 1024 ** 3,
  secretKeys: undefined,
  oidc: undefined,
  rateLimitPerMinute: 6000,
  maxBodyBytes: 1_048_576,
  writeRateLimitPerMinute: 60_000,
  maxWriteBytes: 32 * 1024 * 1024,
  maxQueryPoints: 1_000_000,
  pipelineMemoryMb: 1024,
  pipelineProcesses: 2 * availableParallelism(),
  scheduleHistoryDays: 90,
  backupDir: undefined,
  lineageKeepDays: 365,
  lineageDownloads: [],
  openLineageUrl: undefined,
  openLineageKey: undefined,
  qualityKeepDays: 90,
  qualityEvaluationSeconds: 120,
  trustProxy: false,
  allowPrivateNetworks: false,
  allowedHosts: [],
  logLevel: 'info'
}

type Env = Record<string, string>

const oidc = (more: object) => ({
  issuer: undefined,
  audience: 'm',
  jwksUrl: undefined,
  rolesClaim: undefined,
  ...more
})

const GOOD: [env: Env, expected: Partial<Config>][] = [
  [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
  [{ PORT: '0' }, { port: 0 }],
  [{ PORT: ' 65535 ' }, { port: 65_535 }],
  [{ PORT: '' }, { port: 8080 }],
  [{ PUBLIC_URL: 'https://data.example/' }, { publicUrl: 'https://data.example' }],
  [{ DATA_DIR: '/var/lib/millrace' }, { dataDir: '/var/lib/millrace' }],
  [{ DATABASE_URL: 'postgres://u:p@db/m?sslmode=require' }, { databaseUrl: 'postgres://u:p@db/m?sslmode=require' }],
  [{ DATABASE_URL: 'postgresql://db/m' }, { databaseUrl: 'postgresql://db/m' }],
  [{ OBJECTS_URL: 's3://k:s@store:9000/p?tls=false' }, { objectsUrl: 's3://k:s@store:9000/p?tls=false' }],
  [{ SERIES_URL: 'clickhouse://u:p@store:8123/d' }, { seriesUrl: 'clickhouse://u:p@store:8123/d' }],
  [{ MAX_OBJECT_BYTES: '1000' }, { maxObjectBytes: 1000 }],
  [{ SECRET_KEY: SECRET }, { secretKeys: [SECRET] }],
  [{ SECRET_KEY: `${SECRET}, ${SECRET}2 ,` }, { secretKeys: [SECRET, `${SECRET}2`] }],
  [
    { OIDC_ISSUER: 'https://id.example/', OIDC_AUDIENCE: 'm' },
    // Kept as the provider spells it: the slash is part of the issuer's name in its tokens.
    { oidc: oidc({ issuer: 'https://id.example/' }) }
  ],
  [{ JWKS_URL: 'http://id/keys', OIDC_AUDIENCE: 'm' }, { oidc: oidc({ jwksUrl: 'http://id/keys' }) }],
  [
    { OIDC_ISSUER: 'https://id', OIDC_AUDIENCE: 'm', OIDC_ROLES_CLAIM: 'a.b' },
    { oidc: oidc({ issuer: 'https://id', rolesClaim: 'a.b' }) }
  ],
  [{ RATE_LIMIT: '0' }, { rateLimitPerMinute: 0 }],
  [{ WRITE_RATE_LIMIT: '0' }, { writeRateLimitPerMinute: 0 }],
  [{ MAX_WRITE_BYTES: '1024' }, { maxWriteBytes: 1024 }],
  [{ MAX_QUERY_POINTS: '1' }, { maxQueryPoints: 1 }],
  [{ PIPELINE_MEMORY_MB: '64' }, { pipelineMemoryMb: 64 }],
  [{ PIPELINE_PROCESSES: '1' }, { pipelineProcesses: 1 }],
  [{ CLASSIFY_UPLOADS: 'true' }, { classifyUploads: true }],
  [{ SCHEDULE_HISTORY_DAYS: '7' }, { scheduleHistoryDays: 7 }],
  [{ BACKUP_DIR: '/backups' }, { backupDir: '/backups' }],
  [{ LINEAGE_KEEP_DAYS: '0' }, { lineageKeepDays: 0 }],
  [{ LINEAGE_DOWNLOADS: 'lake, shop,' }, { lineageDownloads: ['lake', 'shop'] }],
  [{ QUALITY_KEEP_DAYS: '30' }, { qualityKeepDays: 30 }],
  [{ QUALITY_EVALUATION_SECONDS: '300' }, { qualityEvaluationSeconds: 300 }],
  [{ OPENLINEAGE_URL: 'https://marquez.example' }, { openLineageUrl: 'https://marquez.example' }],
  [{ OPENLINEAGE_API_KEY: 'a key' }, { openLineageKey: 'a key' }],
  [{ MAX_BODY_BYTES: '1024' }, { maxBodyBytes: 1024 }],
  [{ TRUST_PROXY: 'true' }, { trustProxy: true }],
  [{ ALLOW_PRIVATE_NETWORKS: 'true' }, { allowPrivateNetworks: true }],
  [
    { ALLOWED_HOSTS: 'db.local, *.plant.example,10.0.0.0/8' },
    { allowedHosts: ['db.local', '*.plant.example', '10.0.0.0/8'] }
  ],
  [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }]
]

const BAD: [env: Env, problem: RegExp][] = [
  [{ LINEAGE_DOWNLOADS: 'lake, dl' }, /^LINEAGE_DOWNLOADS must be names of buckets .* called 'dl'$/],
  [{ OPENLINEAGE_URL: 'ftp://marquez.example' }, /^OPENLINEAGE_URL must be an http or https address/],
  [{ OPENLINEAGE_URL: 'https://me:secret@marquez.example' }, /^OPENLINEAGE_URL must be .* without a name or password/],
  [{ PORT: '-1' }, /^PORT must be a whole number from 0 to 65535, not '-1'$/],
  [{ PORT: '65536' }, /^PORT must be/],
  [{ PORT: '80.5' }, /^PORT must be/],
  [{ PORT: 'http' }, /^PORT must be/],
  [{ PUBLIC_URL: 'data.example' }, /^PUBLIC_URL must start with http:\/\/ or https:\/\/$/],
  [{ PUBLIC_URL: 'ftp://data.example' }, /^PUBLIC_URL must start/],
  [{ SERIES_URL: 'http://store' }, /^SERIES_URL must start with clickhouse:\/\/$/],
  [{ OBJECTS_URL: 'http://k:s@store' }, /^OBJECTS_URL must start with s3:\/\/$/],
  [{ OBJECTS_URL: 's3://store' }, /^OBJECTS_URL must hold an access key and a secret/],
  [{ MAX_OBJECT_BYTES: '0' }, /^MAX_OBJECT_BYTES must be a whole number/],
  [{ DATABASE_URL: 'mysql://u:hunter2@db/m' }, /^DATABASE_URL must start with postgres:\/\/ or postgresql:\/\/$/],
  [{ SECRET_KEY: 'short' }, /^SECRET_KEY must have 32 characters or more/],
  [{ SECRET_KEY: `${SECRET},short` }, /^SECRET_KEY must have/],
  [{ OIDC_ISSUER: 'id.example', OIDC_AUDIENCE: 'm' }, /^OIDC_ISSUER must start with/],
  [{ OIDC_ISSUER: 'https://id.example' }, /^OIDC_AUDIENCE is missing/],
  [{ JWKS_URL: 'https://id.example/keys' }, /^OIDC_AUDIENCE is missing/],
  [{ OIDC_AUDIENCE: 'm' }, /^OIDC_AUDIENCE needs OIDC_ISSUER or JWKS_URL/],
  [{ ...OIDC, JWKS_URL: 'file:///keys' }, /^JWKS_URL must start with/],
  [{ RATE_LIMIT: '-5' }, /^RATE_LIMIT must be a whole number from 0/],
  [{ RATE_LIMIT: '1e99' }, /^RATE_LIMIT must be/],
  [{ MAX_BODY_BYTES: '1023' }, /^MAX_BODY_BYTES must be a whole number from 1024/],
  [{ MAX_BODY_BYTES: '67108865' }, /^MAX_BODY_BYTES must be/],
  [{ PIPELINE_MEMORY_MB: '63' }, /^PIPELINE_MEMORY_MB must be a whole number from 64/],
  [{ PIPELINE_PROCESSES: '0' }, /^PIPELINE_PROCESSES must be a whole number from 1/],
  [{ CLASSIFY_UPLOADS: 'yes' }, /^CLASSIFY_UPLOADS must be true or false, not 'yes'$/],
  [{ TRUST_PROXY: 'yes' }, /^TRUST_PROXY must be true or false, not 'yes'$/],
  [{ ALLOW_PRIVATE_NETWORKS: '1' }, /^ALLOW_PRIVATE_NETWORKS must be true or false/],
  [{ ALLOWED_HOSTS: 'db, http://minio:9000' }, /^ALLOWED_HOSTS has "http:\/\/minio:9000", which is none of host/],
  [{ LOG_LEVEL: 'verbose' }, /^LOG_LEVEL must be one of trace, debug, info, warn, error, silent$/]
]

function problemsOf(env: Env): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    for (const problem of error.problems) assert.ok(error.message.includes(problem))
    return error.problems
  }
  return []
}

describe('the configuration', () => {
  it('has a default for everything', () => {
    assert.deepEqual(readConfig({}), DEFAULTS)
    assert.deepEqual(readConfig(Object.fromEntries(allSettings().map(({ name }) => [name, '  ']))), DEFAULTS)
    assert.deepEqual(readConfig({ UNRELATED: 'x' }), DEFAULTS)
  })

  it('takes the defaults that are documented', () => {
    assert.deepEqual(
      readConfig(Object.fromEntries(allSettings().map((setting) => [setting.name, setting.default]))),
      DEFAULTS
    )
  })

  for (const [env, expected] of GOOD) {
    it(`takes ${JSON.stringify(env)}`, () => assert.deepEqual(readConfig(env), { ...DEFAULTS, ...expected }))
  }

  for (const [env, problem] of BAD) {
    it(`refuses ${JSON.stringify(env)}`, () => {
      const problems = problemsOf(env)
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0] as string, problem)
    })
  }

  it('is tried here with every setting', () => {
    const tried = new Set([...GOOD, ...BAD].flatMap(([env]) => Object.keys(env)))
    const names = new Set(allSettings().map(({ name }) => name))
    for (const name of names) assert.ok(tried.has(name), `Add a value of ${name} to GOOD or BAD in src/config.test.ts`)
    for (const name of tried) assert.ok(names.has(name), `src/config.test.ts tries ${name}, which nobody declares`)
  })

  it('tells every problem at once, and no secret', () => {
    const problems = problemsOf({
      PORT: 'x',
      PUBLIC_URL: 'x',
      DATABASE_URL: 'mysql://u:hunter2@db',
      SECRET_KEY: 'hunter2',
      OIDC_ISSUER: 'x',
      RATE_LIMIT: 'x',
      MAX_BODY_BYTES: 'x',
      TRUST_PROXY: 'x',
      ALLOW_PRIVATE_NETWORKS: 'x',
      LOG_LEVEL: 'x'
    })
    assert.equal(problems.length, 11, problems.join('\n'))
    assert.doesNotMatch(problems.join('\n'), /hunter2/)
  })

  it('can’t be changed', () => {
    const config = readConfig({ ...OIDC, SECRET_KEY: SECRET, ALLOWED_HOSTS: 'a' }) as { host: string }
    assert.throws(() => {
      config.host = 'elsewhere'
    }, TypeError)
    for (const part of [config, ...Object.values(config)]) assert.ok(Object.isFrozen(part), JSON.stringify(part))
  })
})

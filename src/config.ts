import { resolve } from 'node:path'
import { allowListProblems } from './engines/outbound/allow-list.ts'
import { EnvReading, SettingFault } from './env-reading.ts'

/** What the operator decided. The environment is read here and nowhere else. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Where users reach the server, when that differs from where it listens. */
  readonly publicUrl: string | undefined
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** The address of the built-in object store; undefined: the disk. */
  readonly objectsUrl: string | undefined
  /** Where time series are kept; undefined: files in `dataDir`. */
  readonly seriesUrl: string | undefined
  /** The first key seals, the others can still open; undefined: a file in `dataDir`, made on the first start. */
  readonly secretKeys: readonly string[] | undefined
  /** Undefined: the built-in issuer. */
  readonly oidc: OidcConfig | undefined
  readonly rateLimitPerMinute: number
  readonly maxBodyBytes: number
  readonly writeRateLimitPerMinute: number
  readonly maxWriteBytes: number
  readonly trustProxy: boolean
  readonly allowPrivateNetworks: boolean
  readonly allowedHosts: readonly string[]
  readonly logLevel: string
}

export interface OidcConfig {
  readonly issuer: string | undefined
  readonly audience: string | undefined
  readonly jwksUrl: string | undefined
  readonly rolesClaim: string | undefined
}

interface Setting {
  readonly name: string
  readonly default: string
  readonly about: string
}

/** A setting that is an area's own, read into the member of `Config` that the area adds by declaration merging. */
export interface AreaSetting extends Setting {
  /** Throws a `SettingFault`. `text` is empty where nothing was set and there is no default. */
  read(text: string): unknown
}

export type AreaSettings = Readonly<Record<string, AreaSetting>>

const declared = new Map<string, AreaSetting>()

export function declareSettings(settings: AreaSettings): void {
  for (const [member, setting] of Object.entries(settings)) {
    if (allSettings().some(({ name }) => name === setting.name) || declared.has(member)) {
      throw new Error(`The setting ${setting.name} is declared twice`)
    }
    declared.set(member, setting)
  }
}

/** Every setting, as the README lists them: a test compares the two. */
export const allSettings = (): Setting[] =>
  [...SETTINGS, ...declared.values()].map(({ name, default: unset, about }) => ({ name, default: unset, about }))

/** The settings that belong to no area. */
const SETTINGS = [
  { name: 'HOST', default: '127.0.0.1', about: 'Address to listen on' },
  { name: 'PORT', default: '8080', about: 'Port to listen on; 0 takes a free one' },
  { name: 'PUBLIC_URL', default: '', about: 'Address at which users reach the server, where a proxy stands before it' },
  { name: 'DATA_DIR', default: './data', about: 'Folder of everything the embedded engines keep' },
  { name: 'DATABASE_URL', default: '', about: '`postgres://…` keeps metadata in PostgreSQL, for several replicas' },
  {
    name: 'OBJECTS_URL',
    default: '',
    about:
      '`s3://key:secret@host:port/prefix?region=…&tls=false` keeps the objects of the built-in provider in S3; without it they are files in `DATA_DIR`'
  },
  {
    name: 'SERIES_URL',
    default: '',
    about:
      '`clickhouse://user:password@host:8123/database?cluster=…&replicated=true&tls=true` keeps time series in ClickHouse; without it they are files in `DATA_DIR`'
  },
  {
    name: 'SECRET_KEY',
    default: '',
    about:
      'Secret that seals credentials, 32 characters or more; without it one is made in `DATA_DIR`. Replicas share it. Several, divided by commas: the first seals, the others still open'
  },
  { name: 'OIDC_ISSUER', default: '', about: 'Address of the OpenID provider; without it the built-in issuer is used' },
  { name: 'OIDC_AUDIENCE', default: '', about: 'Audience that access tokens must be made for' },
  { name: 'JWKS_URL', default: '', about: 'Address of the provider’s keys, where it has no discovery document' },
  {
    name: 'OIDC_ROLES_CLAIM',
    default: '',
    about:
      'Claim that holds the roles, dots for nesting; without it `roles`, `realm_access.roles` and `groups` are tried'
  },
  { name: 'RATE_LIMIT', default: '6000', about: 'Requests a minute for each caller; 0 switches the limit off' },
  {
    name: 'WRITE_RATE_LIMIT',
    default: '60000',
    about: 'Writes of points a minute for each caller; 0 switches the limit off'
  },
  { name: 'MAX_BODY_BYTES', default: '1048576', about: 'Largest JSON body accepted' },
  {
    name: 'MAX_WRITE_BYTES',
    default: '33554432',
    about: 'Largest body of points accepted, as it is sent; unpacked it may have four times that, for pipelines as much'
  },
  { name: 'TRUST_PROXY', default: 'false', about: '`true` takes the caller’s address from `X-Forwarded-For`' },
  { name: 'ALLOW_PRIVATE_NETWORKS', default: 'false', about: '`true` lets the server call private addresses' },
  {
    name: 'ALLOWED_HOSTS',
    default: '',
    about:
      'Private hosts it may call all the same: names, `*.suffix` or addresses, each also with `:port`, and CIDR, by commas'
  },
  { name: 'LOG_LEVEL', default: 'info', about: '`trace`, `debug`, `info`, `warn`, `error` or `silent`' }
] as const satisfies readonly Setting[]

type Name = (typeof SETTINGS)[number]['name']

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent']
const MIN_SECRET_CHARS = 32

/** Everything that is wrong with the configuration, told at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem(s):\n${problems.map((text) => `  ${text}`).join('\n')}`)
    this.problems = problems
  }
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const values = new EnvReading<Name>(env, new Map(SETTINGS.map(({ name, default: unset }) => [name, unset])))
  const { problems } = values
  const secretKeys = readSecrets(values)
  if (!LOG_LEVELS.includes(values.text('LOG_LEVEL'))) problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`)
  problems.push(...allowListProblems(values.list('ALLOWED_HOSTS')))
  const ofAreas = readAreaSettings(env, problems)
  const config = {
    host: values.text('HOST'),
    port: values.integer('PORT', 0, 65535),
    publicUrl: values.url('PUBLIC_URL', ['http', 'https'])?.replace(/\/$/, ''),
    dataDir: resolve(values.text('DATA_DIR')),
    databaseUrl: values.url('DATABASE_URL', ['postgres', 'postgresql']),
    objectsUrl: readObjectsUrl(values),
    seriesUrl: values.url('SERIES_URL', ['clickhouse']),
    secretKeys,
    oidc: readOidc(values),
    rateLimitPerMinute: values.integer('RATE_LIMIT', 0, 100_000_000),
    maxBodyBytes: values.integer('MAX_BODY_BYTES', 1024, 64 * 1024 * 1024),
    writeRateLimitPerMinute: values.integer('WRITE_RATE_LIMIT', 0, 100_000_000),
    maxWriteBytes: values.integer('MAX_WRITE_BYTES', 1024, 256 * 1024 * 1024),
    trustProxy: values.flag('TRUST_PROXY'),
    allowPrivateNetworks: values.flag('ALLOW_PRIVATE_NETWORKS'),
    allowedHosts: values.list('ALLOWED_HOSTS'),
    logLevel: values.text('LOG_LEVEL'),
    ...ofAreas
  } as unknown as Config
  if (problems.length > 0) throw new ConfigError(problems)
  for (const part of Object.values(config)) Object.freeze(part)
  return Object.freeze(config)
}

type Values = EnvReading<Name>

function readSecrets(values: Values): string[] | undefined {
  const secrets = values.list('SECRET_KEY')
  if (secrets.some((secret) => secret.length < MIN_SECRET_CHARS)) {
    values.problems.push(
      `SECRET_KEY must have ${MIN_SECRET_CHARS} characters or more, for example from 'openssl rand -hex 32'`
    )
  }
  return secrets.length > 0 ? secrets : undefined
}

function readAreaSettings(env: NodeJS.ProcessEnv, problems: string[]): Record<string, unknown> {
  const ofAreas: Record<string, unknown> = {}
  for (const [member, { name, default: unset, read }] of declared) {
    try {
      ofAreas[member] = read(env[name]?.trim() || unset)
    } catch (error) {
      if (!(error instanceof SettingFault)) throw error
      problems.push(`${name} ${error.message}`)
    }
  }
  return ofAreas
}

function readObjectsUrl(values: Values): string | undefined {
  const value = values.url('OBJECTS_URL', ['s3'])
  if (value === undefined || !URL.canParse(value)) return value
  const { username, password, hostname } = new URL(value)
  if (username === '' || password === '')
    values.problems.push('OBJECTS_URL must hold an access key and a secret: s3://key:secret@host')
  if (hostname === '') values.problems.push('OBJECTS_URL must name a host: s3://key:secret@host')
  return value
}

function readOidc(values: Values): OidcConfig | undefined {
  const oidc = {
    issuer: values.url('OIDC_ISSUER', ['http', 'https']),
    audience: values.optional('OIDC_AUDIENCE'),
    jwksUrl: values.url('JWKS_URL', ['http', 'https']),
    rolesClaim: values.optional('OIDC_ROLES_CLAIM')
  }
  if (oidc.issuer === undefined && oidc.jwksUrl === undefined) {
    if (oidc.audience !== undefined) values.problems.push('OIDC_AUDIENCE needs OIDC_ISSUER or JWKS_URL beside it')
    return undefined
  }
  if (oidc.audience === undefined) {
    values.problems.push('OIDC_AUDIENCE is missing: without it a token made for another service would be accepted')
  }
  return oidc
}

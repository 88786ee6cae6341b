/** Where ClickHouse is, and how points are spread there. */
export interface ClickhouseSettings {
  /** `http://host:port` or `https://…`, without credentials. */
  readonly origin: string
  readonly user: string
  readonly password: string
  readonly database: string
  /** The servers that share the points, as ClickHouse's own configuration names them; undefined: the one server. */
  readonly cluster: string | undefined
  /** Whether each shard keeps copies of its points, by way of ClickHouse's replicated tables. */
  readonly isReplicated: boolean
}

const OPTIONS = ['tls', 'cluster', 'replicated']

/** Reads `clickhouse://user:password@host:8123/database?tls=true&cluster=name&replicated=true`. */
export function readSettings(text: string): ClickhouseSettings {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'clickhouse:' || url.hostname === '') {
    throw new Error('The address of ClickHouse must look like clickhouse://user:password@host:8123/database')
  }
  const unknown = [...url.searchParams.keys()].find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) {
    throw new Error(`The address of ClickHouse has the option "${unknown}"; there are ${OPTIONS.join(', ')}`)
  }
  const useTls = flag(url, 'tls')
  const database = decoded(url.pathname.slice(1)) || 'millrace'
  if (!isName(database)) throw nameFault('database', database)
  const cluster = url.searchParams.get('cluster') ?? undefined
  if (cluster !== undefined && !isName(cluster)) throw nameFault('cluster', cluster)
  return {
    origin: `${useTls ? 'https' : 'http'}://${url.hostname}:${url.port || (useTls ? 8443 : 8123)}`,
    user: decoded(url.username) || 'default',
    password: decoded(url.password),
    database,
    cluster,
    isReplicated: flag(url, 'replicated')
  }
}

function flag(url: URL, name: string): boolean {
  const value = url.searchParams.get(name) ?? 'false'
  if (value !== 'true' && value !== 'false') {
    throw new Error(`The option "${name}" in the address of ClickHouse must be true or false`)
  }
  return value === 'true'
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error('The address of ClickHouse has a % that is not followed by two hexadecimal digits')
  }
}

/** Whether it is a name that never needs quotes. */
function isName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
}

function nameFault(what: string, name: string): Error {
  return new Error(`The name of the ${what} in the address of ClickHouse, "${name}", may have letters, digits and _`)
}

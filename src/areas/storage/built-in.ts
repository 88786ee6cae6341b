import type { RemoteSettings } from '../../engines/objects/index.ts'

/** Reads `OBJECTS_URL`, which the configuration has checked: `s3://key:secret@host:port/prefix?region=…&tls=false`. */
export function builtInSettings(objectsUrl: string): RemoteSettings & { readonly bucketPrefix: string } {
  const url = new URL(objectsUrl)
  const query = url.searchParams
  return {
    kind: 's3',
    endpoint: url.hostname,
    port: url.port === '' ? undefined : Number(url.port),
    useTls: query.get('tls') !== 'false',
    region: query.get('region') ?? undefined,
    pathStyle: query.get('pathStyle') !== 'false',
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
    bucketPrefix: url.pathname.replaceAll('/', '')
  }
}

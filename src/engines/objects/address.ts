import type { RemoteSettings } from './open.ts'

/** The server that answers for a store. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly secure: boolean
}

/** The Azure service of some cloud; the account goes in front of it. */
const AZURE_SERVICE = /^blob\.core\.[a-z.]+$/

export function addressOf(settings: RemoteSettings): ServerAddress {
  const { endpoint, port, useTls } = settings
  if (endpoint === undefined) return { host: vendorHost(settings), port: 443, secure: true }
  const isService = settings.kind === 'azure' && AZURE_SERVICE.test(endpoint)
  const host = isService ? `${settings.accessKey}.${endpoint}` : endpoint.replace(/^\[|\]$/g, '')
  return { host, port: port ?? (useTls ? 443 : 80), secure: useTls }
}

function vendorHost({ kind, region = 'us-east-1', accessKey }: RemoteSettings): string {
  switch (kind) {
    case 's3':
      return `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
    case 'azure':
      return `${accessKey}.blob.core.windows.net`
    case 'gcs':
      return 'storage.googleapis.com'
  }
}

import { StoreError } from '../errors.ts'
import type { RemoteSettings } from '../open.ts'

/** The vendor's rule; also keeps anything out of the URL that would change its host. */
const ACCOUNT = /^[a-z0-9]{3,24}$/
const SERVICE = /^blob\.core\.[a-z.]+$/

/**
 * Where the account's containers are. Without an endpoint that is the vendor's address. An endpoint that begins with
 * the account (`acme.privatelink.blob.core.windows.net`) is taken as it is, one that names the service of another cloud
 * (`blob.core.chinacloudapi.cn`) gets the account in front, and any other (Azurite, an address) has it in the path.
 */
export function accountUrl(settings: RemoteSettings): string {
  const { accessKey: account, endpoint, port, useTls } = settings
  if (!ACCOUNT.test(account)) {
    throw new StoreError(
      'unknown_access_key',
      'The access key is the name of the storage account: 3 to 24 small letters and digits'
    )
  }
  if (endpoint === undefined) return `https://${account}.blob.core.windows.net`
  const bracketed = endpoint.includes(':') && !endpoint.startsWith('[') ? `[${endpoint}]` : endpoint
  const host = port === undefined ? bracketed : `${bracketed}:${port}`
  const scheme = useTls ? 'https' : 'http'
  if (endpoint.startsWith(`${account}.`)) return `${scheme}://${host}`
  if (SERVICE.test(endpoint)) return `${scheme}://${account}.${host}`
  return `${scheme}://${host}/${account}`
}

import { MAX_REFERENCE_CHARS } from '../../../data/reference.ts'
import { datasetReference } from '../../lineage/index.ts'

/** Data outside the platform, by the names that OpenLineage gives them: where they are, and what they are called there. */
export const outsideData = (namespace: string, name: string): string =>
  datasetReference(namespace, name).slice(0, MAX_REFERENCE_CHARS).toWellFormed()

/** `host:port`, with brackets where the host is an address with colons. */
export function authorityOf(host: string, port: number): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`
}

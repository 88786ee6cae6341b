import { Problem } from '../errors.ts'

/** Resources that change carry their version, and that is their entity tag. */
export function etagOf(resource: unknown): string | undefined {
  const version = (resource as { version?: unknown } | null | undefined)?.version
  return Number.isInteger(version) ? `"v${version}"` : undefined
}

/** Whether the caller already has this state (`If-None-Match`). */
export function isFresh(header: string | undefined, etag: string): boolean {
  return header !== undefined && tagsOf(header).some((tag) => tag === '*' || tag === etag)
}

/** Honours `If-Match` on a change: within its transaction, so that nobody can slip in between. */
export function requireMatch(header: string | undefined, before: object | undefined): void {
  if (header === undefined) return
  const etag = etagOf(before)
  const matches = before !== undefined && tagsOf(header).some((tag) => tag === '*' || tag === etag)
  if (!matches) throw new Problem('stale_version', { members: { currentEtag: etag ?? null } })
}

function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
}

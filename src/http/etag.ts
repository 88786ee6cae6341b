import { Problem } from '../errors.ts'

/** A resource's version is its entity tag; a resource that is itself a version has revisions in place of it. */
export function etagOf(resource: unknown): string | undefined {
  const { version, revision } = (resource ?? {}) as { version?: unknown; revision?: unknown }
  if (!Number.isInteger(version)) return undefined
  return Number.isInteger(revision) ? `"v${version}.${revision}"` : `"v${version}"`
}

/** Whether the caller already has this state (`If-None-Match`). */
export function isFresh(header: string | undefined, etag: string): boolean {
  return header !== undefined && tagsOf(header).some((tag) => tag === '*' || tag === etag)
}

/** Honours `If-Match` on a change, within its transaction, so that no other change can come in between. */
export function requireMatch(header: string | undefined, before: object | undefined): void {
  if (header === undefined) return
  const etag = etagOf(before)
  const matches = before !== undefined && tagsOf(header).some((tag) => tag === '*' || tag === etag)
  if (!matches) throw new Problem('stale_version', { members: { currentEtag: etag ?? null } })
}

function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
}

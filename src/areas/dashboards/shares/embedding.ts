import type { ShareRow } from './migrations.ts'

/** Lets pages of the sites that a share names read and frame it, and no others. */
export function embeddingHeaders(
  { origins }: Pick<ShareRow, 'origins'>,
  origin: string | undefined
): Readonly<Record<string, string>> {
  const allowed = JSON.parse(origins) as string[]
  const isAllowed = origin !== undefined && allowed.includes(origin)
  return { vary: 'origin', ...(isAllowed && { 'access-control-allow-origin': origin }) }
}

/** The sites that may frame a page, as `Content-Security-Policy` says it. */
export function frameAncestors({ origins }: Pick<ShareRow, 'origins'>): string {
  const allowed = JSON.parse(origins) as string[]
  return `frame-ancestors ${allowed.length === 0 ? "'none'" : allowed.join(' ')}`
}

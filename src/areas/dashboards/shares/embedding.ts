import type { ShareRow } from './migrations.ts'

/** The sites that may frame a page, as `Content-Security-Policy` says it. */
export function frameAncestors({ origins }: Pick<ShareRow, 'origins'>): string {
  const allowed = JSON.parse(origins) as string[]
  return `frame-ancestors ${allowed.length === 0 ? "'none'" : allowed.join(' ')}`
}

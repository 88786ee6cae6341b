import type { Role } from './index.ts'

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin']

const USUAL_PLACES = ['roles', 'realm_access.roles', 'groups']

/** A role by its bare name or as a role or group of Millrace's own; `other-admin` and `/other/admin` are not ours. */
const ROLE_NAME = /^(?:millrace[-:/]|\/millrace\/)?(viewer|editor|admin)$/i

/** The roles in the claim at `path`, or else in the first of the usual places that the token has. */
export function readRoles(claims: Readonly<Record<string, unknown>>, path: string | undefined): readonly Role[] {
  const places = path === undefined ? USUAL_PLACES : [path]
  const value = places.map((place) => valueAt(claims, place)).find((found) => found !== undefined && found !== null)
  const names = new Set(namesIn(value).map((name) => ROLE_NAME.exec(name)?.[1]?.toLowerCase()))
  return Object.freeze(ROLES.filter((role) => names.has(role)))
}

/** A claim of that whole name comes first: names such as `https://example.com/roles` have dots of their own. */
function valueAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.split(/[\s,]+/)
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
}

import type { Role } from '../engines/identity/index.ts'

/**
 * What operations need, by area: each adds its own by declaration merging. The second half is also the least role that has
 * it: `read` any viewer, `write` any editor, `admin` only administrators; `self`, which every caller has, is for operations
 * on what is the caller's own.
 */
export interface Permissions {
  metrics: 'read'
}

export type Permission = { [A in keyof Permissions]: `${A}:${Permissions[A]}` }[keyof Permissions]

const declared = new Set<Permission>(['metrics:read'])

/** All permissions that areas have declared. */
export const allPermissions = (): Permission[] => [...declared].sort()

export function declarePermissions(permissions: readonly Permission[]): void {
  for (const permission of permissions) {
    if (declared.has(permission)) throw new Error(`The permission ${permission} is declared twice`)
    declared.add(permission)
  }
}

type Access = 'self' | 'read' | 'write' | 'admin'

/** Who is calling. */
export interface Actor {
  readonly id: string
  readonly name: string
  readonly role: Role | undefined
  /** Narrows what the role allows; undefined where nothing is narrowed. Only API keys have scopes. */
  readonly scopes: readonly string[] | undefined
  readonly apiKeyId: string | undefined
  readonly apiKeyName?: string | undefined
  /** When the API key that the actor calls with expires: a key that the actor makes may not last longer. */
  readonly expiresAt?: string | undefined
}

const ROLE_RANK: Record<Role, number> = { viewer: 1, editor: 2, admin: 3 }
const ACCESS_RANK: Record<Access, number> = { self: 0, read: 1, write: 2, admin: 3 }

const areasOf = () => new Set(allPermissions().map((permission) => permission.split(':')[0]))

export const SCOPE_PATTERN = '^(\\*|[a-z][a-z-]*):(\\*|self|read|write|admin)$'
export const SCOPE_IN_WORDS =
  'an area and what may be done there, such as buckets:read or buckets:*; there is self, read, write, admin and *'

/** What is wrong with a scope of the right form; undefined where there is such an area. */
export function unknownAreaOf(scope: string): string | undefined {
  const area = scope.slice(0, scope.indexOf(':'))
  return area === '*' || areasOf().has(area) ? undefined : `names no area: there is ${[...areasOf()].join(', ')} and *`
}

/** The least role that can use a scope; `*` stands for whatever a role has. */
export function leastRoleFor(scope: string): Role {
  const access = scope.slice(scope.indexOf(':') + 1)
  return access === 'admin' ? 'admin' : access === 'write' ? 'editor' : 'viewer'
}

export function can(actor: Actor, permission: Permission): boolean {
  const colon = permission.indexOf(':')
  const access = permission.slice(colon + 1) as Access
  if (rankOf(actor.role) < ACCESS_RANK[access]) return false
  return actor.scopes === undefined || actor.scopes.some((scope) => covers(scope, permission, colon))
}

function covers(scope: string, permission: string, colon: number): boolean {
  if (scope === permission) return true
  const [area, access] = scope.split(':')
  return (
    (area === '*' || area === permission.slice(0, colon)) && (access === '*' || access === permission.slice(colon + 1))
  )
}

/** Whether a scope asked for stays within the caller's own scopes; the caller's role is checked elsewhere. */
export function includesScope(actor: Actor, wanted: string): boolean {
  if (actor.scopes === undefined) return true
  return actor.scopes.some((scope) => scope === wanted || covers(scope, wanted, wanted.indexOf(':')))
}

export function rankOf(role: Role | undefined): number {
  return role === undefined ? 0 : ROLE_RANK[role]
}

export function highestRole(roles: readonly Role[]): Role | undefined {
  return roles.toSorted((a, b) => ROLE_RANK[b] - ROLE_RANK[a])[0]
}

/** Everything a caller may do, for its own information. */
export function permissionsOf(actor: Actor): Permission[] {
  return allPermissions().filter((permission) => can(actor, permission))
}

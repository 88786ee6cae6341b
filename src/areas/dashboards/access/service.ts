import type { Clock } from '../../../engines/clock.ts'
import type { Role } from '../../../engines/identity/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { FieldError } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { nextStamps } from '../../../http/rows.ts'
import type { Lineage } from '../../lineage/index.ts'
import type { Users } from '../../users/index.ts'
import { Problem } from '../errors.ts'
import { tellReads } from '../lineage.ts'
import type { DashboardRow, GrantRow } from '../migrations.ts'
import type { Dashboards, Found } from '../service.ts'
import * as store from '../store.ts'
import { saveVersion } from '../versions/store.ts'
import { mayManage } from './rights.ts'
import type { AccessUpdate, Access as AccessView } from './schema.ts'
import { saveGrants } from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly dashboards: Dashboards
  readonly lineage: Pick<Lineage, 'saw'>
  users(): Promise<Pick<Users, 'owner'>>
}

interface Wanted {
  readonly ids: readonly string[]
  readonly roles: readonly Role[]
  readonly permission: 'view' | 'edit' | 'none'
}

/** Users that a change names, by their identifiers; undefined for those that there are not, or who are disabled. */
export type NamedUsers = ReadonlyMap<string, { readonly id: string; readonly name: string } | undefined>

/** Who may see and change dashboards. */
export class Access {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async get(actor: Actor, id: string): Promise<AccessView> {
    return toAccess(await this.#needs.dashboards.find(this.#needs.metadata.db, actor, id))
  }

  /** The users that a change names: looked for outside the transaction of the change. */
  async named({ owner, grants = [] }: AccessUpdate): Promise<NamedUsers> {
    const users = await this.#needs.users()
    const ids = new Set([...(owner === undefined ? [] : [owner]), ...grants.flatMap(({ user }) => user ?? [])])
    const found = new Map<string, { id: string; name: string } | undefined>()
    for (const id of ids) found.set(id, await users.owner(id))
    return found
  }

  /** Gives users and roles a right, or with `none` takes it back; others keep theirs. */
  async grant(tx: Db, actor: Actor, id: string, wanted: Wanted, users: NamedUsers): Promise<Outcome<AccessView>> {
    const { ids, roles, permission } = wanted
    const { grants } = await this.#needs.dashboards.editable(tx, actor, id)
    const named = [...ids.map((user) => ({ user })), ...roles.map((role) => ({ role }))]
    const isNamed = ({ kind, grantee }: GrantRow) => (kind === 'user' ? ids : roles).some((each) => each === grantee)
    const kept = viewsOf(grants.filter((grant) => !isNamed(grant)))
    const added = permission === 'none' ? [] : named.map((grantee) => ({ ...grantee, permission }))
    const errors = [...users].flatMap(([user, found]) =>
      found === undefined ? [{ pointer: `/users/${ids.indexOf(user)}`, message: NO_USER }] : []
    )
    if (errors.length > 0 && permission !== 'none') throw new Problem('unprocessable', { errors })
    const known = new Map([...users, ...grants.map(({ grantee }) => [grantee, { id: grantee, name: '' }] as const)])
    return this.update(tx, actor, id, { grants: [...kept, ...added] }, known)
  }

  async update(tx: Db, actor: Actor, id: string, body: AccessUpdate, users: NamedUsers): Promise<Outcome<AccessView>> {
    const { clock, dashboards, lineage } = this.#needs
    const found = await dashboards.editable(tx, actor, id)
    if (!mayManage(actor, found.row)) {
      throw new Problem('not_yours_to_edit', {
        detail: 'Only its owner and administrators say who may see or change it.'
      })
    }
    requireSound(body, users)
    const grants = body.grants === undefined ? found.grants : rowsOf(id, body.grants)
    const owner = body.owner === undefined ? undefined : users.get(body.owner)
    const row: DashboardRow = {
      ...found.row,
      everyone: body.everyone ?? found.row.everyone,
      ...(owner !== undefined && { owner_id: owner.id, owner_name: owner.name }),
      ...nextStamps(found.row, clock)
    }
    await store.updateDashboard(tx, row)
    await saveGrants(tx, id, grants)
    await saveVersion(tx, row, actor, 'Access changed')
    await tellReads(tx, lineage, row)
    const after = toAccess({ row, grants })
    return { answer: after, changes: [{ type: 'dashboard', id, before: toAccess(found), after }] }
  }
}

function requireSound({ owner, grants = [] }: AccessUpdate, users: NamedUsers): void {
  const errors: FieldError[] = []
  const known = new Set<string>()
  if (owner !== undefined && users.get(owner) === undefined) errors.push({ pointer: '/owner', message: NO_USER })
  for (const [index, { user, role }] of grants.entries()) {
    const at = `/grants/${index}`
    if ((user === undefined) === (role === undefined))
      errors.push({ pointer: at, message: 'must have a user or a role' })
    if (user !== undefined && users.get(user) === undefined) errors.push({ pointer: `${at}/user`, message: NO_USER })
    const key = JSON.stringify([user, role])
    if (known.has(key)) errors.push({ pointer: at, message: 'is for the same as one before' })
    known.add(key)
  }
  if (errors.length > 0) throw new Problem('unprocessable', { errors })
}

const NO_USER = 'is no user, or one who is disabled; users are known once they have signed in'

const rowsOf = (id: string, grants: NonNullable<AccessUpdate['grants']>): GrantRow[] =>
  grants.map(({ user, role, permission }) => ({
    dashboard_id: id,
    kind: user === undefined ? 'role' : 'user',
    grantee: user ?? (role as string),
    permission
  }))

function toAccess({ row, grants }: Found): AccessView {
  return {
    owner: { id: row.owner_id, name: row.owner_name },
    everyone: row.everyone,
    grants: viewsOf(grants),
    version: row.version
  }
}

const viewsOf = (grants: readonly GrantRow[]): AccessView['grants'] =>
  grants.map(({ kind, grantee, permission }) =>
    kind === 'user' ? { user: grantee, permission } : { role: grantee as Role, permission }
  )

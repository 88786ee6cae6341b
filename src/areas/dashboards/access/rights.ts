import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Role } from '../../../engines/identity/index.ts'
import type { Tables } from '../../../engines/metadata/index.ts'
import { type Actor, can, rankOf } from '../../../http/permissions.ts'
import type { DashboardRow, GrantRow } from '../migrations.ts'

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin']

/** Roles whose grants are the actor's too: what is given to viewers is given to editors as well. */
const rolesOf = ({ role }: Actor): Role[] => ROLES.filter((each) => rankOf(each) <= rankOf(role))

/** Administrators see and change everything, as everywhere. */
const isAdmin = ({ role }: Actor): boolean => role === 'admin'

function isGranted(actor: Actor, { kind, grantee }: GrantRow): boolean {
  return kind === 'user' ? grantee === actor.id : rolesOf(actor).includes(grantee as Role)
}

export function mayView(actor: Actor, row: Pick<DashboardRow, 'everyone' | 'owner_id'>, grants: readonly GrantRow[]) {
  if (row.everyone !== 'none' || row.owner_id === actor.id || isAdmin(actor)) return true
  return grants.some((grant) => isGranted(actor, grant))
}

/** Whoever edits needs the right to write dashboards beside that to this one. */
export function mayEdit(actor: Actor, row: Pick<DashboardRow, 'everyone' | 'owner_id'>, grants: readonly GrantRow[]) {
  if (!can(actor, 'dashboards:write')) return false
  if (row.everyone === 'edit' || row.owner_id === actor.id || isAdmin(actor)) return true
  return grants.some((grant) => grant.permission === 'edit' && isGranted(actor, grant))
}

/** Who sees and changes the rights of a dashboard. */
export const mayManage = (actor: Actor, row: Pick<DashboardRow, 'owner_id'>): boolean =>
  can(actor, 'dashboards:write') && (row.owner_id === actor.id || isAdmin(actor))

/** `mayView` as a condition of a query. */
export function visibleTo(actor: Actor) {
  return (eb: ExpressionBuilder<Tables, 'dashboards'>): Expression<SqlBool> => {
    if (isAdmin(actor)) return eb('dashboards.id', 'is not', null)
    const granted = eb
      .selectFrom('dashboard_grants')
      .select('dashboard_id')
      .where((grant) =>
        grant.or([
          grant.and([grant('kind', '=', 'user'), grant('grantee', '=', actor.id)]),
          grant.and([grant('kind', '=', 'role'), grant('grantee', 'in', [...rolesOf(actor), ''])])
        ])
      )
    return eb.or([
      eb('dashboards.everyone', '!=', 'none'),
      eb('dashboards.owner_id', '=', actor.id),
      eb('dashboards.id', 'in', granted)
    ])
  }
}

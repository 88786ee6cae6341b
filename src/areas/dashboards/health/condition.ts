import type { Db } from '../../../engines/metadata/index.ts'

export interface Condition {
  readonly dashboards: number
  readonly shares: Readonly<Record<'active' | 'expired' | 'revoked', number>>
  /** Links that work and end by themselves never. */
  readonly endless: number
  /** Links that work no more because whoever made them is disabled. */
  readonly orphaned: number
  /** How often links were opened. */
  readonly views: number
}

/** How dashboards and the links to them stand. */
export async function conditionOf(db: Db, now: string): Promise<Condition> {
  const { dashboards } = await db
    .selectFrom('dashboards')
    .select((eb) => eb.fn.countAll<number>().as('dashboards'))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('dashboard_shares')
    .leftJoin('users', 'users.id', 'dashboard_shares.created_by')
    .select((eb) => [
      eb
        .case()
        .when('revoked_at', 'is not', null)
        .then('revoked')
        .when(eb('expires_at', '<=', now))
        .then('expired')
        .else('active')
        .end()
        .as('status'),
      eb.case().when('expires_at', 'is', null).then(1).else(0).end().as('isEndless'),
      eb.case().when('users.disabled', '=', 1).then(1).else(0).end().as('isOrphaned'),
      eb.fn.countAll<number>().as('shares'),
      eb.fn.sum<number>('views').as('views')
    ])
    .groupBy(['status', 'isEndless', 'isOrphaned'])
    .execute()
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  const count = (status: string) => sum((row) => (row.status === status ? Number(row.shares) : 0))
  return {
    dashboards: Number(dashboards),
    shares: { active: count('active'), expired: count('expired'), revoked: count('revoked') },
    endless: sum((row) => (row.status === 'active' && row.isEndless === 1 ? Number(row.shares) : 0)),
    orphaned: sum((row) => (row.status === 'active' && row.isOrphaned === 1 ? Number(row.shares) : 0)),
    views: sum((row) => Number(row.views))
  }
}

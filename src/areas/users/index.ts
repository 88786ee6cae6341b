import type { Area } from '../../http/route.ts'
import type { ExplainToken } from './explain.ts'
import { userMigrations } from './migrations.ts'
import { userRoutes } from './routes.ts'
import type { Users } from './service.ts'

export { createExplainToken } from './explain.ts'
export { RoleName } from './schema.ts'
export { Users } from './service.ts'

export function usersArea(users: Users, explainToken: ExplainToken): Area {
  return {
    name: 'users',
    about: 'Everyone who has called, as their tokens describe them.',
    migrations: userMigrations,
    routes: userRoutes(users, explainToken)
  }
}

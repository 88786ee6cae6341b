import type { AreaBody, AreaNeeds } from '../../area.ts'
import type { Role } from '../../engines/identity/index.ts'
import { createExplainToken } from './explain.ts'
import { userRoutes } from './routes.ts'
import { Users } from './service.ts'

declare module '../../area.ts' {
  interface Services {
    users: Users
  }
}

export function usersBody(needs: AreaNeeds): AreaBody {
  const users = new Users(needs)
  const clearanceOf = async (role: Role | undefined) => (await needs.service('classification')).guard.inWords(role)
  const explainToken = createExplainToken({
    identity: needs.identity,
    clearanceOf,
    explainApiKey: async (key) => (await needs.service('api-keys')).explain(key),
    roleOfApiKey: async (key) => (await needs.service('api-keys')).roleOf(key)
  })
  return { routes: userRoutes({ users, explainToken, clearanceOf }), service: users }
}
